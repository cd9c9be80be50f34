// SPDX-License-Identifier: MIT
import GestureClient
import GestureProtocol

/// Explains the daemon's lines in the form that the user chose: as paragraphs and a summary, or as lines of JSON.
struct ExplanationOutput {
    /// The gestures to explain.
    let filter: EventFilter
    let table: TableOptions
    let isJSON: Bool
    /// The number of touches after which nothing more is shown.
    let limit: Int
    /// Formats the time of a line.
    let time: (Int64) -> String
    var collector = ExplanationCollector()
    /// Returns a search that replays touches; `nil`: they were not recorded, so remedies are derived from
    /// measured values.
    var search: (Explanation) -> CureSearch? = { _ in nil }
    private(set) var summary = ExplanationSummary()
    private var colors: Colors { table.colors.colors }

    var isFull: Bool { summary.touches + summary.lost + summary.ignored >= limit }

    /// Handles one line.
    mutating func take(_ event: JSONValue) { show(collector.take(event)) }

    /// - Parameter now: the time; `.max`: no more lines will come.
    mutating func advance(to now: Int64) { show(collector.advance(to: now)) }

    private mutating func show(_ explanations: [Explanation]) {
        for explanation in explanations where !isFull {
            guard var explanation = filter.apply(explanation) else { continue }
            addRemedies(to: &explanation)
            summary.add(explanation)
            StandardOutput.write(isJSON ? explanation.line : Array(text(explanation).utf8))
        }
    }

    private func addRemedies(to explanation: inout Explanation) {
        let misses = explanation.failed.filter { FailureCure($0)?.mayHelp == true }
        guard !misses.isEmpty else { return }
        let search = search(explanation)
        for failure in misses {
            if let search {
                explanation.remedies[failure] = search.remedy(
                    for: failure, from: explanation.time, to: explanation.lastTime)
            } else if let cure = FailureCure(failure), let need = cure.measured, let limit = cure.limit {
                explanation.remedies[failure] = .measured(need, limit.side)
            }
        }
    }

    /// Prints the summary, except as JSON.
    func end() {
        let text = isJSON ? "" : summary.text(withLegend: !table.noLegend, colors: colors)
        if !text.isEmpty { StandardOutput.write("\n" + text) }
    }
}

/// The text of an explanation:
///
///     14:03:07.123  carousel  1 finger 923,422 → 511,430, 612 ms
///       + press
///       - swipe "page"  612 ms > max_time 500 ms          needs max_time = "613ms"
///       - long_press    moved 41.2 mm > slop 5 mm         see slop
extension ExplanationOutput {
    private func text(_ explanation: Explanation) -> String {
        let text = colors.paint(time(explanation.time), .dim) + "  " + head(explanation) + "\n"
        var table = Table()
        for gesture in explanation.recognized {
            let more =
                gesture.cancelled.map { "cancelled: \($0)" } ?? (gesture.times > 1 ? "\(gesture.times) times" : "")
            table.rows.append(["  +", gestureLabel(gesture.kind, gesture.name), more])
        }
        // With several contacts a gesture may fail several times for the same reason.
        let failures = explanation.failed.map { ["  -", $0.label, $0.shortText, Self.cure($0, explanation)] }
        for (index, row) in failures.enumerated() where failures.firstIndex(of: row) == index {
            let times = failures.count { $0 == row }
            table.rows.append([row[0], row[1], row[2] + (times > 1 ? ", \(times) times" : ""), row[3]])
        }
        table.colors = [0: { $0 == "  +" ? .green : .red }, 1: { _ in .bold }, 3: { _ in .yellow }]
        return text + table.text(withLegend: false, colors: colors)
    }

    private func head(_ explanation: Explanation) -> String {
        let way = Self.way(explanation.contacts) + Self.receiver(explanation)
        if let filter = explanation.filter {
            return colors.paint("ignored", .red) + "  \(way): see [filter] \(filter)"
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
        if !filter.passes(region: region) { return text + ": owns this touch, but is not selected" }
        if explanation.recognized.isEmpty, explanation.failed.isEmpty { text += ": " + silence(explanation) }
        return text
    }

    private func silence(_ explanation: Explanation) -> String {
        let region = collector.regions.first { $0.device == explanation.device && $0.id == explanation.region }
        if region?.gestures.isEmpty == true { return "it has no gestures, but takes touches from regions below it" }
        return explanation.sequence == nil
            ? "the daemon reported no event for it" : "no events from the selected gestures"
    }

    /// Returns a text such as `1 finger 923,422 → 511,430, 612 ms`.
    private static func way(_ contacts: [Explanation.Contact]) -> String {
        guard let first = contacts.first else { return "" }
        let ways = contacts.prefix(3).map { contact in
            let from = "\(shortest(contact.from.x)),\(shortest(contact.from.y))"
            guard contact.to != contact.from else { return "at \(from)" }
            return "\(from) → \(shortest(contact.to.x)),\(shortest(contact.to.y))"
        }
        var text = "\(counted(contacts.count, "finger")) " + ways.joined(separator: " and ")
        if contacts.count > 3 { text += " …" }
        let lifted = contacts.compactMap(\.lifted).max()
        if let lifted { text += ", \((lifted - first.landed) / 1000) ms" }
        return text
    }

    /// Returns the receivers of contacts of a shared panel: `; forwarded, cancelled after 84 ms: swipe "next"`.
    private static func receiver(_ explanation: Explanation) -> String {
        let texts = explanation.contacts.map { contact in
            contact.receivers.enumerated().compactMap { place, receiver -> String? in
                let isForwarded = receiver.word == "app" || receiver.word == "both"
                guard place > 0 else {
                    // For a contact that was held and then forwarded, only the later receiver is shown.
                    return isForwarded ? "forwarded" : contact.receivers.count > 1 ? nil : "not forwarded"
                }
                let after = "after \((receiver.since - contact.landed) / 1000) ms"
                if isForwarded { return "forwarded \(after)" }
                let cause = explanation.recognized.first { $0.time == receiver.since }
                return "cancelled \(after)" + (cause.map { ": \(gestureLabel($0.kind, $0.name))" } ?? "")
            }.joined(separator: ", ")
        }
        // The contacts of a touch usually have the same receivers, so each text is shown once.
        var different: [String] = []
        for text in texts where !text.isEmpty && !different.contains(text) { different.append(text) }
        return different.isEmpty ? "" : "; " + different.prefix(3).joined(separator: " and ")
    }

    private static func cure(_ failure: GestureClient.Failure, _ explanation: Explanation) -> String {
        switch explanation.remedies[failure] {
        case .verified(let needs, let cancelled):
            return "needs " + needs.map { "\($0.key) = \($0.value)" }.joined(separator: " and ")
                + (cancelled.map { " (then cancelled: \($0))" } ?? "")
        case .measured(let need, let side):
            return "needs \(need.key) = \(need.value) or \(side == .above ? "more" : "less") (not verified)"
        case .nothing: return "changing a single key would not help"
        case nil: break
        }
        guard let cure = FailureCure(failure) else { return "" }
        return switch cure.section {
        case .gesture: "see \(cure.key)"
        case .region: "see \(cure.key) of the region"
        case .filter: "see [filter] \(cure.key)"
        case .arbitration: "see [arbitration] \(cure.key)"
        }
    }
}

extension EventFilter {
    /// Selects the matching parts of an explanation.
    /// - Returns: `nil` if nothing matches. A touch that another region owns is kept, because it explains why
    ///   nothing was recognized.
    func apply(_ explanation: Explanation) -> Explanation? {
        guard let region = explanation.region else { return explanation }
        var rest = explanation
        let isAskedFor = passes(region: region)
        rest.recognized.removeAll { !isAskedFor || !passes(gesture: $0.kind, name: $0.name) }
        rest.failed.removeAll { !isAskedFor || !passes(gesture: $0.kind.rawValue, name: $0.name) }
        let isTold = !rest.recognized.isEmpty || !rest.failed.isEmpty
        return isTold || (explanation.role == .owner && !explanation.isLate) ? rest : nil
    }
}

/// A summary of many explanations: how often each gesture was recognized, and why it failed.
struct ExplanationSummary {
    fileprivate struct Reason {
        var code: String
        var count = 0
        var least: GestureClient.Failure
        var most: GestureClient.Failure
    }

    fileprivate struct Row {
        let region: String
        let label: String
        var recognized = 0
        var failed = 0
        var reasons: [Reason] = []
    }

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
    func text(withLegend: Bool, colors: Colors) -> String {
        guard touches + lost + ignored > 0 || !rows.isEmpty else { return "" }
        var text = counted(touches, "touch", plural: "touches") + " in regions"
        if lost > 0 { text += ", " + colors.paint("\(lost) in none", .red) }
        if ignored > 0 { text += ", " + colors.paint("\(ignored) ignored by a filter", .red) }
        var table = Table("REGION", "GESTURE", "RECOGNIZED", "FAILED", "WHY")
        for row in rows.sorted(by: { $0.region < $1.region }) {
            let reasons = row.reasons.sorted { $0.count > $1.count }.map(Self.text)
            table.rows.append([
                row.region, row.label, "\(row.recognized)", "\(row.failed)", reasons.joined(separator: "; "),
            ])
        }
        return text + "\n" + table.text(withLegend: withLegend, colors: colors)
    }

    private mutating func row(_ region: String, _ label: String) -> Int {
        if let index = rows.firstIndex(where: { $0.region == region && $0.label == label }) { return index }
        rows.append(Row(region: region, label: label))
        return rows.count - 1
    }

    /// Returns a text such as `too_slow 4 times, 512 to 613 ms, limit 500 ms`.
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
        failed += 1
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
