// SPDX-License-Identifier: MIT
import GestureClient
import GestureProtocol

/// A summary of many explanations: how often each gesture was recognized, and why it failed.
struct ExplanationSummary {
    /// A reason why a gesture failed: a limit that it missed, or the sentence about something else.
    fileprivate struct Reason {
        var count = 1
        var least: GestureClient.Failure
        var most: GestureClient.Failure

        func isSame(as failure: GestureClient.Failure) -> Bool {
            guard FailureCure(failure)?.limit != nil else { return failure.shortText == least.shortText }
            return (failure.code, failure.key) == (least.code, least.key)
        }
    }

    fileprivate struct Row {
        let region: String
        let label: String
        var recognized = 0
        var failed = 0
        var reasons: [Reason] = []
    }

    /// The profile of a recording, if it is known.
    var profile: String?
    private var rows: [Row] = []
    /// The number of touches in regions.
    private(set) var touches = 0
    /// The number of touches outside all regions.
    private(set) var lost = 0
    /// The number of contacts that a filter hides.
    private(set) var ignored = 0

    mutating func add(_ explanation: Explanation) {
        if explanation.role == .none { lost += 1 }
        if explanation.role == .ignored { ignored += 1 }
        if explanation.role == .owner, !explanation.isLate { touches += 1 }
        guard let region = explanation.region else { return }
        for gesture in explanation.recognized {
            rows[row(region, gestureLabel(gesture.kind, gesture.name))].recognized += 1
        }
        for failure in explanation.failed {
            rows[row(region, failure.label)].add(failure)
        }
    }

    /// Returns a line about the touches and a table of the gestures; empty if nothing was touched.
    func text(withLegend: Bool, colors: Colors, in layout: TextLayout) -> String {
        guard touches + lost + ignored > 0 || !rows.isEmpty else { return "" }
        var text = counted(touches, "touch", plural: "touches") + " in regions"
        if let profile { text += " with profile \"\(profile.safe)\"" }
        if lost > 0 { text += ", " + colors.paint("\(lost) in none", .red) }
        if ignored > 0 { text += ", " + colors.paint("\(ignored) ignored by a filter", .red) }
        var table = Table("REGION", "GESTURE", "RECOGNIZED", "FAILED", "WHY")
        for row in rows.sorted(by: { $0.region < $1.region }) {
            let reasons = row.reasons.sorted { $0.count > $1.count }.map(Self.text)
            table.rows.append([
                row.region, row.label, "\(row.recognized)", "\(row.failed)", reasons.first ?? "",
            ])
            table.rows += reasons.dropFirst().map { ["", "", "", "", $0] }
        }
        return text + "\n" + table.text(withLegend: withLegend, colors: colors, in: layout)
    }

    private mutating func row(_ region: String, _ label: String) -> Int {
        if let index = rows.firstIndex(where: { $0.region == region && $0.label == label }) { return index }
        rows.append(Row(region: region, label: label))
        return rows.count - 1
    }

    /// Returns a text such as `4 times: 512 to 613 ms > max_time 500 ms`.
    private static func text(_ reason: Reason) -> String {
        (reason.count > 1 ? "\(reason.count) times: " : "") + reason.least.shortText(upTo: reason.most)
    }
}

extension ExplanationSummary.Row {
    fileprivate mutating func add(_ failure: GestureClient.Failure) {
        failed += 1
        guard let index = reasons.firstIndex(where: { $0.isSame(as: failure) }) else {
            reasons.append(.init(least: failure, most: failure))
            return
        }
        reasons[index].count += 1
        guard let value = failure.value else { return }
        if value < reasons[index].least.value ?? value { reasons[index].least = failure }
        if value > reasons[index].most.value ?? value { reasons[index].most = failure }
    }
}
