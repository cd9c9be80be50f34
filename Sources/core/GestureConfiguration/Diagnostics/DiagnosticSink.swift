// SPDX-License-Identifier: MIT
import GestureProtocol

/// Collects the diagnostics of a set of files.
final class DiagnosticSink {
    /// The maximum number of diagnostics to keep. A broken file of a megabyte may have a mistake in every line.
    private static let limit = 1000

    private var files: [SourceFile]
    private var found: [(file: Int, diagnostic: Diagnostic)] = []
    private var omitted = 0
    private let suggestions: Int
    private(set) var hasErrors = false

    /// - Parameter suggestions: the maximum number of diagnostics with a suggestion. The time for finding one grows
    ///   with the number of names.
    init(files: [SourceFile], suggestions: Int = 100) {
        self.files = files
        self.suggestions = suggestions
    }

    /// The diagnostics, sorted by file, line and column. If there were more than the limit, the last one states how many
    /// were left out.
    var diagnostics: [Diagnostic] {
        // The sort is stable, so diagnostics with the same location keep their order.
        let sorted = found.sorted { a, b in
            (a.file, a.diagnostic.line, a.diagnostic.column) < (b.file, b.diagnostic.line, b.diagnostic.column)
        }
        let listed = sorted.map { $0.diagnostic }
        guard omitted > 0, let last = listed.last else { return listed }
        let remainder = Diagnostic(
            severity: hasErrors ? .error : .warning, code: .more, message: "and \(omitted) more",
            at: SourceLocation(file: last.file))
        return listed + [remainder]
    }

    /// Reports an error. The texts are evaluated only if the diagnostic is kept.
    func error(
        _ code: DiagnosticCode, _ message: @autoclosure () -> String, suggestion: @autoclosure () -> String? = nil,
        at range: SourceRange
    ) {
        hasErrors = true
        add(.error, code, message, suggestion, { location(of: range) }, file: range.file)
    }

    func error(_ code: DiagnosticCode, _ message: String, at location: SourceLocation) {
        hasErrors = true
        add(.error, code, { message }, { nil }, { location }, file: file(of: location))
    }

    func warning(
        _ code: DiagnosticCode, _ message: @autoclosure () -> String, suggestion: @autoclosure () -> String? = nil,
        at range: SourceRange
    ) {
        add(.warning, code, message, suggestion, { location(of: range) }, file: range.file)
    }

    func warning(_ code: DiagnosticCode, _ message: String, at location: SourceLocation) {
        add(.warning, code, { message }, { nil }, { location }, file: file(of: location))
    }

    func location(of range: SourceRange) -> SourceLocation {
        files.indices.contains(range.file) ? files[range.file].location(of: range) : SourceLocation(file: "")
    }

    /// Returns the start of the file that contains a location, if it is one of these files.
    func startOfFile(of location: SourceLocation) -> SourceRange {
        SourceRange(file: file(of: location), line: 1, column: 1)
    }

    private func file(of location: SourceLocation) -> Int { files.firstIndex { $0.path == location.file } ?? -1 }

    private func add(
        _ severity: Diagnostic.Severity, _ code: DiagnosticCode, _ message: () -> String, _ suggestion: () -> String?,
        _ location: () -> SourceLocation, file: Int
    ) {
        guard found.count < Self.limit else {
            omitted += 1
            return
        }
        let diagnostic = Diagnostic(
            severity: severity, code: code, message: message(),
            suggestion: found.count < suggestions ? suggestion() : nil, at: location())
        found.append((file, diagnostic))
    }
}

/// The location of a key or a value in the text of one file.
struct SourceRange: Hashable, Sendable {
    // `Int32` saves memory: each key and each value of a file has a range.
    private let file32, line32, column32, length32: Int32

    init(file: Int, line: Int, column: Int, length: Int = 1) {
        file32 = Int32(clamping: file)
        line32 = Int32(clamping: max(1, line))
        column32 = Int32(clamping: max(1, column))
        length32 = Int32(clamping: max(1, length))
    }

    /// The index into the files that were read.
    var file: Int { Int(file32) }
    /// The line number, counted from 1.
    var line: Int { Int(line32) }
    /// The column, counted from 1 in code points.
    var column: Int { Int(column32) }
    /// The number of code points on that line, at least 1.
    var length: Int { Int(length32) }
}

/// The name and the text of a file, or the name of a part of a request.
struct SourceFile {
    /// The longest message in code points; the rest is cut off.
    private static let longestMessage = 400
    /// The maximum number of code points of a line that are shown. Together with the line number they fit a typical
    /// terminal.
    private static let excerptLength = 100
    /// The longest line that is shown, in bytes. Lines written by hand are shorter.
    private static let longestLine = 16 * 1024

    let path: String
    /// The line that was shown last, and its text. The next location is often on the same line and then shares the text.
    private var last: (line: Int, text: String)?
    private let text: [UInt8]?
    /// The number of line feeds before each block of the text. The offsets of all lines would take eight times as much memory
    /// as a text of empty lines.
    private let feeds: [Int]
    private static let block = 1024
    private static let feed = UInt8(ascii: "\n")

    /// - Parameter text: the contents; `nil` for a part of a request, such as `regions[2]`, which has no lines.
    init(path: String, text: [UInt8]?) {
        self.path = path
        self.text = text
        var (feeds, count) = ([Int](), 0)
        for start in stride(from: 0, to: text?.count ?? 0, by: Self.block) {
            feeds.append(count)
            count += text?[start...].prefix(Self.block).count { $0 == Self.feed } ?? 0
        }
        self.feeds = feeds
    }

    mutating func location(of range: SourceRange) -> SourceLocation {
        if text == nil { return SourceLocation(file: path) }
        var location = SourceLocation(file: path, line: range.line, column: range.column, length: range.length)
        guard let line = line(range.line) else { return location }
        // Fast path for nearly all lines; it matters because each region and each gesture has a location.
        if line.count <= Self.excerptLength, line.allSatisfy({ (0x20...0x7E).contains($0) }) {
            let text = last?.line == range.line ? last?.text : nil
            location.source = text ?? String(decoding: line, as: UTF8.self)
            last = location.source.map { (range.line, $0) }
        } else {
            (location.source, location.sourceColumn) = Self.excerpt(
                of: String(decoding: line, as: UTF8.self), around: range.column)
        }
        return location
    }

    /// Returns the part of a line that fits a terminal, and the column in that part.
    private static func excerpt(of line: String, around column: Int) -> (text: String, column: Int) {
        let scalars = line.unicodeScalars
        guard scalars.count > excerptLength else { return (printable(line), column) }
        let start = max(0, min(column - 1 - excerptLength / 3, scalars.count - excerptLength))
        let part = String(String.UnicodeScalarView(scalars.dropFirst(start).prefix(excerptLength)))
        let (before, after) = (start > 0 ? "…" : "", start + excerptLength < scalars.count ? "…" : "")
        return (before + printable(part) + after, column - start + before.unicodeScalars.count)
    }

    /// Returns the bytes of a line, counted from 1; `nil` if the line is too long to search for each location on it.
    private func line(_ number: Int) -> ArraySlice<UInt8>? {
        guard let text, let start = start(of: number, in: text) else { return nil }
        let line = text[start...].prefix(Self.longestLine + 1).prefix { $0 != Self.feed }
        guard line.count <= Self.longestLine else { return nil }
        return shown(line.prefix { $0 != UInt8(ascii: "\r") }, isFirst: number == 1)
    }

    /// Returns the offset at which a line begins; `nil` if there is no such line.
    private func start(of number: Int, in text: [UInt8]) -> Int? {
        if number == 1 { return 0 }
        // The line begins after this line feed, in the last block that has fewer before it.
        var (low, high) = (0, feeds.count)
        while low < high {
            let middle = (low + high) / 2
            if feeds[middle] < number - 1 { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return nil }
        var left = number - 1 - feeds[low - 1]
        for offset in ((low - 1) * Self.block)..<min(low * Self.block, text.count) where text[offset] == Self.feed {
            left -= 1
            if left == 0 { return offset + 1 }
        }
        return nil
    }

    /// Returns a line without the mark of UTF-8 at the beginning of a file.
    private func shown(_ line: ArraySlice<UInt8>, isFirst: Bool) -> ArraySlice<UInt8> {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        return isFirst && line.starts(with: mark) ? line.dropFirst(mark.count) : line
    }

    /// Returns the text without control characters, which a terminal would interpret, cut off at the longest message.
    static func printable(_ text: String) -> String {
        SafeText.source(text, limit: longestMessage)
    }
}

/// Returns the name that was probably meant, ignoring case; `nil` if no name is similar.
func nearest(to name: String, among names: [String]) -> String? {
    Spelling.nearest(to: name, among: names, ignoringCase: true)
}
