// SPDX-License-Identifier: MIT
import ContactTracking
import GestureConfiguration
import GestureEngine
import GesturePipeline
import GestureProtocol
import GestureServer
import LinuxSystem
import TouchInput

/// Writes the regions as they lie on each panel, in output pixels.
enum RegionsReply {
    /// `,"regions":[…]`, from the lowest to the topmost of each panel.
    ///
    /// - Parameters:
    ///   - matching: whether a region is wanted, by its id.
    static func write(
        _ panels: [Panel], matching: (String) -> Bool, seesPrivate: Bool, into line: inout LineBuffer
    ) {
        line.appendKey("regions")
        line.append("[")
        var isFirst = true
        for panel in panels {
            let setup = panel.pipeline.setup
            for index in RegionOrder.lowestFirst(setup.regions) {
                let region = setup.regions[index]
                guard matching(region.id), seesPrivate || !region.isPrivate else { continue }
                if !isFirst { line.append(",") }
                isFirst = false
                write(region, setup, into: &line)
            }
        }
        line.append("]")
    }

    private static func write(_ region: Region, _ setup: PanelSetup, into line: inout LineBuffer) {
        let scale = PixelScale(setup.size)
        line.append("{\"region\":")
        line.appendQuoted(region.id)
        line.appendKey("device")
        line.appendQuoted(setup.device)
        line.appendKey("parent")
        if let parent = region.parent { line.appendQuoted(setup.regions[parent].id) } else { line.append("null") }
        line.appendKey("z")
        line.appendInteger(region.z)
        line.appendKey("shape")
        write(region.shape, scale, into: &line)
        line.appendKey("margin")
        line.appendTenths(scale.x(region.margin))
        line.appendKey("pass")
        line.appendBool(region.pass)
        line.appendKey("enabled")
        line.appendBool(region.isEnabled)
        line.appendKey("private")
        line.appendBool(region.isPrivate)
        line.appendKey("gestures")
        line.append("[")
        for (i, gesture) in region.gestures.enumerated() {
            line.append(i > 0 ? ",{\"gesture\":" : "{\"gesture\":")
            line.appendQuoted(gesture.word)
            line.appendKey("name")
            line.appendQuoted(gesture.name)
            line.append("}")
        }
        line.append("]}")
    }

    private static func write(_ shape: Shape, _ scale: PixelScale, into line: inout LineBuffer) {
        switch shape {
        case .rectangle(let box):
            line.append("{\"rect\":[")
            line.appendTenths(scale.x(box.minX))
            line.append(",")
            line.appendTenths(scale.y(box.minY))
            line.append(",")
            line.appendTenths(scale.x(box.width))
            line.append(",")
            line.appendTenths(scale.y(box.height))
            line.append("]}")
        case .circle(let center, let radius):
            line.append("{\"circle\":{\"center\":")
            write(center, scale, into: &line)
            line.append(",\"radius\":")
            line.appendTenths(scale.x(radius))
            line.append("}}")
        case .polygon(let corners):
            line.append("{\"polygon\":[")
            for (i, corner) in corners.enumerated() {
                if i > 0 { line.append(",") }
                write(corner, scale, into: &line)
            }
            line.append("]}")
        }
    }

    private static func write(_ point: Point, _ scale: PixelScale, into line: inout LineBuffer) {
        line.append("[")
        line.appendTenths(scale.x(point.x))
        line.append(",")
        line.appendTenths(scale.y(point.y))
        line.append("]")
    }
}
