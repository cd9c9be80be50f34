// SPDX-License-Identifier: MIT
import GestureEngine
package import GestureProtocol

/// Writes the regions of each panel in output pixels.
package enum RegionsReply {
    /// Writes `"regions":[…]`: the regions of each panel, from the lowest to the topmost.
    ///
    /// - Parameter matching: whether to write the region with this name.
    package static func write(
        _ panels: [PanelSetup], matching: (String) -> Bool, seesPrivate: Bool, into json: inout JSONWriter
    ) {
        json.array("regions") { json in
            for setup in panels {
                for index in RegionOrder.lowestFirst(setup.regions) {
                    let region = setup.regions[index]
                    guard region.isVisible(seesPrivate: seesPrivate), matching(region.name) else { continue }
                    json.object { write(region, setup, into: &$0) }
                }
            }
        }
    }

    private static func write(_ region: Region, _ setup: PanelSetup, into json: inout JSONWriter) {
        let scale = PixelScale(setup.size)
        json.member("region", region.name)
        json.member("device", setup.device)
        json.key("parent")
        if let parent = region.parent { json.value(setup.regions[parent].name) } else { json.null() }
        json.member("z", region.z)
        json.object("shape") { write(region.shape, scale, into: &$0) }
        json.member("margin", tenths: scale.x(region.margin))
        json.member("pass", region.pass)
        json.member("enabled", region.isEnabled)
        json.member("private", region.isPrivate)
        switch region.contacts {
        case .together: break
        case .each: json.member("contacts", "each")
        case .near: json.member("contacts", "near")
        }
        if region.isLeased { json.member("leased", true) }
        json.objects("gestures", region.gestures) { gesture, json in
            json.member("gesture", gesture.word)
            json.member("name", gesture.name)
            if let action = gesture.action { json.member("action", action) }
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

/// Writes which regions would receive a touch at a point.
package enum AtReply {
    /// Writes the reply.
    /// - Returns: an error for a point outside of the output.
    package static func write(
        _ panel: borrowing PanelPipeline, x: Double, y: Double, seesPrivate: Bool, into json: inout JSONWriter
    ) -> RequestError? {
        let setup = panel.setup
        let size = setup.size
        guard x >= 0, y >= 0, x < size.widthPixels, y < size.heightPixels else {
            let extent = "\(Int64(size.widthPixels.rounded()))x\(Int64(size.heightPixels.rounded()))"
            return RequestError(.badValue, "\(x), \(y) lies outside output \"\(setup.device)\" (\(extent))")
        }
        let point = Point(x: x * size.millimetersPerPixelX, y: y * size.millimetersPerPixelY)
        let way = panel.route(at: point, seesPrivate: seesPrivate)
        let route = way.regions.filter { setup.regions[$0].isVisible(seesPrivate: seesPrivate) }
        json.member("device", setup.device)
        json.member("x", tenths: x)
        json.member("y", tenths: y)
        json.key("owner")
        if let owner = way.owner, route.contains(owner) { json.value(setup.regions[owner].name) } else { json.null() }
        json.member("chain", route.filter { isInChain($0, way.owner, setup.regions) }.map { setup.regions[$0].name })
        json.member("pass", route.filter { setup.regions[$0].pass }.map { setup.regions[$0].name })
        if let owner = way.owner, route.contains(owner), !setup.regions[owner].isDrawn(at: point) {
            json.member("margin", true)
        }
        return nil
    }

    /// Whether a region is the owner or one of its ancestors.
    private static func isInChain(_ region: RegionIndex, _ owner: RegionIndex?, _ regions: [Region]) -> Bool {
        var next = owner
        while let current = next {
            if current == region { return true }
            next = regions[current].parent
        }
        return false
    }
}
