// SPDX-License-Identifier: MIT
import GestureEngine
import GestureProtocol

/// A line that must come, or must not: `coffee press begin`, `list page direction=left`, `! list *`.
struct Expectation {
    /// The keys that `--update` writes.
    private static let shownKeys = ["direction", "reason", "steps"]

    let text: String
    /// The index of its line in a file.
    var line = 0
    /// Whether it begins with `!`.
    let isForbidden: Bool
    private let region: Glob
    private let name: Glob
    private let phase: String?
    private let members: [(key: String, value: String)]

    /// - Returns: `nil` if the text has another form.
    init?(_ line: String) {
        var words = line.split { $0 == " " || $0 == "\t" }.map(String.init)
        text = words.joined(separator: " ")
        isForbidden = words.first == "!"
        if isForbidden { words.removeFirst() }
        guard let region = words.first, !region.contains("=") else { return nil }
        self.region = Glob(region)
        words.removeFirst()
        var name = "*"
        if let word = words.first, !word.contains("=") {
            name = words.removeFirst()
        } else if !isForbidden {
            return nil
        }
        self.name = Glob(name)
        phase = words.first.flatMap { $0.contains("=") ? nil : $0 }
        if phase != nil { words.removeFirst() }
        members = words.compactMap { word in
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            return parts.count == 2 ? (parts[0], parts[1]) : nil
        }
        guard members.count == words.count else { return nil }
    }

    /// The expectation that a line fulfils.
    init?(_ line: JSONValue) {
        let words = [line["region"]?.string, line["name"]?.string, line["phase"]?.string].compactMap { $0 }
        let members = Self.shownKeys.compactMap { key in line[key].map { "\(key)=\(Self.text($0))" } }
        self.init((words + members).joined(separator: " "))
    }

    /// Whether it is about updates of a gesture.
    var isUpdate: Bool { phase == "update" }

    /// The mistake in a name that no region or gesture has; `nil` if there is none.
    func mistake(_ regions: [Region]) -> String? {
        let words = text.split(separator: " ").drop { $0 == "!" }.map(String.init)
        let meant = regions.filter { region.matches($0.id) }
        if meant.isEmpty, words[0] != "*" {
            return "no region \"\(words[0])\"\(Spelling.hint(Spelling.nearest(to: words[0], among: regions.map(\.id))))"
        }
        let names = meant.flatMap { $0.gestures.map(\.name) }
        guard words.count > 1, words[1] != "*", !words[1].contains("="), !names.contains(where: name.matches) else {
            return nil
        }
        let nearest = Spelling.nearest(to: words[1], among: names)
        return "no gesture \"\(words[1])\" in \(words[0])\(Spelling.hint(nearest))"
    }

    func matches(_ line: JSONValue) -> Bool {
        region.matches(line["region"]?.string ?? "") && name.matches(line["name"]?.string ?? "")
            && (phase == nil || phase == line["phase"]?.string)
            && members.allSatisfy { member in line[member.key].map { Self.text($0) == member.value } ?? false }
    }

    private static func text(_ value: JSONValue) -> String {
        value.string ?? value.json
    }
}

/// The lines that came, compared with those that were expected.
struct ExpectDifference {
    /// One row: a line that came, or was expected.
    struct Row {
        enum Kind { case asExpected, other, missing, forbidden }
        let kind: Kind
        let text: String
    }

    private(set) var rows: [Row] = []
    var isEmpty: Bool { !rows.contains { $0.kind == .missing || $0.kind == .forbidden } }

    /// The expected lines must come in their order, and others may come between them. A line that no expectation accounts for
    /// must not match one that is forbidden.
    init(_ came: [JSONValue], _ expected: [Expectation]) {
        let wanted = expected.filter { !$0.isForbidden }
        let forbidden = expected.filter(\.isForbidden)
        let pairs = Self.pairs(came, wanted)
        var next = 0
        for (index, line) in came.enumerated() {
            if let place = pairs[index] {
                for missing in wanted[next..<place] { rows.append(Row(kind: .missing, text: missing.text)) }
                next = place + 1
            }
            let text = Expectation(line)?.text ?? ""
            let isForbidden = pairs[index] == nil && forbidden.contains { $0.matches(line) }
            rows.append(Row(kind: pairs[index] != nil ? .asExpected : isForbidden ? .forbidden : .other, text: text))
        }
        for missing in wanted[next...] { rows.append(Row(kind: .missing, text: missing.text)) }
    }

    /// The expectation that each line fulfils: the longest common sequence.
    private static func pairs(_ came: [JSONValue], _ wanted: [Expectation]) -> [Int: Int] {
        var best = [[Int]](repeating: [Int](repeating: 0, count: wanted.count + 1), count: came.count + 1)
        for i in came.indices.reversed() {
            for j in wanted.indices.reversed() {
                best[i][j] =
                    wanted[j].matches(came[i]) ? best[i + 1][j + 1] + 1 : max(best[i + 1][j], best[i][j + 1])
            }
        }
        var pairs: [Int: Int] = [:]
        var (i, j) = (0, 0)
        while i < came.count, j < wanted.count {
            if wanted[j].matches(came[i]) {
                pairs[i] = j
                (i, j) = (i + 1, j + 1)
            } else if best[i + 1][j] >= best[i][j + 1] {
                i += 1
            } else {
                j += 1
            }
        }
        return pairs
    }
}
