// SPDX-License-Identifier: MIT
import ContactTracking
import GestureConfiguration
import GestureEngine
import GesturePipeline
import GestureProtocol
import GestureServer
import LinuxSystem
import TouchInput

/// Writes which regions a touch at a point would be told to.
enum AtReply {
    static func write(
        _ panel: Panel, x: Double, y: Double, seesPrivate: Bool, into line: inout LineBuffer
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
        line.appendKey("device")
        line.appendQuoted(setup.device)
        line.appendKey("x")
        line.appendTenths(x)
        line.appendKey("y")
        line.appendTenths(y)
        line.appendKey("owner")
        if let owner, visible.contains(owner) {
            line.appendQuoted(setup.regions[owner].id)
        } else {
            line.append("null")
        }
        line.appendKey("chain")
        line.appendList(visible.filter { isInChain($0, owner, setup.regions) }.map { setup.regions[$0].id })
        line.appendKey("pass")
        line.appendList(visible.filter { setup.regions[$0].pass }.map { setup.regions[$0].id })
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
