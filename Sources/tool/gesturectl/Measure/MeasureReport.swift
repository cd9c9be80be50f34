// SPDX-License-Identifier: MIT
import GestureEngine
import GesturePipeline
import GestureProtocol

/// The report of a measurement: a TOML file in which everything but the proposals is a comment.
struct MeasureReport {
    /// The number of bars in a line.
    private static let parts = 12
    /// The widths of the columns for names and numbers.
    private static let nameWidth = 15
    private static let numberWidth = 8

    /// The columns of a distribution: their names, which are also JSON keys, and their quantiles.
    private static let quantiles: [(name: StaticString, fraction: Double)] = [
        ("min", 0), ("p10", 0.1), ("median", 0.5), ("p90", 0.9), ("p95", 0.95), ("max", 1),
    ]

    var gesture: MeasuredGesture
    var panel: PanelSetup
    var count: Int
    var leftOut: TrackCollector.LeftOut
    /// A readable list of the touches that were left out; `nil` if there were none.
    var leftOutText: String?
    /// The results; `nil` if there was nothing to measure.
    var finding: Finding?
    /// `nil`: the panel loses no contacts.
    var advice: FlickerAdvice?

    /// The least width of the report. Each line of a comment needs the number sign and some words.
    private static let leastWidth = 20

    /// Returns the report, which stays a TOML file in every layout.
    func text(in layout: TextLayout = TextLayout()) -> String {
        let layout = layout.with(width: layout.width.map { max($0, Self.leastWidth) })
        let text = findingText(width: layout.width) + (advice?.toml ?? "")
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
            line.hasPrefix("#") ? layout.wrap(String(line), indent: "# ") : [String(line)]
        }
        return lines.joined(separator: "\n")
    }

    private func findingText(width: Int?) -> String {
        var lines = [
            "\(gesture.rawValue): \(counted(count, "attempt")) on \"\(panel.device.safe)\" "
                + "(\(shortest(panel.size.widthMillimeters)) x \(shortest(panel.size.heightMillimeters)) mm)"
        ]
        if let leftOutText { lines.append(leftOutText) }
        guard let finding else { return Self.comments(lines) }
        lines += [""] + Self.rows(finding.measures, width: (width ?? .max) - 2) + [""]
        // In a double tap, each of the two taps is compared with the limits of a tap.
        let tracks = finding.measures.first?.distribution.values.count ?? count
        for limit in finding.limits {
            let name = "now \(limit.key) = \(shortest(limit.value)) \(limit.unit)"
            lines.append("\(Table.pad(name, 30)) rejected: \(Self.percentage(limit.refused, of: tracks))")
        }
        for (name, refused) in [
            ("now, with all limits", finding.refused), ("with the proposals", finding.refusedThen),
        ] {
            lines.append("\(Table.pad(name, 30)) rejected: \(Self.percentage(refused, of: count))")
        }
        if count < 10 { lines.append("too few attempts for reliable proposals: make at least ten") }
        return Self.comments(lines) + "\n" + finding.toml(width: width)
    }

    /// Returns a text such as `2 of 20 (10 %)`.
    private static func percentage(_ number: Int, of all: Int) -> String {
        let percent = all > 0 ? (Double(number) * 100 / Double(all)).rounded() : 0
        return "\(number) of \(all) (\(Int(percent)) %)"
    }

    /// Returns the table of distributions. If it is wider than `width`, it has no bars, or also fewer quantiles.
    private static func rows(_ measures: [Finding.Measure], width: Int) -> [String] {
        let isNarrow = width < nameWidth + quantiles.count * numberWidth
        let hasBars = width >= nameWidth + quantiles.count * numberWidth + 2 + parts
        let quantiles = quantiles.filter { !isNarrow || ["min", "median", "max"].contains("\($0.name)") }
        let legend = row([""] + quantiles.map { "\($0.name)" }, bars: "")
        return [legend]
            + measures.map { measure in
                let numbers = quantiles.map { fixed(measure.distribution.quantile($0.fraction), measure.decimals) }
                return row(
                    ["\(Table.pad(measure.name, 9)) \(measure.unit)"] + numbers,
                    bars: hasBars ? measure.distribution.bars(parts: parts) : "")
            }
    }

    private static func row(_ cells: [String], bars: String) -> String {
        var line = Table.pad(cells.first ?? "", nameWidth)
        for cell in cells.dropFirst() { line += TextLayout.blanks(max(1, numberWidth - cell.count)) + cell }
        return bars.isEmpty ? line : line + "  " + bars
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
    /// One line of JSON with every measured number.
    var line: [UInt8] {
        JSONWriter.line { json in
            json.member("measure", gesture.rawValue)
            json.member("device", panel.device)
            json.member("width_mm", tenths: panel.size.widthMillimeters)
            json.member("height_mm", tenths: panel.size.heightMillimeters)
            json.member("attempts", count)
            json.object("left_out") { json in
                json.member("several_contacts", leftOut.severalContacts)
                json.member("cancelled", leftOut.cancelled)
                json.member("bounces", leftOut.bounces)
                json.member("alone", leftOut.alone)
                json.member("near", leftOut.near)
                json.member("far", leftOut.far)
                json.member("short", leftOut.short)
                json.member("long", leftOut.long)
            }
            if let advice { json.member("flickers", advice.flickers) }
            if let finding { Self.write(finding, into: &json) }
            let suggestion = (finding?.toml ?? "") + (advice?.toml ?? "")
            if !suggestion.isEmpty { json.member("suggestion", suggestion) }
        }
    }

    private static func write(_ finding: Finding, into json: inout JSONWriter) {
        json.objects("measures", finding.measures) { measure, json in
            json.member("name", measure.name)
            json.member("unit", measure.unit)
            for (name, fraction) in quantiles { json.member(name, tenths: measure.distribution.quantile(fraction)) }
            json.array("values") { json in for value in measure.distribution.values { json.value(tenths: value) } }
        }
        json.objects("limits", finding.limits) { limit, json in
            json.member("key", limit.key)
            json.member("limit", tenths: limit.value)
            json.member("unit", limit.unit)
            json.member("refused", limit.refused)
        }
        json.member("refused", finding.refused)
        json.member("refused_then", finding.refusedThen)
    }
}
