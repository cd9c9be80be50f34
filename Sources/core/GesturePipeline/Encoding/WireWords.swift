// SPDX-License-Identifier: MIT
import ContactTracking
package import GestureEngine
import GestureProtocol

extension CancelReason {
    /// The name on the wire.
    package var word: String {
        switch self {
        case .claimed: "claimed"
        case .multiTouch: "multi_touch"
        case .palm: "palm"
        case .deviceRemoved: "device_removed"
        case .syncLost: "sync_lost"
        case .reload: "reload"
        case .disabled: "disabled"
        case .client: "client"
        case .handover: "handover"
        case .suspend: "suspend"
        case .rest: "rest"
        case .movement: "movement"
        }
    }
}

extension ContactFilter {
    /// The key in `[filter]` or `[[device]]`.
    package var word: String {
        switch self {
        case .palm: "palm"
        case .maxTouch: "max_touch"
        case .mask: "mask"
        case .maxContactAge: "max_contact_age"
        case .storm: "storm"
        case .wake: "wake"
        }
    }
}

extension GestureFailure.Code {
    private static let byWord = Dictionary(
        allCases.map { (FailureWording($0).name, $0) }, uniquingKeysWith: { first, _ in first })

    /// The names on the wire. Two codes may have the same one.
    package static let words: [String] = {
        var words: [String] = []
        for code in allCases where !words.contains(code.word) { words.append(code.word) }
        return words
    }()

    /// The name on the wire.
    package var word: String { FailureWording(self).name }

    /// Looks up a code.
    /// - Parameter word: the name on the wire.
    package init?(word: String) {
        guard let code = Self.byWord[word] else { return nil }
        self = code
    }
}

extension GestureEvent.Phase? {
    /// The phase that filters compare.
    var linePhase: LinePhase {
        switch self {
        case nil: .none
        case .begin: .begin
        case .update: .update
        case .end: .end
        case .cancel: .cancel
        }
    }
}
