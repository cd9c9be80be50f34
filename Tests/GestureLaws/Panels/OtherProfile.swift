// SPDX-License-Identifier: MIT
import GestureEngine

extension [Region] {
    /// The regions with a pattern, and all regions around them.
    var aroundPatterns: Set<RegionIndex> {
        var found: Set<RegionIndex> = []
        for i in regionIndices where self[i].traits.contains(.hasPattern) {
            var next: RegionIndex? = i
            while let place = next, found.insert(place).inserted { next = self[place].parent }
        }
        return found
    }
}

extension Region {
    /// Changes what a profile may change.
    mutating func changeProfile() {
        leaveDistance += 1
        taps.slop += 1
        for i in gestures.indices {
            switch gestures[i].settings {
            case .tap(var tap):
                (tap.slop, tap.minGap) = (tap.slop + 1, .milliseconds(300))
                gestures[i].settings = .tap(tap)
            case .longPress(var press):
                press.delay = .milliseconds(700)
                gestures[i].settings = .longPress(press)
            case .drag(var drag):
                drag.start += 1
                gestures[i].settings = .drag(drag)
            default: break
            }
        }
    }
}
