// SPDX-License-Identifier: MIT

/// A file's name and text, cut in lines when a diagnostic asks for one.
struct SourceFile {
    /// No line of a diagnostic is longer; the rest is left out.
    private static let longestLine = 400

    let path: String
    private let text: [UInt8]
    /// Where each line begins.
    private let starts: [Int]

    init(path: String, text: [UInt8]) {
        self.path = path
        self.text = text
        var starts = [0]
        for (i, byte) in text.enumerated() where byte == UInt8(ascii: "\n") { starts.append(i + 1) }
        self.starts = starts
    }

    /// A part of a request, such as `regions[2]`: nothing in it has a line.
    init(requestPart path: String) {
        self.path = path
        text = []
        starts = []
    }

    func place(_ region: TextRegion) -> Place {
        if starts.isEmpty { return Place(file: path) }
        return Place(
            file: path, line: region.line, column: region.column, length: region.length, source: line(region.line))
    }

    /// The text of a line, counted from 1.
    private func line(_ number: Int) -> String? {
        guard starts.indices.contains(number - 1) else { return nil }
        let line = text[starts[number - 1]...].prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let visible = number == 1 && line.starts(with: mark) ? line.dropFirst(mark.count) : line
        return Self.printable(String(decoding: visible, as: UTF8.self))
    }

    /// Control characters of a broken file never reach a terminal, nor does a line without end.
    static func printable(_ line: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in line.unicodeScalars.prefix(longestLine) {
            let isControl = (scalar.value < 0x20 && scalar != "\t") || (0x7F...0x9F).contains(scalar.value)
            result.append(isControl ? "\u{FFFD}" : scalar)
        }
        return String(result)
    }
}
