// SPDX-License-Identifier: MIT

extension MarkedSection {
    /// A section that lists members. Those that the committed lines list keep their places, because positions may be a
    /// part of an interface; further ones are added at the end. Lines without members, and comments, stay as they are.
    /// - Parameters:
    ///   - members: all members that the section has to list.
    ///   - render: returns lines for members that follow one another.
    init(_ name: String, members: [Member], _ render: @escaping @Sendable ([Member]) -> [String]) {
        self.init(name) { committed in
            var result: [String] = []
            var run: [Member] = []
            var missing = members
            var isComment = false
            for line in committed {
                let start = line.drop { $0 == " " }
                isComment = isComment || start.hasPrefix("/*")
                let isText = isComment || start.hasPrefix("//") || start.hasPrefix("#")
                if isComment, line.contains("*/") { isComment = false }
                let found = isText ? [] : Self.members(members, in: line)
                run += found
                missing.removeAll { found.contains($0) }
                if found.isEmpty {
                    result += render(run) + [line]
                    run = []
                }
            }
            return result + render(run + missing)
        }
    }

    /// The members that a line lists in its order.
    private static func members(_ members: [Member], in line: String) -> [Member] {
        let words = line.split { !($0.isLetter || $0.isNumber || $0 == "_") }
        var left = members
        return words.compactMap { word in
            left.firstIndex { $0.key == word }.map { left.remove(at: $0) }
        }
    }
}

extension [String] {
    /// Lists the texts, with commas between them, in lines of at most 120 columns.
    /// - Parameters:
    ///   - start: the start of the first line. The others are indented as it is, and by 2 more if it is not empty.
    ///   - end: the end of the last line.
    func listed(_ start: String, end: String = "") -> [String] {
        let indent = String(start.prefix { $0 == " " }) + (start.allSatisfy { $0 == " " } ? "" : "  ")
        var lines: [String] = []
        var line = start
        for (index, text) in enumerated() {
            let part = text + (index < count - 1 ? "," : end)
            if line.count + 1 + part.count > 120, index > 0 {
                lines.append(line)
                line = indent + part
            } else {
                line += (index > 0 ? " " : "") + part
            }
        }
        return lines + [line]
    }
}
