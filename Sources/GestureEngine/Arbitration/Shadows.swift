// SPDX-License-Identifier: MIT

/// Which gestures of a region are shadowed: a nearer region has the same.
///
/// Press, tap, long press and repeat of an ancestor are recognized only if no region nearer to the contact
/// has that kind (with the same fingers and count).
struct Shadows: Hashable, Sendable {
    private struct Signature: Hashable, Sendable {
        var kind: GestureKind
        var fingers: Int
        var count: Int
        var taps: Int

        init?(_ settings: GestureSettings) {
            switch settings {
            case .press, .repeat, .longPress: count = 1
            case .tap(let tap): count = tap.count
            case .drag, .swipe, .pinch, .rotate, .pattern: return nil
            }
            kind = settings.kind
            fingers = settings.fingers
            taps = settings.taps
        }
    }

    /// By region, by gesture: the regions below it that have the same; without gestures if there are none.
    private var takers: [[[Int]]]

    init(_ regions: [Region]) {
        takers = [[[Int]]](repeating: [], count: regions.count)
        for child in regions.indices where regions[child].parent != nil && !regions[child].pass {
            let region = regions[child]
            for gesture in region.gestures {
                guard let signature = Signature(gesture.settings) else { continue }
                var ancestor = region.parent
                while let above = ancestor, above < regions.count {
                    for (i, other) in regions[above].gestures.enumerated()
                    where !regions[above].pass && Signature(other.settings) == signature {
                        if takers[above].isEmpty {
                            takers[above] = [[Int]](repeating: [], count: regions[above].gestures.count)
                        }
                        takers[above][i].append(child)
                    }
                    ancestor = regions[above].parent
                }
            }
        }
    }

    /// The gestures of `region` that a region nearer to the contact has as well.
    /// - Parameters:
    ///   - nearer: units.
    ///   - base: by unit, its region.
    func shadowed(_ region: Int, by nearer: ArraySlice<Int>, _ base: [Int]) -> [Int] {
        guard !nearer.isEmpty else { return [] }
        return takers[region].indices.filter { gesture in
            takers[region][gesture].contains { taker in nearer.contains { base[$0] == taker } }
        }
    }
}
