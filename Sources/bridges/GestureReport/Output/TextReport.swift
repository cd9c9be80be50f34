// SPDX-License-Identifier: MIT
import GestureProtocol

/// The report as text for a terminal.
extension ReportOutput {
    var text: String {
        var lines = ["Report on \(period)", ""]
        guard !data.regions.isEmpty || data.sessions > 0 else {
            return (lines + ["Nothing was counted in these days.", ""]).joined(separator: "\n")
        }
        for (name, text) in sums {
            let rows = Self.wrapped(text, indent: String(repeating: " ", count: 15))
            lines.append(Self.padded(name, 15) + rows[0].dropFirst(15))
            lines += rows.dropFirst()
        }
        lines += adviceLines
        lines += table(
            ["Region", "touches", "failed", "twice", "gestures"],
            data.regions.map { region in
                let gestures = region.gestures.map { "\($0.name) \($0.count)" }.joined(separator: ", ")
                return [
                    region.name, "\(region.use.touches)", "\(region.use.failed)", "\(region.use.twice)", gestures,
                ]
            })
        if data.scenes.count > 1 {
            lines += table(["Scene", "time"], data.scenes.map { [$0.name, Self.time($0.count)] })
        }
        return lines.map { SafeText.terminal($0) }.joined(separator: "\n") + "\n"
    }

    private var adviceLines: [String] {
        guard !advice.isEmpty || !nearMisses.isEmpty else { return [] }
        var lines = ["", "What to change"] + Self.wrapped(Self.adviceNote, indent: "") + [""]
        for (index, entry) in advice.enumerated() {
            lines.append("\(index + 1). \(entry.region.name)")
            lines += Self.sentences(entry).flatMap { Self.wrapped($0, indent: "   ") }
        }
        for (index, miss) in nearMisses.enumerated() {
            lines.append("\(advice.count + index + 1). \(miss.region)")
            lines += Self.wrapped(Self.sentence(miss), indent: "   ")
        }
        return lines
    }

    /// A table whose first and last columns are aligned to the left, and the others to the right.
    private func table(_ head: [String], _ rows: [[String]]) -> [String] {
        let all = [head] + rows
        let widths = head.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
        return [""]
            + all.map { row in
                var line = ""
                for column in head.indices {
                    let text = row[column]
                    if column == 0 {
                        line += Self.padded(text, widths[column])
                    } else if column == head.count - 1, head.count > 2 {
                        line += "  " + text
                    } else {
                        line += String(repeating: " ", count: 2 + widths[column] - text.count) + text
                    }
                }
                return String(line.reversed().drop { $0 == " " }.reversed())
            }
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    private static func wrapped(_ text: String, indent: String) -> [String] {
        var lines: [String] = []
        var line = indent
        for word in text.split(separator: " ") {
            if line.count + word.count + 1 > 79, line != indent {
                lines.append(line)
                line = indent
            }
            line += (line == indent ? "" : " ") + word
        }
        return lines + [line]
    }
}
