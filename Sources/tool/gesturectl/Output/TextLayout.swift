// SPDX-License-Identifier: MIT
import CLinux
import GestureProtocol
import LinuxSystem

/// The width and the character set of the place where text is written. `StandardOutput.write` and
/// `StandardError.write` lay out all text with it; bytes, such as lines of JSON and files, are written as they are.
struct TextLayout: Hashable {
    /// The number of columns; `nil`: unlimited. Lines for a pipe are not wrapped, so that programs can read them.
    var width: Int?
    /// Whether the characters that the tool itself prints, such as `→`, are replaced with ASCII.
    var isASCII = false
    /// Whether the other characters stay as they are even then. A terminal without UTF-8 cannot show names that are not
    /// ASCII, but a program that reads them passes them on.
    var keepsNames = false

    /// The layout for standard output or standard error.
    static func of(_ descriptor: CInt) -> Self {
        .init(width: width(of: descriptor), isASCII: linux_is_utf8() == 0, keepsNames: isatty(descriptor) == 0)
    }

    /// Returns the layout with another width.
    func with(width: Int?) -> Self { .init(width: width, isASCII: isASCII, keepsNames: keepsNames) }

    /// Returns the value of COLUMNS, or else the width of the terminal. A size of 0, as on a serial console, means 80.
    private static func width(of descriptor: CInt) -> Int? {
        if let chosen = Environment.value("COLUMNS").flatMap({ UInt16($0) }), chosen > 0 { return Int(chosen) }
        var columns: UInt16 = 0
        var rows: UInt16 = 0
        guard linux_terminal_size(descriptor, &columns, &rows) == 0 else { return nil }
        return columns > 0 ? Int(columns) : 80
    }

    /// Wraps each line at words. The lines that are added are indented by two columns more than their first line.
    func text(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            let indent = line.prefix { $0 == " " }.count
            return wrap(String(line), indent: Self.blanks(indent + 2)).joined(separator: "\n")
        }.joined(separator: "\n")
    }

    /// Wraps a line at words. A word that is longer than a line is broken. Sequences for colours take no columns, and
    /// a no-break space is printed as a space.
    /// - Parameter indent: the beginning of all lines except the first one. If it takes more than half of the width, blanks
    ///   replace it.
    func wrap(_ line: String, indent: String = "") -> [String] {
        let line = plain(line)
        guard let width, let paragraph = Paragraph(line, indent: indent, width: width) else {
            return [Self.withoutBonds(line)]
        }
        return paragraph.lines.map(Self.withoutBonds)
    }

    /// Returns the beginning of a text without colours, followed by an ellipsis if the text takes more columns.
    func cut(_ text: String, to columns: Int) -> String {
        let text = Self.withoutBonds(plain(text))
        guard text.columns > columns else { return text }
        let dots = plain("…")
        let mark = dots.columns < columns ? dots : ""
        return Self.prefix(of: text, columns - mark.columns) + mark
    }

    /// Returns the text of a diagnostic. If its line of the file is wider than the terminal, the line and the carets below
    /// are cut to the part around the carets.
    func diagnostic(_ text: String) -> String {
        var lines = text.split(separator: "\n").map { plain(String($0)) }
        guard let width, lines.count == 3 else { return text }
        let margin = String(lines[2].prefix { $0 != "|" }).columns + 2
        let room = width - margin
        guard room >= Self.leastExcerpt else { return lines[0] }
        for index in 1...2 { lines[index] = Self.expandingTabs(lines[index]) }
        let caret = String(lines[2].prefix { $0 != "^" }).columns - margin
        let surplus = lines[1].columns - width
        guard surplus > 0 else { return lines.joined(separator: "\n") }
        let start = max(0, min(caret - room / 3, surplus))
        for index in 1...2 {
            let head = Self.prefix(of: lines[index], margin)
            let body = String(lines[index].dropFirst(head.count))
            let mark = start > 0 && index == 1 ? plain("…") : ""
            let rest = body.unicodeScalars.dropFirst(Self.prefix(of: body, start + mark.columns).unicodeScalars.count)
            let part = mark + String(String.UnicodeScalarView(rest))
            lines[index] = head + (index == 1 ? cut(part, to: room) : Self.prefix(of: part, room))
        }
        return lines.joined(separator: "\n")
    }

    /// The least number of columns in which a part of a line of a file is shown.
    private static let leastExcerpt = 10

    /// Returns a line with blanks in place of tabs, as a terminal shows it.
    private static func expandingTabs(_ line: String) -> String {
        var result = ""
        for scalar in line.unicodeScalars {
            result += scalar == "\t" ? blanks(8 - result.columns % 8) : String(scalar)
        }
        return result
    }

    /// Returns the longest beginning of a text without colours that takes at most this number of columns.
    static func prefix(of text: String, _ columns: Int) -> String {
        var rest = columns
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            rest -= scalar.columns
            if rest < 0 { break }
            result.append(scalar)
        }
        return String(result)
    }

    /// Returns the text in ASCII if the locale has no UTF-8. Characters without a counterpart become `?`, unless names
    /// are kept.
    func plain(_ text: String) -> String {
        guard isASCII, !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
        return text.unicodeScalars.map { $0.isASCII ? String($0) : counterpart(of: $0) }.joined()
    }

    static func blanks(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }

    private static func withoutBonds(_ text: String) -> String { text.replacing("\u{A0}", with: " ") }

    /// The counterparts in ASCII of the characters that the tool prints.
    private static let counterparts: [Unicode.Scalar: String] = [
        "…": "...", "→": "->", "°": " deg", "\u{A0}": "\u{A0}", "–": "-", "—": "--", "×": "x", "•": "*", "✓": "+",
        "≤": "<=", "≥": ">=", "“": "\"", "”": "\"", "‘": "'", "’": "'", "├": "|", "└": "`", "│": "|", "─": "-",
        "▁": "_", "▂": ".", "▃": ":", "▄": "-", "▅": "=", "▆": "+", "▇": "*", "█": "#",
    ]

    /// Returns for a braille pattern a character that shows in which half of the cell its dots are. Unless names are kept,
    /// returns `?` for another character without a counterpart, and nothing for a combining mark.
    private func counterpart(of scalar: Unicode.Scalar) -> String {
        if let counterpart = Self.counterparts[scalar] { return counterpart }
        guard (0x2800...0x28FF).contains(scalar.value) else {
            return keepsNames ? String(scalar) : scalar.columns == 0 ? "" : "?"
        }
        let (isUpper, isLower) = (scalar.value & 0x1B != 0, scalar.value & 0xE4 != 0)
        return isUpper ? isLower ? ":" : "'" : isLower ? "." : " "
    }
}

/// A line that is longer than the width, broken into lines.
private struct Paragraph {
    private struct Unit {
        var text: String
        var columns: Int
        var isSequence: Bool
    }

    private let width: Int
    /// The most blanks at the beginning of a line, which leave room for a wide character.
    private let blanks: Int
    private let indent: String
    private(set) var lines: [String] = []
    private var line = ""
    private var column = 0
    /// The column at which the text of the line starts.
    private var start = 0
    private var isEmpty = true
    /// The number of blanks before the next word.
    private var gap = 0
    private var word: [Unit] = []

    /// - Returns: `nil` if the line fits into the width.
    init?(_ text: String, indent: String, width: Int) {
        let units = Self.units(text)
        guard units.reduce(0, { $0 + $1.columns }) > width else { return nil }
        self.width = width
        blanks = max(0, min(width / 2, width - 2))
        self.indent = indent.columns > blanks ? TextLayout.blanks(blanks) : indent
        for unit in units {
            if unit.text == " " {
                place()
                gap += 1
            } else if unit.isSequence, word.isEmpty {
                // A colour is kept even if the blanks around it are dropped at the end of a line.
                line += unit.text
            } else {
                word.append(unit)
            }
        }
        place()
        lines.append(line)
    }

    private mutating func place() {
        guard !word.isEmpty else { return }
        if !isEmpty, column + gap + word.reduce(0, { $0 + $1.columns }) > width {
            breakLine()
        } else {
            let gap = isEmpty ? min(gap, blanks) : gap
            line += TextLayout.blanks(gap)
            column += gap
            if isEmpty { start = column }
        }
        for unit in word {
            if column + unit.columns > width, column > start { breakLine() }
            line += unit.text
            column += unit.columns
        }
        (isEmpty, gap, word) = (false, 0, [])
    }

    private mutating func breakLine() {
        lines.append(line)
        line = indent
        column = indent.columns
        start = column
        isEmpty = true
    }

    /// Returns the characters of a text with their combining marks. The sequence for a colour is one unit without columns.
    private static func units(_ text: String) -> [Unit] {
        var units: [Unit] = []
        var isInSequence = false
        for scalar in text.unicodeScalars {
            let isStart = scalar == "\u{1B}"
            let columns = isStart || isInSequence ? 0 : scalar.columns
            let isMark = columns == 0 && !isStart && units.last?.isSequence == false
            if let last = units.indices.last, isInSequence || isMark {
                units[last].text.unicodeScalars.append(scalar)
            } else {
                units.append(Unit(text: String(scalar), columns: columns, isSequence: isStart))
            }
            // `m` is the last character of a sequence for a colour.
            isInSequence = isStart || isInSequence && scalar != "m"
        }
        return units
    }
}
