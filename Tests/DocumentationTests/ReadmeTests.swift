// SPDX-License-Identifier: MIT
import Foundation
import GestureTestSupport
import Testing

@Suite("README.md")
struct ReadmeTests {
    private let readme: Document

    init() throws {
        readme = try #require(Document("README.md"))
    }

    @Test("is read in a few minutes")
    func length() {
        #expect(readme.text.split(separator: "\n", omittingEmptySubsequences: false).count <= 111)
        #expect(readme.text.split { $0.isWhitespace }.count <= 800)
    }

    @Test("has a client in three languages", arguments: ["sh", "python", "javascript"])
    func clients(language: String) throws {
        let needle = language == "python" ? "gestured.Client()" : "/run/gestured/gestured.sock"
        #expect(readme.blocks.contains { $0.language == language && $0.text.contains(needle) })
    }

    @Test("begins with a picture that moves for at most 6 s and has at most 1.5 MB")
    func picture() throws {
        let link = try #require(readme.text.components(separatedBy: "](").dropFirst().first)
        let path = link.prefix { $0 != ")" }
        #expect(path == "docs/demo.webp")
        let data = try Data(contentsOf: URL(fileURLWithPath: "\(Document.root)/\(path)"))
        #expect(data.count <= 1_500_000)
        let animation = try #require(Animation([UInt8](data)))
        #expect(animation.durations.count > 20)
        #expect((3000...6000).contains(animation.durations.reduce(0, +)))
        #expect((900...2000).contains(animation.width))
    }
}

/// The size and the durations in an animated WebP file. https://developers.google.com/speed/webp/docs/riff_container
private struct Animation {
    var width = 0
    /// In milliseconds.
    var durations: [Int] = []

    init?(_ bytes: [UInt8]) {
        func number(_ start: Int, _ count: Int) -> Int {
            bytes[start..<start + count].reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        guard bytes.count > 12, bytes[0..<4] == Array("RIFF".utf8)[...], bytes[8..<12] == Array("WEBP".utf8)[...] else {
            return nil
        }
        var place = 12
        while place + 24 <= bytes.count {
            switch String(decoding: bytes[place..<place + 4], as: UTF8.self) {
            case "VP8X": width = number(place + 12, 3) + 1
            case "ANMF": durations.append(number(place + 20, 3))
            default: break
            }
            let size = number(place + 4, 4)
            place += 8 + size + size % 2
        }
    }
}
