// SPDX-License-Identifier: MIT
package import GestureConfiguration
package import GestureEngine
package import GestureProtocol

/// Measures how long no panel has been touched, and reports when each `[[idle]]` begins and ends.
///
/// All panels share one instance, because a scene applies to all of them. It has no clock: callers pass the time.
package final class IdleWatch {
    /// The reason why an idle time has ended.
    package enum EndReason: String, Hashable, Sendable {
        /// A contact has landed.
        case touch
        /// A client has said that somebody is there.
        case activity
        /// The scene has changed to one in which the idle time does not apply.
        case scene
        /// The configuration changed or removed the idle time.
        case reload
    }

    /// The start or end of an idle time.
    package struct Change: Hashable, Sendable {
        package var name: String
        /// The reason for the end; `nil` at the start.
        package var end: EndReason?
        /// The time since a panel was last touched.
        package var length: Interval
        package var time: Timestamp
    }

    private struct Entry {
        let rule: IdleRule
        /// The time from which `rule.after` is measured.
        var start: Timestamp
        var isIdle = false
        /// The scene to which the idle time has switched, until a client switches to another one.
        var scene: String?

        var deadline: Timestamp { start + rule.after }
    }

    private var entries: [Entry] = []
    private var touchedPanels = 0
    /// The time of the last landing, lift or other activity, or at first that of the first rules.
    private var lastActivity: Timestamp?
    /// The state at the last full ten seconds of the clock. `status` shows this one, so that nobody reads the rhythm of a
    /// code in it.
    private var shown: (step: Int64, lastActivity: Timestamp?, isTouched: Bool) = (0, nil, false)
    /// The number of times that a touch or other activity has ended idle times, and that of touches that woke the
    /// display.
    private var (sessions, wakes): (Int64, Int64) = (0, 0)
    /// The scene that an idle time has chosen; `nil` while the one from clients or the files is active. The touch that
    /// ends an idle time still belongs to the scene of the idle time, which ends only when all contacts have lifted.
    package private(set) var scene: String?

    package init() {}

    /// The names of idle times that have begun and not ended.
    package var names: [String] { entries.filter { $0.isIdle }.map { $0.rule.id } }

    var hasRules: Bool { !entries.isEmpty }

    /// The time at which `advance(to:)` must next be called; `nil` while nothing is pending.
    package var nextDeadline: Timestamp? {
        guard touchedPanels == 0, hasRules else { return nil }
        return entries.lazy.filter { !$0.isIdle }.map { $0.deadline }.min()
    }

    /// Sets the rules of a configuration and the scene that clients or the files have chosen.
    ///
    /// - Parameters:
    ///   - reason: with `reload`, unchanged rules continue to measure their time. With `scene`, only rules that are idle
    ///     do, because a scene that a client has just chosen must not be replaced at once.
    ///   - isReturn: whether the time of the previous scene has ended. If so, no client has just chosen the new one, and
    ///     unchanged rules continue as with `reload`.
    package func apply(
        _ rules: [IdleRule], in scene: String, _ reason: EndReason, at time: Timestamp, isReturn: Bool = false
    ) -> [Change] {
        let isChosen = reason == .scene && !isReturn
        if lastActivity == nil {
            lastActivity = time
            shown.lastActivity = time
        }
        var changes = advance(to: time)
        let old = entries
        entries = rules.filter { $0.counts(in: scene) }.map { rule in
            guard var entry = old.first(where: { $0.rule == rule }), !isChosen || entry.isIdle else {
                return Entry(rule: rule, start: time)
            }
            if isChosen { entry.scene = nil }
            return entry
        }
        for entry in old where entry.isIdle && !entries.contains(where: { $0.rule == entry.rule }) {
            changes.append(change(entry, reason, at: time))
        }
        updateScene()
        return changes
    }

    /// Handles the first contact that lands on a panel, or the lift of the last one.
    package func setTouched(_ isTouched: Bool, at time: Timestamp) -> [Change] {
        follow(isTouched, .touch, at: time)
    }

    /// Handles activity that no panel reports, such as that of a motion sensor, as a brief touch.
    package func noteActivity(at time: Timestamp) -> [Change] {
        guard touchedPanels == 0 else { return [] }
        return follow(true, .activity, at: time) + follow(false, .activity, at: time)
    }

    /// Counts a touch that has woken the display.
    func noteWake() { wakes &+= 1 }

    private func follow(_ isTouched: Bool, _ reason: EndReason, at time: Timestamp) -> [Change] {
        var changes = hasRules ? advance(to: time) : []
        updateShown(at: time)
        touchedPanels += isTouched ? 1 : -1
        lastActivity = lastActivity.map { max($0, time) } ?? time
        guard hasRules else { return changes }
        if isTouched, entries.contains(where: \.isIdle) { sessions &+= 1 }
        for i in entries.indices {
            // A frame may be older than the idle time that has begun.
            var start = max(entries[i].start, time)
            if isTouched, entries[i].isIdle {
                start = max(start, entries[i].deadline)
                changes.append(change(entries[i], reason, at: start))
                entries[i].isIdle = false
                entries[i].scene = nil
            }
            entries[i].start = start
        }
        if touchedPanels == 0 { updateScene() }
        return changes
    }

    /// Begins idle times that are due up to `time`, each at its own time.
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

    /// Call this before each change, and before the state is shown.
    private func updateShown(at time: Timestamp) {
        let step = time.microseconds / 10_000_000
        guard step > shown.step else { return }
        shown = (step, lastActivity, touchedPanels > 0)
    }

    /// Chooses the scene of the longest idle time.
    private func updateScene() {
        scene = entries.filter { $0.scene != nil }.max { $0.rule.after < $1.rule.after }?.scene
    }

    private func change(_ entry: Entry, _ end: EndReason?, at time: Timestamp) -> Change {
        Change(name: entry.rule.id, end: end, length: time - entry.start, time: time)
    }
}

extension IdleWatch {
    /// Writes the members of the reply to a `status` request.
    package func writeStatus(at now: Timestamp, into json: inout JSONWriter) {
        updateShown(at: now)
        if hasRules { json.member("idle", names) }
        if let last = shown.lastActivity {
            let second: Int64 = 1_000_000
            let length = now.microseconds / second - last.microseconds / second
            json.member("idle_ms", shown.isTouched ? 0 : max(0, length) * 1000)
        }
        json.member("sessions", sessions)
        json.member("wakes", wakes)
    }
}

extension IdleWatch.Change {
    /// Writes the `idle` line.
    package func encode(into line: inout EventLine) {
        line.start(.idle)
        line.body.member("name", name)
        line.body.member("change", end == nil ? "idle" : "active")
        if let end { line.body.member("reason", end.rawValue) }
        line.body.member("idle_ms", length.wholeMilliseconds)
        line.writeTime(time.microseconds)
    }
}

/// The contribution of one panel to the idle times of all panels.
struct PanelIdleTimes {
    /// Shared with other panels; `nil` if idle times are disabled.
    var watch: IdleWatch?
    private var isTouched = false
    /// Changes whose lines have not been sent.
    var changes: [IdleWatch.Change] = []

    /// The time at which `advance(to:)` must next be called; `nil` while nothing is pending.
    var nextDeadline: Timestamp? { watch?.nextDeadline }

    var hasRules: Bool { watch?.hasRules ?? false }

    /// Whether this number of contacts makes the panel touched or untouched.
    func isChanged(by contactCount: Int) -> Bool { watch != nil && isTouched != (contactCount > 0) }

    /// Records that the panel has become touched or untouched.
    mutating func toggle(at time: Timestamp) {
        isTouched.toggle()
        if let watch { changes += watch.setTouched(isTouched, at: time) }
    }

    /// Records a touch that wakes the display, which gestures do not receive.
    mutating func wake(at time: Timestamp) {
        watch?.noteWake()
        guard !isTouched else { return }
        toggle(at: time)
        toggle(at: time)
    }

    /// Begins idle times that are due up to `time`.
    mutating func advance(to time: Timestamp) {
        if let watch { changes += watch.advance(to: time) }
    }
}
