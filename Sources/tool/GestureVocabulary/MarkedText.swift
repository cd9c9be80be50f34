// SPDX-License-Identifier: MIT

/// A generated part of a file that is otherwise written by hand. It lies between two lines with the marks
/// `vocabulary: NAME` and `vocabulary: end`, which are comments in the language of the file.
struct MarkedSection: Sendable {
    let name: String
    /// Returns the lines between the marks.
    let make: @Sendable (_ committed: [String]) throws -> [String]

    /// - Parameter lines: the lines between the marks.
    init(_ name: String, _ lines: @autoclosure @escaping @Sendable () -> [String]) {
        self.name = name
        make = { _ in lines() }
    }

    /// A section that depends on the lines that are committed: what they list keeps its place.
    init(_ name: String, keeping make: @escaping @Sendable (_ committed: [String]) throws -> [String]) {
        self.name = name
        self.make = make
    }
}

struct MarkedText {
    private static let mark = "vocabulary: "
    private static let end = "end"

    private let path: String
    private let lines: [String]

    init(_ path: String, _ text: String) {
        self.path = path
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
    }

    /// Returns the text with other lines between the marks. Each section must be there once, and no other one.
    func replacing(_ sections: [MarkedSection]) throws -> String {
        var result: [String] = []
        var missing = sections
        var index = 0
        while index < lines.count {
            let line = lines[index]
            index += 1
            result.append(line)
            guard let name = Self.name(line) else { continue }
            guard let place = missing.firstIndex(where: { $0.name == name }) else {
                throw error("there is no section \"\(name)\" left; these are: \(Self.list(missing))", at: index)
            }
            let start = index
            while index < lines.count, Self.name(lines[index]) == nil { index += 1 }
            guard index < lines.count, Self.name(lines[index]) == Self.end else {
                throw error("the section \"\(name)\" has no line \"\(Self.mark)\(Self.end)\"", at: start)
            }
            result += try missing.remove(at: place).make(Array(lines[start..<index]))
            result.append(lines[index])
            index += 1
        }
        guard missing.isEmpty else { throw error("there is no mark of: \(Self.list(missing))") }
        return result.joined(separator: "\n")
    }

    private func error(_ message: String, at line: Int? = nil) -> VocabularyError {
        VocabularyError(path, line: line, message)
    }

    private static func list(_ sections: [MarkedSection]) -> String {
        sections.isEmpty ? "none" : sections.map(\.name).joined(separator: ", ")
    }

    /// The word after a mark; `nil` for other lines.
    private static func name(_ line: String) -> String? {
        guard let start = line.firstRange(of: mark)?.upperBound else { return nil }
        return String(line[start...].prefix { $0 == "_" || $0.isASCII && $0.isLetter })
    }
}

/// The cells of a row of a table in Markdown, without the spaces around them.
func tableCells(_ row: some StringProtocol) -> [String] {
    row.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast().map { cell in
        String(cell.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
