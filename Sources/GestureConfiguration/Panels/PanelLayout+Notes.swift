// SPDX-License-Identifier: MIT
import GestureEngine

extension PanelLayout {
    /// What is known about one region.
    struct Notes: Hashable, Sendable {
        /// Of parents, and of all regions if there are scenes: `facts(of:)` makes those of others.
        var facts: Facts?
        var isParent = false
        /// The place of the same region in the layout before, if nothing about it has changed.
        var predecessor: Int?
        /// A point of the region that nothing above it covers, if one is known.
        var freePoint: Point?
        /// `nil`: there are none, which is so for most of thousands.
        private var found: [Warning]?

        init(facts: Facts?) { self.facts = facts }

        var hasWarnings: Bool { found != nil }
        var warnings: [Warning] { found ?? [] }

        private func has(_ aspect: Aspect) -> Bool { found?.contains { $0.aspect == aspect } ?? false }

        mutating func set(_ aspect: Aspect, _ diagnostics: [Diagnostic]) {
            guard !diagnostics.isEmpty || has(aspect) else { return }
            let all =
                warnings.filter { $0.aspect != aspect }
                + diagnostics.map { Warning(aspect: aspect, diagnostic: $0) }
            found = all.isEmpty ? nil : all
        }
    }

    /// What does not depend on other regions than the parents.
    final class Facts: Hashable, Sendable {
        let box: PixelBox
        let layers: [GestureDefaults]
        /// By scene: whether it has the region.
        let isShown: [Bool]

        init(box: PixelBox, layers: [GestureDefaults], isShown: [Bool]) {
            (self.box, self.layers, self.isShown) = (box, layers, isShown)
        }

        static func == (a: Facts, b: Facts) -> Bool {
            a === b || (a.box == b.box && a.layers == b.layers && a.isShown == b.isShown)
        }

        func hash(into hasher: inout Hasher) { hasher.combine(box) }
    }

    /// What a warning is about, in the order in which they are listed.
    enum Aspect: Int, Hashable, CaseIterable {
        case outside, guest, gestures, covered
        /// Of the first region with a length in millimetres, if the panel's size is not known.
        case size
    }

    struct Warning: Hashable {
        var aspect: Aspect
        var diagnostic: Diagnostic
    }
}
