// SPDX-License-Identifier: MIT
import Foundation

/// Reads tables of test cases in `Tests/Cases`, which have one row for each case.
///
/// Columns are separated by ` | `. Indented lines continue the row above, and lines that begin with `#` are comments.
package enum CaseTable {
    /// The rows of a file that have this many columns; empty if the file cannot be read. Tests that count the cases
    /// then fail.
    package static func rows(_ name: String, columns: Int) -> [[String]] {
        guard let text = try? String(contentsOfFile: BuildProducts.root + "/Tests/Cases/" + name, encoding: .utf8)
        else { return [] }
        var rows: [String] = []
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            if line.hasPrefix(" "), let last = rows.indices.last {
                rows[last] += " " + line.drop { $0 == " " }
            } else {
                rows.append(String(line))
            }
        }
        return rows.map { $0.components(separatedBy: " | ") }.filter { $0.count == columns }
    }

    /// The parts of a column; empty if the column is `-`.
    package static func list(_ column: String, separator: String = ", ") -> [String] {
        column == "-" ? [] : column.components(separatedBy: separator)
    }
}
