// SPDX-License-Identifier: MIT
import Foundation

/// A page of the project's documentation with its code blocks.
package struct Document: Sendable, CustomStringConvertible {
    /// The path from the package's root, such as `docs/gestures.md`.
    package let path: String
    package let text: String

    /// `README.md` and all pages in `docs`.
    package static let all: [Document] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: root + "/docs")) ?? []
        let pages = names.filter { $0.hasSuffix(".md") }.sorted().map { "docs/" + $0 }
        return (["README.md"] + pages).compactMap { Document($0) }
    }()

    /// The package's folder, without a slash at its end.
    package static let root = BuildProducts.root

    package init?(_ path: String) {
        guard let text = try? String(contentsOfFile: Self.root + "/" + path, encoding: .utf8) else { return nil }
        self.path = path
        self.text = text
    }

    package var description: String { path }

    /// A fenced code block.
    package struct Block: Sendable, CustomStringConvertible {
        package let path: String
        /// The number of the first line inside the fence.
        package let line: Int
        package let language: String
        package let lines: [String]

        package init(path: String, line: Int, language: String, lines: [String]) {
            self.path = path
            self.line = line
            self.language = language
            self.lines = lines
        }

        package var text: String { lines.joined(separator: "\n") }
        package var description: String { "\(path):\(line)" }
    }

    package var blocks: [Block] {
        var blocks: [Block] = []
        var open: (line: Int, language: String, lines: [String])?
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line.hasPrefix("```") {
                if let block = open {
                    blocks.append(Block(path: path, line: block.line, language: block.language, lines: block.lines))
                    open = nil
                } else {
                    open = (index + 2, String(line.dropFirst(3)), [])
                }
            } else {
                open?.lines.append(String(line))
            }
        }
        return blocks
    }

    /// The texts in backticks outside of code blocks, with their line numbers.
    package var quotations: [(text: String, line: Int)] {
        var quotations: [(String, Int)] = []
        var isInBlock = false
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line.hasPrefix("```") { isInBlock.toggle() }
            guard !isInBlock else { continue }
            let parts = line.split(separator: "`", omittingEmptySubsequences: false)
            for (place, part) in parts.enumerated() where place % 2 == 1 {
                quotations.append((String(part), index + 1))
            }
        }
        return quotations
    }

    package static func blocks(in language: String) -> [Block] {
        all.flatMap(\.blocks).filter { $0.language == language }
    }
}
