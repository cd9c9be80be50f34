// SPDX-License-Identifier: MIT
import GestureProtocol

/// The report of a measurement: a TOML file in which everything but the proposals is a comment.
struct MeasureReport {
    /// How many bars a line has.
    private static let parts = 12

    var gesture: MeasuredGesture
    /// The panel's id.
    var device: String
    /// Of the glass, in millimetres.
    var width: Double
    var height: Double
    var count: Int
    var leftOut: TrackCollector.LeftOut
    /// `min_gap` in milliseconds.
    var minGap: Double
    /// nil: there was nothing to measure.
    var finding: Finding?

    var text: String {
        var lines = [
            "\(gesture.rawValue): \(attempts(count)) on \"\(device.safe)\" (\(shortest(width)) x \(shortest(height)) mm)"
        ]
        if let sentence = leftOutSentence { lines.append(sentence) }
        guard let finding else { return Self.comments(lines) }
        lines += ["", Self.row(["", "min", "p10", "median", "p90", "p95", "max"], bars: "")]
        for measure in finding.measures { lines.append(Self.row(measure)) }
        lines.append("")
        for limit in finding.limits {
            lines.append(
                "\(Table.pad("now \(limit.key) = \(shortest(limit.value)) \(limit.unit)", 30)) refuses "
                    + share(limit.refused, of: finding))
        }
        lines.append(
            "\(Table.pad("now, all limits together", 30)) refuses \(share(finding.refused, of: finding, isWhole: true))"
        )
        lines.append(
            "\(Table.pad("with what follows", 30)) refuses \(share(finding.refusedThen, of: finding, isWhole: true))")
        if count < 10 { lines.append("that is little to go by: ten attempts or more say more") }
        return Self.comments(lines) + "\n" + finding.toml
    }

    /// `2 of 20 (10 %)`; of double taps, both taps count for each limit of one tap.
    private func share(_ number: Int, of finding: Finding, isWhole: Bool = false) -> String {
        let taps = finding.measures.first?.distribution.values.count ?? count
        let all = isWhole ? count : taps
        let percent = all > 0 ? (Double(number) * 100 / Double(all)).rounded() : 0
        return "\(number) of \(all) (\(Int(percent)) %)"
    }

    private func attempts(_ count: Int) -> String { "\(count) attempt\(count == 1 ? "" : "s")" }

    private var leftOutSentence: String? {
        let reasons = [
            (leftOut.severalContacts, "with several contacts"), (leftOut.cancelled, "cancelled (palm, lost events)"),
            (leftOut.bounces, "that bounced (landed within \(shortest(minGap)) ms of a lift)"),
            (leftOut.alone, "without a second tap"),
        ].filter { $0.0 > 0 }
        return reasons.isEmpty ? nil : "left out: " + reasons.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    }

    private static func row(_ measure: Finding.Measure) -> String {
        let distribution = measure.distribution
        let numbers = [
            distribution.minimum, distribution.quantile(0.1), distribution.median, distribution.quantile(0.9),
            distribution.quantile(0.95), distribution.maximum,
        ]
        return row(
            ["\(Table.pad(measure.name, 9)) \(measure.unit)"] + numbers.map { fixed($0, measure.decimals) },
            bars: distribution.bars(parts: parts))
    }

    private static func row(_ cells: [String], bars: String) -> String {
        var line = Table.pad(cells.first ?? "", 15)
        for cell in cells.dropFirst() { line += String(repeating: " ", count: max(1, 8 - cell.count)) + cell }
        return bars.isEmpty ? line : line + "  " + bars
    }

    /// With so many digits after the point: 0 or 1.
    static func fixed(_ value: Double, _ decimals: Int) -> String {
        let text = shortest(decimals == 0 ? value.rounded() : value)
        return decimals == 0 || text.contains(".") ? text : text + ".0"
    }

    private static func comments(_ lines: [String]) -> String {
        lines.map { line in
            var line = "# " + line
            while line.last == " " { line.removeLast() }
            return line + "\n"
        }.joined()
    }
}

extension MeasureReport {
    /// One line of JSON, with every number that was measured.
    var json: String {
        var object = JSONObject()
        object.add("measure", gesture.rawValue)
        object.add("device", device)
        object.add("width_mm", tenths: width)
        object.add("height_mm", tenths: height)
        object.add("attempts", Int64(count))
        object.add("left_out", leftOutObject)
        if let finding { Self.add(finding, to: &object) }
        return object.text + "\n"
    }

    private var leftOutObject: JSONObject {
        var object = JSONObject()
        object.add("several_contacts", Int64(leftOut.severalContacts))
        object.add("cancelled", Int64(leftOut.cancelled))
        object.add("bounces", Int64(leftOut.bounces))
        object.add("alone", Int64(leftOut.alone))
        return object
    }

    private static func add(_ finding: Finding, to object: inout JSONObject) {
        object.add("measures", finding.measures.map(measureObject))
        let limits = finding.limits.map { limit in
            var object = JSONObject()
            object.add("key", limit.key)
            object.add("limit", tenths: limit.value)
            object.add("unit", limit.unit)
            object.add("refused", Int64(limit.refused))
            return object
        }
        object.add("limits", limits)
        object.add("refused", Int64(finding.refused))
        object.add("refused_then", Int64(finding.refusedThen))
        object.add("suggestion", finding.toml)
    }

    private static func measureObject(_ measure: Finding.Measure) -> JSONObject {
        let distribution = measure.distribution
        var object = JSONObject()
        object.add("name", measure.name)
        object.add("unit", measure.unit)
        object.add("min", tenths: distribution.minimum)
        object.add("p10", tenths: distribution.quantile(0.1))
        object.add("median", tenths: distribution.median)
        object.add("p90", tenths: distribution.quantile(0.9))
        object.add("p95", tenths: distribution.quantile(0.95))
        object.add("max", tenths: distribution.maximum)
        object.add("values", tenths: distribution.values)
        return object
    }
}
