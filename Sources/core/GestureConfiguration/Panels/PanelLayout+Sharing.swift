// SPDX-License-Identifier: MIT
import GestureEngine

/// Warnings about a panel that is shared with an application.
extension LayoutWarnings {
    /// Warns about the `touches` of a region and about gestures whose touches reach the application.
    mutating func warnAboutSharing(of index: RegionIndex) {
        let region = regions[index]
        let touches = touches(in: index)
        let location = rules[index].location
        if region.touches != .share, region.pass {
            warn(.noEffect, "region \"\(region.name)\" has pass = true, so it keeps no touches", at: location)
        } else if region.touches == .hold, region.gestures.isEmpty {
            warn(
                .noEffect, "region \"\(region.name)\" holds no touches: it has no gesture to wait for",
                at: location)
        }
        for (gesture, rule) in zip(region.gestures, rules[index].gestures) {
            guard let message = sharingProblem(of: gesture, touches) else { continue }
            let code: DiagnosticCode = touches == .share ? .shared : .noEffect
            warn(code, "\(region.name).\(gesture.name) \(message)", at: rule.location)
        }
    }

    /// Returns what `GestureEngine.touches(of:)` returns for a contact that lands in the region.
    private func touches(in index: RegionIndex) -> Region.Touches {
        var result = Region.Touches.share
        var next: RegionIndex? = index
        while let place = next, regions[place].isPrivate == regions[index].isPrivate {
            if !regions[place].pass { result = max(result, regions[place].touches) }
            next = regions[place].parent
        }
        return result
    }
}
