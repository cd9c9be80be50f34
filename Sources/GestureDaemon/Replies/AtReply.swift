// SPDX-License-Identifier: MIT
import ContactTracking
import GestureConfiguration
import GestureEngine
import GesturePipeline
import GestureProtocol
import GestureServer
import LinuxSystem
import TouchInput

/// Writes which regions would receive a touch at a point.
enum AtReply {
    static func write(
        _ panel: Panel, x: Double, y: Double, seesPrivate: Bool, into json: inout JSONWriter
    ) -> RequestError? {
        let setup = panel.pipeline.setup
        let size = setup.size
        guard x >= 0, y >= 0, x < size.widthPixels, y < size.heightPixels else {
            let extent = "\(Int64(size.widthPixels.rounded()))x\(Int64(size.heightPixels.rounded()))"
            return RequestError(.badValue, "\(x), \(y) lies outside output \"\(setup.device)\" (\(extent))")
        }
        let point = Point(x: x * size.millimetersPerPixelX, y: y * size.millimetersPerPixelY)
        let (owner, route) = panel.pipeline.route(at: point)
        let visible = route.filter { seesPrivate || !setup.regions[$0].isPrivate }
        json.member("device", setup.device)
        json.member("x", tenths: x)
        json.member("y", tenths: y)
        json.key("owner")
        if let owner, visible.contains(owner) { json.value(setup.regions[owner].id) } else { json.null() }
        json.member("chain", visible.filter { isInChain($0, owner, setup.regions) }.map { setup.regions[$0].id })
        json.member("pass", visible.filter { setup.regions[$0].pass }.map { setup.regions[$0].id })
        return nil
    }

    /// Whether a region is the owner or one of its ancestors.
    private static func isInChain(_ region: Int, _ owner: Int?, _ regions: [Region]) -> Bool {
        var next = owner
        while let current = next {
            if current == region { return true }
            next = regions[current].parent
        }
        return false
    }
}
