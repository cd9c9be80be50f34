// SPDX-License-Identifier: MIT
import GestureClient

/// A summary of many explanations: how often each gesture was recognized, and why it failed.
struct ExplanationSummary {
    fileprivate struct Key: Hashable {
        var region: String
        var label: String
    }

    fileprivate struct Reason {
        var code: String
        var count = 0
        var least: GestureClient.Failure
        var most: GestureClient.Failure
    }

    fileprivate struct Row {
        var key: Key
        var recognized = 0
        var failed = 0
        var reasons: [Reason] = []
    }

    private var rows: [Row] = []
    /// Touches in regions.
    private(set) var touches = 0
    private(set) var lost = 0

    mutating func add(_ explanation: Explanation) {
        if explanation.role == .none { lost += 1 }
        if explanation.role == .owner, !explanation.isLate { touches += 1 }
        guard let region = explanation.region else { return }
        for gesture in explanation.recognized {
            let index = index(of: Key(region: region, label: gestureLabel(gesture.kind, gesture.name)))
            rows[index].recognized += 1
        }
        for failure in explanation.failed {
            let index = index(of: Key(region: region, label: failure.label))
            rows[index].failed += 1
            rows[index].add(failure)
        }
    }

    /// A line about the touches and a table of the gestures; empty when nothing was touched.
    func text(withLegend: Bool, colors: Colors) -> String {
        guard touches + lost > 0 || !rows.isEmpty else { return "" }
        var text = "\(touches) touch\(touches == 1 ? "" : "es") in regions"
        if lost > 0 { text += ", " + colors.paint("\(lost) in none", .red) }
        var table = Table("REGION", "GESTURE", "RECOGNIZED", "FAILED", "WHY")
        for row in rows.sorted(by: { $0.key.region < $1.key.region }) {
            let reasons = row.reasons.sorted { $0.count > $1.count }.map(Self.text)
            table.rows.append([
                row.key.region, row.key.label, "\(row.recognized)", "\(row.failed)", reasons.joined(separator: "; "),
            ])
        }
        return text + "\n" + table.text(withLegend: withLegend, colors: colors)
    }

    private mutating func index(of key: Key) -> Int {
        if let index = rows.firstIndex(where: { $0.key == key }) { return index }
        rows.append(Row(key: key))
        return rows.count - 1
    }

    /// `too_slow 4 times, 512 to 613 ms, limit 500 ms`
    private static func text(_ reason: Reason) -> String {
        var text = reason.code + (reason.count > 1 ? " \(reason.count) times" : "")
        guard let least = reason.least.value, let most = reason.most.value, let unit = reason.least.unit,
            let limit = reason.least.limit
        else { return text }
        let range = least == most ? shortest(least) : "\(shortest(least)) to \(shortest(most))"
        text += ", \(range) \(unit)"
        if least != limit || most != limit { text += ", limit \(shortest(limit)) \(unit)" }
        return text
    }
}

extension ExplanationSummary.Row {
    fileprivate mutating func add(_ failure: GestureClient.Failure) {
        guard let index = reasons.firstIndex(where: { $0.code == failure.code }) else {
            reasons.append(.init(code: failure.code, count: 1, least: failure, most: failure))
            return
        }
        reasons[index].count += 1
        guard let value = failure.value else { return }
        if value < reasons[index].least.value ?? value { reasons[index].least = failure }
        if value > reasons[index].most.value ?? value { reasons[index].most = failure }
    }
}
