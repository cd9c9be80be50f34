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
    /// Writes `"regions":[…]`, from the lowest to the topmost of each panel.
    ///
    /// - Parameters:
    ///   - matching: whether a region is wanted, by its id.
    static func write(
        _ panels: [Panel], matching: (String) -> Bool, seesPrivate: Bool, into json: inout JSONWriter
    ) {
        json.array("regions") { json in
            for panel in panels {
                let setup = panel.pipeline.setup
                for index in RegionOrder.lowestFirst(setup.regions) {
                    let region = setup.regions[index]
                    guard matching(region.id), seesPrivate || !region.isPrivate else { continue }
                    json.object { write(region, setup, into: &$0) }
                }
            }
        }
    }

    private static func write(_ region: Region, _ setup: PanelSetup, into json: inout JSONWriter) {
        let scale = PixelScale(setup.size)
        json.member("region", region.id)
        json.member("device", setup.device)
        json.key("parent")
        if let parent = region.parent { json.value(setup.regions[parent].id) } else { json.null() }
        json.member("z", region.z)
        json.object("shape") { write(region.shape, scale, into: &$0) }
        json.member("margin", tenths: scale.x(region.margin))
        json.member("pass", region.pass)
        json.member("enabled", region.isEnabled)
        json.member("private", region.isPrivate)
        json.array("gestures") { json in
            for gesture in region.gestures {
                json.object { json in
                    json.member("gesture", gesture.word)
                    json.member("name", gesture.name)
                }
            }
        }
    }

    private static func write(_ shape: Shape, _ scale: PixelScale, into json: inout JSONWriter) {
        switch shape {
        case .rectangle(let box):
            json.array("rect") { json in
                json.value(tenths: scale.x(box.minX))
                json.value(tenths: scale.y(box.minY))
                json.value(tenths: scale.x(box.width))
                json.value(tenths: scale.y(box.height))
            }
        case .circle(let center, let radius):
            json.object("circle") { json in
                json.key("center")
                write(center, scale, into: &json)
                json.member("radius", tenths: scale.x(radius))
            }
        case .polygon(let corners):
            json.array("polygon") { json in
                for corner in corners { write(corner, scale, into: &json) }
            }
        }
    }

    private static func write(_ point: Point, _ scale: PixelScale, into json: inout JSONWriter) {
        json.array { json in
            json.value(tenths: scale.x(point.x))
            json.value(tenths: scale.y(point.y))
        }
    }
}
