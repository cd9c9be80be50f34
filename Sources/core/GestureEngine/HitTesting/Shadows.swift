// SPDX-License-Identifier: MIT

/// Finds shadowed gestures. A gesture is shadowed if a region nearer to the contact has a gesture of the same kind with
/// the same fingers and count.
enum Shadows {
    private struct Signature: Equatable {
        var kind: GestureKind
        var fingers: Int
        var count: Int
        var taps: Int

        init?(_ settings: GestureSettings) {
            kind = settings.kind
            guard kind.traits.shadowing != .none else { return nil }
            fingers = settings.fingers
            taps = settings.taps
            count = if case .tap(let tap) = settings { tap.count } else { 1 }
        }
    }

    static func shadowed(_ region: RegionIndex, by nearer: [RegionIndex], _ regions: [Region]) -> [GestureIndex] {
        guard !nearer.isEmpty else { return [] }
        let shadowed = regions[region].gestures.indices.filter { gesture in
            guard let signature = Signature(regions[region].gestures[gesture].settings) else { return false }
            return nearer.contains { nearer in
                !regions[nearer].pass && regions.isAncestor(region, of: nearer)
                    && regions[nearer].gestures.contains { Signature($0.settings) == signature }
            }
        }
        return shadowed.map { GestureIndex(raw: $0) }
    }
}
