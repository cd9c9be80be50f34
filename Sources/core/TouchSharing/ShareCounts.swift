// SPDX-License-Identifier: MIT
import GestureEngine
package import GestureProtocol

/// The counts of contacts on a shared panel. There are separate counts for each of the `Sides`.
package struct ShareCounts: Hashable, Sendable, Summable {
    /// Contacts that were passed to the application, immediately or late.
    package var forwarded: Int64 = 0
    /// Contacts that were never passed to the application, because a region or an active gesture keeps them.
    package var captured: Int64 = 0
    /// Contacts that were withheld from the application when they landed.
    package var held: Int64 = 0
    /// Contacts that gestures took from the application.
    package var cancelled: Int64 = 0
    /// Contacts that `max_contacts` of the application's filter has hidden, at their landing or later.
    private var limited: Int64 = 0
    /// Contacts that `min_gap` of the application's filter has hidden.
    private var bounced: Int64 = 0
    /// Contacts that `max_hold` of the application's filter has lifted.
    private var lifted: Int64 = 0
    /// Contacts that `filter` of the application's filter has hidden, at their landing or later.
    private var filtered: Int64 = 0

    package init() {}

    /// Writes the counts as members.
    package func write(into json: inout JSONWriter) {
        json.member("forwarded", forwarded)
        json.member("captured", captured)
        json.member("held", held)
        json.member("cancelled", cancelled)
        writeHidden(into: &json)
    }

    /// Writes `"kept":{…}`: the counts of hidden contacts by rule, without those of 0. Writes nothing if there are none.
    package func writeHidden(into json: inout JSONWriter) {
        guard ApplicationFilter.Rule.allCases.contains(where: { self[$0] > 0 }) else { return }
        json.object("kept") { json in
            for rule in ApplicationFilter.Rule.allCases where self[rule] > 0 {
                json.key(named: rule.rawValue)
                json.value(self[rule])
            }
        }
    }

    /// The number of contacts that a rule of the application's filter has hidden, at their landing or later.
    package subscript(rule: ApplicationFilter.Rule) -> Int64 {
        switch rule {
        case .maxContacts: limited
        case .minGap: bounced
        case .maxHold: lifted
        case .filter: filtered
        }
    }

    mutating func hide(by rule: ApplicationFilter.Rule) {
        switch rule {
        case .maxContacts: limited &+= 1
        case .minGap: bounced &+= 1
        case .maxHold: lifted &+= 1
        case .filter: filtered &+= 1
        }
    }

    package mutating func add(_ other: Self) {
        forwarded &+= other.forwarded
        captured &+= other.captured
        held &+= other.held
        cancelled &+= other.cancelled
        limited &+= other.limited
        bounced &+= other.bounced
        lifted &+= other.lifted
        filtered &+= other.filtered
    }
}
