// SPDX-License-Identifier: MIT
import Foundation
import GestureProtocol
import GestureTestSupport
import Testing

/// The version is defined in `Sources/core/GestureProtocol/Version.swift`. Files that cannot read it contain a copy.
@Suite("The version")
struct VersionTests {
    @Test(
        "is the same in every file that names it",
        arguments: [
            ("clients/c/Makefile", "\nVERSION := %\n"),
            ("clients/qt/CMakeLists.txt", "\nproject(gestured-qml VERSION % LANGUAGES"),
            ("clients/python/pyproject.toml", "\nversion = \"%\"\n"),
            ("clients/javascript/package.json", "\"version\": \"%\","),
            ("packaging/home-assistant/config.yaml", "\nversion: \"%\"\n"),
            ("packaging/debian/changelog", "gestured (%-1) "),
            ("CHANGELOG.md", "\n## %, "),
        ])
    func files(path: String, line: String) throws {
        let expected = line.replacingOccurrences(of: "%", with: Version.number)
        let text = try #require(Document(path), "there is no \(path)").text
        let first = try #require(line.split(separator: "%").first)
        let range = try #require(text.range(of: first), "\(path) has no line such as \(expected)")
        #expect(text[range.lowerBound...].hasPrefix(expected), "\(path) does not name \(Version.number)")
    }
}
