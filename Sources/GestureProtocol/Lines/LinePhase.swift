// SPDX-License-Identifier: MIT

/// Where a continuous gesture is; `none` for a discrete gesture and for what is no gesture.
package enum LinePhase: UInt8, Hashable, Sendable, BitwiseCopyable, CaseIterable {
    case none, begin, update, end, cancel

    /// The word on the wire; empty for `none`.
    @inlinable
    package var word: StaticString {
        switch self {
        case .none: ""
        case .begin: "begin"
        case .update: "update"
        case .end: "end"
        case .cancel: "cancel"
        }
    }
}
