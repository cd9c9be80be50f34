// SPDX-License-Identifier: MIT
import ContactTracking
import GestureClient
import GestureConfiguration
import GestureEngine
import GesturePipeline
import GestureProtocol
import TouchSharing

/// The text of an explanation:
///
///     14:03:07.123  carousel  1 finger 923,422 → 511,430, 612 ms
///       + press
///       - swipe "page"  612 ms > max_time 500 ms          needs max_time = "613ms"
///       - long_press    moved 41.2 mm > slop 5 mm         see slop
extension ExplanationOutput {
    func text(_ explanation: Explanation) -> String {
        let text = colors.paint(time(explanation.time), .dim) + "  " + head(explanation) + "\n"
        var table = Table()
        for gesture in explanation.recognized {
            let more = explanation.cancel(of: gesture) ?? gesture.more
            table.rows.append(["  +", gestureLabel(gesture.kind, gesture.name), more])
        }
        // With several contacts a gesture may fail several times for the same reason.
        let failures = explanation.failed.map {
            ["  -", $0.label, $0.shortText, cure($0, explanation)]
        }
        for (index, row) in failures.enumerated() where failures.firstIndex(of: row) == index {
            let times = failures.count { $0 == row }
            table.rows.append([row[0], row[1], row[2] + (times > 1 ? ", \(times) times" : ""), row[3]])
        }
        table.colors = [0: { $0 == "  +" ? .green : .red }, 1: { _ in .bold }, 3: { _ in .yellow }]
        return text + fitted(table, to: StandardOutput.layout)
    }

    /// Returns the lines of the gestures. If they are too long, the cures are below the reasons.
    private func fitted(_ table: Table, to layout: TextLayout) -> String {
        let wide = table.text(withLegend: false, colors: Colors(isOn: false))
        guard let width = layout.width, wide.split(separator: "\n").contains(where: { String($0).columns > width })
        else {
            return table.text(withLegend: false, colors: colors, in: layout)
        }
        var narrow = table
        narrow.rows = table.rows.flatMap { row in
            row.count > 3 && !row[3].isEmpty ? [Array(row.prefix(3)), ["", "", row[3]]] : [Array(row.prefix(3))]
        }
        let cures = Set(table.rows.compactMap { $0.count > 3 ? $0[3] : nil })
        narrow.colors[2] = { cures.contains($0) ? .yellow : nil }
        return narrow.text(withLegend: false, colors: colors, in: layout)
    }

    private func head(_ explanation: Explanation) -> String {
        let way = Self.way(explanation.contacts) + receiver(explanation)
        if let filter = explanation.filter {
            let cause = wakeText(explanation) ?? "see \(Explanation.place(ofFilter: filter))"
            return colors.paint("ignored", .red) + "  \(way): \(cause)"
        }
        guard let region = explanation.region else {
            return colors.paint("no region", .red)
                + "  \(way): no region is there; see gesturectl regions"
        }
        var text = colors.paint(region, .bold)
        if explanation.isLate {
            text += "  later in sequence \(explanation.sequence ?? 0)"
        } else if let owner = explanation.owner {
            text += "  lies under \(owner), which owns the touch"
        } else if !way.isEmpty, explanation.role != .onlooker {
            text += "  " + way
        } else {
            text += "  sees the touch"
        }
        let remark = CoverRemark(explanation, collector.regions, { setup($0)?.regions ?? [] }, filter)?.text
        if let remark { return text + "\n     " + remark }
        if !filter.passes(region: region) { return text + ": owns this touch, but is not selected" }
        if explanation.recognized.isEmpty, explanation.failed.isEmpty { text += ": " + silence(explanation) }
        return text
    }

    private func silence(_ explanation: Explanation) -> String {
        let region = collector.regions.first { $0.device == explanation.device && $0.id == explanation.region }
        if region?.gestures.isEmpty == true { return "it has no gestures" }
        if region?.gestures.contains(where: { filter.passes(gesture: $0.kind.rawValue, name: $0.name) }) == false {
            return "it has none of the selected gestures"
        }
        return explanation.sequence == nil
            ? "the daemon reported no event for it" : "no events from the selected gestures"
    }

    /// Returns a text such as `1 finger 923,422 → 511,430, 612 ms`.
    private static func way(_ contacts: [Explanation.Contact]) -> String {
        guard let first = contacts.first else { return "" }
        let ways = contacts.prefix(3).map { contact in
            let from = "\(shortest(contact.from.x)),\(shortest(contact.from.y))"
            guard contact.to != contact.from || contact.path.isDetour else { return "at \(from)" }
            return "\(from) → \(shortest(contact.to.x)),\(shortest(contact.to.y))" + detour(contact.path)
        }
        var text = "\(counted(contacts.count, "finger")) " + ways.joined(separator: " and ")
        if contacts.count > 3 { text += " …" }
        let lifted = contacts.compactMap(\.lifted).max()
        if let lifted { text += ", \((lifted - first.landed) / 1000)\u{A0}ms" }
        return text
    }

    /// Returns a text such as ` (84 mm long, farthest at 60,90)`; empty if the ends of the path describe it.
    private static func detour(_ path: ContactPath) -> String {
        guard path.isDetour else { return "" }
        let farthest = path.isBack ? ", farthest at \(shortest(path.farthest.x)),\(shortest(path.farthest.y))" : ""
        return " (\(shortest(path.length))\u{A0}mm long\(farthest))"
    }

    /// Returns the receivers of contacts of a shared panel: `; forwarded, cancelled after 84 ms: swipe "next"`, or
    /// `; not forwarded, see max_contacts of the application`.
    private func receiver(_ explanation: Explanation) -> String {
        let texts = explanation.contacts.map { contact in
            contact.receivers.enumerated()
                .compactMap { receiver($1, isFirst: $0 == 0, of: contact, explanation) }
                .joined(separator: ", ")
        }
        // The contacts of a touch usually have the same receivers, so each text is shown once.
        var different: [String] = []
        for text in texts where !text.isEmpty && !different.contains(text) { different.append(text) }
        return different.isEmpty ? "" : "; " + different.prefix(3).joined(separator: " and ")
    }

    /// - Returns: `nil` for a contact that was held and then forwarded: only the later receiver is shown.
    private func receiver(
        _ receiver: Explanation.Receiver, isFirst: Bool, of contact: Explanation.Contact, _ explanation: Explanation
    ) -> String? {
        let isForwarded = receiver.word == "app" || receiver.word == "both"
        // The filter of an ignored contact is named anyway.
        let rule = explanation.filter == nil ? receiver.kept.map { "see \($0) of the application" } : nil
        if isFirst {
            if isForwarded { return "forwarded" }
            if contact.receivers.count > 1 { return nil }
            return "not forwarded" + (bounce(contact, explanation) ?? rule.map { ", " + $0 } ?? "")
        }
        let after = "after \((receiver.since - contact.landed) / 1000) ms"
        if isForwarded { return "forwarded \(after)" }
        let gesture = explanation.recognized.first { $0.time == receiver.since }
        let cause = rule ?? gesture.map { gestureLabel($0.kind, $0.name) }
        return "cancelled \(after)" + (cause.map { ": " + $0 } ?? "")
    }

    /// Returns a text such as `: landed 31 ms after a lift 2.1 mm away, min_gap of the application is 60 ms`; `nil` if the
    /// contact is not known to have landed soon after a lift.
    private func bounce(_ contact: Explanation.Contact, _ explanation: Explanation) -> String? {
        guard let lift = contact.lifts.first else { return nil }
        let gap = setup(explanation)?.application.minGap?.microseconds
        let cure = gap.map { ", min_gap of the application is \($0 / 1000) ms" } ?? ", see min_gap of the application"
        return ": landed \(lift.time / 1000) ms after a lift \(shortest(lift.length)) mm away" + cure
    }

    /// Returns why a contact was taken for a touch that wakes the display; `nil` if that is not known.
    private func wakeText(_ explanation: Explanation) -> String? {
        guard let wake = explanation.wake else { return nil }
        guard wake.time == explanation.time else {
            return "the touch that woke the display was not over, see guard of wake in [[device]]"
        }
        let place = ", see wake in [[device]]"
        guard wake.reason == WakeGuard.Reason.display.rawValue else {
            return (wake.scene.map { "scene \"\($0)\" is dark" } ?? "the scene is dark") + place
        }
        let file = setup(explanation)?.wake?.display.map { " according to \($0.safe)" } ?? ""
        return "the display was off" + file + place
    }

    /// Returns a text such as `slop = "6mm"`, and the place if `defaults` would have no effect.
    private func text(_ need: Remedy.Need, of failure: GestureClient.Failure, _ explanation: Explanation) -> String {
        let text = "\(need.key) = \(need.value)"
        guard let layout = setup(explanation)?.layout,
            let index = layout.regions.regionIndices.first(where: { layout.regions[$0].id.safe == failure.region }),
            let gesture = layout.regions[index].gestures.firstIndex(where: { $0.name.safe == failure.name }),
            layout.profileSets(need.key, of: gesture, in: index)
        else { return text }
        return text + " in the profile"
    }

    /// Returns the text about the settings that a gesture needed. It has no values if they are far from the limits, or if the
    /// gesture was probably not intended.
    private func cure(_ failure: GestureClient.Failure, _ explanation: Explanation) -> String {
        switch explanation.remedies[failure] {
        case .verified where explanation.wasOther(than: failure), .measured where explanation.wasOther(than: failure):
            break
        case .verified(let needs, _) where needs.contains(where: \.isFar):
            return "see " + needs.map(\.key).joined(separator: " and ")
        case .verified(let needs, let cancelled):
            return "needs " + needs.map { text($0, of: failure, explanation) }.joined(separator: " and ")
                + (cancelled.map { " (then cancelled: \(explanation.cause(ofLater: $0)))" } ?? "")
        case .measured(let need, let side):
            return "needs \(text(need, of: failure, explanation)) or \(side == .above ? "more" : "less") (not verified)"
        case .nothing: return "changing a single key would not help"
        case nil: break
        }
        guard let cure = FailureCure(failure) else { return "" }
        return switch cure.section {
        case .gesture where failure.mayBeTemplate && !explanation.wasOther(than: failure):
            "draw it for another template: gesturectl record --stroke \(failure.name.safe)"
        case .gesture where failure.isFar: ""
        case .gesture: "see \(cure.key)"
        case .region: "see \(cure.key) of the region"
        case .filter: "see [filter] \(cure.key)"
        case .arbitration: "see [arbitration] \(cure.key)"
        }
    }
}

extension Explanation.Recognized {
    /// The number of repetitions, or the score.
    fileprivate var more: String {
        if times > 1 { return "\(times) times" }
        return score.map { "score \(fixed($0, 2))" } ?? ""
    }
}
