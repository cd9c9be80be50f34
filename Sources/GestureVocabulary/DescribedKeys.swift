// SPDX-License-Identifier: MIT
import Foundation

/// The first sentence of docs/configuration.md about each key.
struct DescribedKeys {
    private static let path = "docs/configuration.md"

    /// The sentences by the heading of the table, without marks, and the key.
    private var sentences: [String: [String: String]] = [:]

    init(_ project: Project) throws {
        var heading = ""
        for line in try project.text(of: Self.path).split(separator: "\n") {
            if line.hasPrefix("#") {
                heading = line.filter { !"# `[]".contains($0) }
            } else if line.hasPrefix("| `") {
                let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
                guard cells.count > 1, let sentence = Self.sentence(cells[1]) else { continue }
                for key in cells[0].split(separator: "`").enumerated() where key.offset % 2 == 0 {
                    sentences[heading, default: [:]][String(key.element)] = sentence
                }
            }
        }
    }

    /// Returns the sentence about a key.
    func sentence(_ table: String, _ key: String) throws -> String {
        guard let sentence = sentences[table]?[key] else {
            throw VocabularyError(Self.path, "the table `\(table)` says nothing about `\(key)`")
        }
        return sentence
    }

    /// The first sentence of a cell, without links and marks of code.
    private static func sentence(_ cell: String) -> String? {
        let text = cell.replacing(/\[((?:`[^`]*`|[^\]`])*)\]\([^)]*\)/) { $0.output.1 }
        let end = text.firstRange(of: /\. (?=[A-Z`])/)?.lowerBound ?? text.endIndex
        guard let first = text.first else { return nil }
        return (first.uppercased() + text[..<end].dropFirst()).filter { $0 != "`" } + "."
    }
}
