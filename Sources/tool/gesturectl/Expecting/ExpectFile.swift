// SPDX-License-Identifier: MIT
import ArgumentParser
import ContactTracking
import GestureProtocol
import TouchScripts

/// A file with touches and the lines that they must cause (docs/trying.md).
///
/// Its paragraphs are separated by empty lines. A paragraph of options holds for the cases after it; every other one is a case:
/// options, touches, `---`, and what is expected.
struct ExpectFile {
    struct Case {
        /// The number of its first line, counted from 1.
        let line: Int
        let options: ExpectOptions
        let touches: String
        /// The range of lines after `---`, counted from 0.
        let expectations: Range<Int>
        let expected: [Expectation]
    }

    let path: String
    private(set) var lines: [String]
    private let lineEnd: String
    private(set) var cases: [Case] = []

    /// - Throws: `ToolError` 66 for an unreadable file, 65 for one that is not understood.
    init(_ path: String) throws(ToolError) {
        self.path = path
        guard let text = String(validating: try TouchArguments.bytes(of: path), as: UTF8.self) else {
            throw ToolError(.data, "\(path.safe): this is not UTF-8")
        }
        lineEnd = text.contains("\r\n") ? "\r\n" : "\n"
        lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
        var options: [String] = []
        for paragraph in paragraphs() { try read(paragraph, &options) }
        if cases.isEmpty { throw fault(0, "there are no cases; a case has touches, ---, and the lines that must come") }
    }

    /// The ranges of lines between empty ones.
    private func paragraphs() -> [Range<Int>] {
        var paragraphs: [Range<Int>] = []
        for index in lines.indices where !Self.isBlank(lines[index]) {
            if let last = paragraphs.last, last.upperBound == index {
                paragraphs[paragraphs.count - 1] = last.lowerBound..<index + 1
            } else {
                paragraphs.append(index..<index + 1)
            }
        }
        return paragraphs
    }

    private mutating func read(_ paragraph: Range<Int>, _ common: inout [String]) throws(ToolError) {
        let told = paragraph.filter { !Self.isComment(lines[$0]) }
        guard let first = told.first else { return }
        let head = told.prefix { lines[$0].hasPrefix("--") && !Self.isRule(lines[$0]) }
        let words = head.flatMap { lines[$0].split(separator: " ").map(String.init) }
        let options = try ExpectOptions.read(common, words) { fault(first, $0) }
        if head.count == told.count { return common = ExpectOptions.joined(common, words) }
        guard let rule = told.first(where: { Self.isRule(lines[$0]) }) else {
            throw fault(first, "this case has no line ---; write it between the touches and the lines that must come")
        }
        // Empty lines keep the numbers of the lines in messages.
        let touches = (0..<rule).map { told.contains($0) && !head.contains($0) ? lines[$0] : "" }
        var expected: [Expectation] = []
        for index in told where index > rule {
            guard var expectation = Expectation(lines[index]) else {
                throw fault(index, "\"\(lines[index].safe)\" is not REGION NAME [PHASE] [KEY=VALUE ...]")
            }
            expectation.line = index
            expected.append(expectation)
        }
        cases.append(
            Case(
                line: first + 1, options: options, touches: touches.joined(separator: "\n"),
                expectations: rule + 1..<paragraph.upperBound, expected: expected))
    }

    /// The bytes of the file.
    var bytes: [UInt8] { Array(lines.joined(separator: lineEnd).utf8) }

    /// Replaces what cases expect. Comments among it stay, before the new lines.
    /// - Parameter texts: the new lines of each case; `nil` leaves them as they are.
    mutating func replace(_ texts: [[String]?]) {
        for (place, text) in zip(cases, texts).reversed() {
            guard let text else { continue }
            let comments = lines[place.expectations].filter(Self.isComment)
            lines.replaceSubrange(place.expectations, with: comments + text)
        }
    }

    func fault(_ index: Int, _ message: String) -> ToolError {
        ToolError(.data, "\(path.safe):\(index + 1): \(message)")
    }

    private static func isRule(_ line: String) -> Bool {
        line.hasPrefix("---") && line.dropFirst(3).allSatisfy { $0 == " " || $0 == "\t" }
    }

    private static func isBlank(_ line: String) -> Bool { line.allSatisfy { $0 == " " || $0 == "\t" } }

    private static func isComment(_ line: String) -> Bool { line.drop { $0 == " " || $0 == "\t" }.hasPrefix("#") }
}

/// The options in a file of expectations.
struct ExpectOptions: ParsableArguments {
    @Option var config: [String] = []
    @Option var scene: String?
    @Option var profile: String?
    @Option var device: String?
    @Option var rotation: OutputSettings.Rotation?
    @Option var size: TouchPanelSize?
    @Option var hand: Hand = .steady
    @Option var seed: UInt64 = 1

    /// The common options and those of a case, which replace the configurations that were common.
    static func joined(_ common: [String], _ own: [String]) -> [String] {
        guard own.contains("--config") else { return common + own }
        let kept = zip(common, [""] + common).filter { word, before in word != "--config" && before != "--config" }
        return kept.map(\.0) + own
    }

    static func read(
        _ common: [String], _ own: [String], _ fault: (String) -> ToolError
    ) throws(ToolError) -> Self {
        do {
            return try parse(joined(common, own))
        } catch {
            let message = message(for: error).split(separator: "\n").first.map(String.init) ?? ""
            let isHelp = message.hasPrefix("USAGE")
            throw fault(
                isHelp ? "there is no help in a file" : "\(message.prefix(1).lowercased())\(message.dropFirst())")
        }
    }
}
