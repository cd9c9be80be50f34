// SPDX-License-Identifier: MIT
import GestureProtocol

/// The advice for a panel that repeatedly loses a finger for a moment.
struct FlickerAdvice: Hashable {
    /// The minimum number of flickers. Fewer may have another cause, such as a drop of water.
    private static let least = 3
    /// The minimum share of flickers is one in this many contacts.
    private static let leastShare = 100
    private static let key = "bridge = \"80ms\""

    /// The number of contacts that landed within 80 ms and 3 mm of a lift.
    let flickers: Int
    /// The number of all contacts.
    let contacts: Int

    /// - Returns: `nil` if there are too few flickers for advice.
    init?(flickers: Int, contacts: Int) {
        let share = contacts / Self.leastShare + (contacts % Self.leastShare > 0 ? 1 : 0)
        guard flickers >= max(Self.least, share) else { return nil }
        (self.flickers, self.contacts) = (flickers, contacts)
    }

    /// The observation in words.
    private var finding: String {
        "the panel lost a finger for a moment \(flickers) times in \(counted(contacts, "contact"))"
    }

    /// The observation and the remedy.
    var text: String {
        "\(finding); add \(Self.key) to [filter], or filter = { \(Self.key) } to the panel's [[device]]"
    }

    /// The line to add, as a part of a configuration.
    var toml: String { "\n[filter]\n# \(finding); measure again with this line\n\(Self.key)\n" }
}
