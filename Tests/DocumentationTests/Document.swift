// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// A page of the project's documentation with its code blocks.
struct Document: Sendable, CustomTestStringConvertible {
    /// From the package's root: `docs/gestures.md`.
    let path: String
    let text: String

    /// README.md and everything in docs.
    static let all: [Document] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: root + "/docs")) ?? []
        let pages = names.filter { $0.hasSuffix(".md") }.sorted().map { "docs/" + $0 }
        return (["README.md"] + pages).compactMap { Document($0) }
    }()

    /// The package's folder, without a slash at its end.
    static let root: String = {
        let folders = #filePath.split(separator: "/").dropLast(3)
        return "/" + folders.joined(separator: "/")
    }()

    init?(_ path: String) {
        guard let text = try? String(contentsOfFile: Self.root + "/" + path, encoding: .utf8) else { return nil }
        self.path = path
        self.text = text
    }

    var testDescription: String { path }

    /// A fenced block of code.
    struct Block: Sendable, CustomTestStringConvertible {
        let path: String
        /// Of the block's first line inside the fence.
        let line: Int
        let language: String
        let lines: [String]

        var text: String { lines.joined(separator: "\n") }
        var testDescription: String { "\(path):\(line)" }
    }

    var blocks: [Block] {
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
    var quotations: [(text: String, line: Int)] {
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

    static func blocks(in language: String) -> [Block] {
        all.flatMap(\.blocks).filter { $0.language == language }
    }
}
