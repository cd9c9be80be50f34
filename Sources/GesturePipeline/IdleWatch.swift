// SPDX-License-Identifier: MIT
package import GestureConfiguration
package import GestureEngine
package import GestureProtocol

/// Follows for how long no panel has been touched, and says when each `[[idle]]` begins and ends.
///
/// All panels share one: a scene holds for all of them. It has no clock: time comes with calls.
package final class IdleWatch {
    /// Why an idle time has ended.
    package enum EndReason: String, Hashable, Sendable {
        /// A contact has landed.
        case touch
        /// A client has switched to a scene in which it does not count.
        case scene
        /// The configuration has another one with this name, or none.
        case reload
    }

    /// An idle time has begun or ended.
    package struct Change: Hashable, Sendable {
        package var name: String
        /// `nil`: it has begun.
        package var end: EndReason?
        /// Since when no panel has been touched.
        package var length: Interval
        package var time: Timestamp
    }

    private struct Entry {
        let rule: IdleRule
        /// Its time counts from here.
        var start: Timestamp
        var isIdle = false
        /// The scene that it has switched to, until a client switches to another.
        var scene: String?

        var deadline: Timestamp { start + rule.after }
    }

    private var entries: [Entry] = []
    /// The panels that are touched.
    private var touchedPanels = 0
    /// The scene that is in force because no panel has been touched; `nil`: the one that clients or the files have
    /// chosen. The touch that ends the idle time still belongs to it: it changes when no contact is down any more.
    package private(set) var scene: String?

    package init() {}

    /// The names of those that have begun and not ended.
    package var names: [String] { entries.filter { $0.isIdle }.map { $0.rule.id } }

    /// Whether there are idle times to be followed.
    var hasRules: Bool { !entries.isEmpty }

    /// When `advance(to:)` must next be called; `nil` while nothing is pending.
    package var nextDeadline: Timestamp? {
        guard touchedPanels == 0, hasRules else { return nil }
        return entries.lazy.filter { !$0.isIdle }.map { $0.deadline }.min()
    }

    /// Takes the rules of a configuration and the scene that clients or the files have chosen.
    ///
    /// - Parameter reason: `reload`: the time of a rule that is as before goes on. `scene`: the time of all others than
    ///   those that are idle starts anew, for a scene that a client has chosen must not be left at once.
    package func apply(
        _ rules: [IdleRule], in scene: String, _ reason: EndReason, at time: Timestamp
    ) -> [Change] {
        var changes = advance(to: time)
        let old = entries
        entries = rules.filter { $0.counts(in: scene) }.map { rule in
            guard var entry = old.first(where: { $0.rule == rule }), reason == .reload || entry.isIdle else {
                return Entry(rule: rule, start: time)
            }
            if reason == .scene { entry.scene = nil }
            return entry
        }
        for entry in old where entry.isIdle && !entries.contains(where: { $0.rule == entry.rule }) {
            changes.append(change(entry, reason, at: time))
        }
        updateScene()
        return changes
    }

    /// A panel that had no contact has one, or has none any more.
    package func setTouched(_ isTouched: Bool, at time: Timestamp) -> [Change] {
        var changes = hasRules ? advance(to: time) : []
        touchedPanels += isTouched ? 1 : -1
        guard hasRules else { return changes }
        for i in entries.indices {
            // A frame may be older than what has begun.
            var start = max(entries[i].start, time)
            if isTouched, entries[i].isIdle {
                start = max(start, entries[i].deadline)
                changes.append(change(entries[i], .touch, at: start))
                entries[i].isIdle = false
                entries[i].scene = nil
            }
            entries[i].start = start
        }
        if touchedPanels == 0 { updateScene() }
        return changes
    }

    /// Begins what is due up to `time`, each at its own time.
    package func advance(to time: Timestamp) -> [Change] {
        var changes: [Change] = []
        while let deadline = nextDeadline, deadline <= time {
            for i in entries.indices where !entries[i].isIdle && entries[i].deadline == deadline {
                entries[i].isIdle = true
                entries[i].scene = entries[i].rule.scene
                changes.append(change(entries[i], nil, at: deadline))
            }
            updateScene()
        }
        return changes
    }

    /// Of several, the one that took longest.
    private func updateScene() {
        scene = entries.filter { $0.scene != nil }.max { $0.rule.after < $1.rule.after }?.scene
    }

    private func change(_ entry: Entry, _ end: EndReason?, at time: Timestamp) -> Change {
        Change(name: entry.rule.id, end: end, length: time - entry.start, time: time)
    }
}

extension IdleWatch.Change {
    /// Writes its `idle` line.
    package func encode(into line: inout EventLine) {
        line.start(.idle)
        line.body.member("name", name)
        line.body.member("change", end == nil ? "idle" : "active")
        if let end { line.body.member("reason", end.rawValue) }
        line.body.member("idle_ms", length.wholeMilliseconds)
        line.writeTime(time.microseconds)
    }
}

/// One panel's part in the idle times of all.
struct PanelIdleTimes {
    /// Shared with other panels; `nil`: no idle times are followed.
    var watch: IdleWatch?
    private var isTouched = false
    /// Changes whose lines have not been sent.
    var changes: [IdleWatch.Change] = []

    /// When `advance(to:)` must next be called; `nil` while nothing is pending.
    var nextDeadline: Timestamp? { watch?.nextDeadline }

    /// Whether there are idle times to be followed.
    var hasRules: Bool { watch?.hasRules ?? false }

    /// Whether the panel has become touched or untouched with so many contacts.
    func isChanged(by contactCount: Int) -> Bool { watch != nil && isTouched != (contactCount > 0) }

    /// Notes that the panel has become touched or untouched.
    mutating func toggle(at time: Timestamp) {
        isTouched.toggle()
        if let watch { changes += watch.setTouched(isTouched, at: time) }
    }

    /// Begins what is due up to `time`.
    mutating func advance(to time: Timestamp) {
        if let watch { changes += watch.advance(to: time) }
    }
}
