// SPDX-License-Identifier: MIT
import GestureEngine

/// The rules for the regions of a guest: a client that may define regions, but may not control the daemon.
package struct GuestRules: Hashable, Sendable {
    /// The required prefix of the ids of the guest's regions.
    var prefix: String
    /// The region in which the guest's outermost regions must lie; `nil` if they may lie in any region or in none.
    var parent: String?
    /// The names of the regions that the guest's user has defined on other connections.
    var own: Set<String>

    package init(_ access: AccessSettings, own: Set<String>) {
        prefix = access.definePrefix
        parent = access.defineParent
        self.own = own
    }

    /// Marks a rule as defined by a guest, and reports an error if a guest may not define it.
    /// - Parameter defined: the ids that are defined together with it.
    func confine(_ rule: inout RegionRule, defined: Set<String>, _ sink: DiagnosticSink) {
        func refuse(_ message: String) {
            sink.error(.badValue, "region \"\(rule.id)\" \(message)", at: sink.startOfFile(of: rule.location))
        }
        rule.change { $0.isGuest = true }
        if !rule.id.hasPrefix(prefix) { refuse("must have an id that begins with \"\(prefix)\" (define_prefix)") }
        if rule.pass { refuse("must not have pass: it would receive the touches of other regions") }
        if rule.touches != .share || rule.gestures.contains(where: { $0.consumes }) {
            refuse("must not keep touches from the application: only users in control_uids may do that")
        }
        guard let wanted = rule.parent ?? parent else { return }
        if rule.parent == nil { rule.put(into: wanted) }
        if defined.contains(wanted) || own.contains(wanted) { return }
        if let parent, wanted != parent {
            refuse("must be in \"\(parent)\" (define_parent) or in another region of this client")
        }
    }
}
