// SPDX-License-Identifier: MIT
import GestureEngine

extension PanelLayout {
    /// What is known about one region.
    struct Notes: Hashable, Sendable {
        /// A point of the region that nothing above it covers, if one is known.
        var freePoint: Point?
        /// `nil`: there are none, which is so for most of thousands.
        private var found: [Warning]?

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

    /// What those need to know that lie in a region.
    struct Surroundings: Hashable {
        var box: PixelBox
        var layers: [GestureDefaults]
    }

    /// What a warning is about, in the order in which they are listed.
    enum Aspect: Int, Hashable, CaseIterable {
        case outside, gestures, covered
        /// Of the first region with a length in millimetres, if the panel's size is not known.
        case size
    }

    struct Warning: Hashable {
        var aspect: Aspect
        var diagnostic: Diagnostic
    }
}
