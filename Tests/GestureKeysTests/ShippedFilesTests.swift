// SPDX-License-Identifier: MIT
import BridgeProgram
import Foundation
import GestureConfiguration
import GestureTestSupport
import Testing

@testable import GestureKeys

@Suite("The files of gestured-keys")
struct ShippedFilesTests {
    private func text(_ path: String) throws -> String {
        try String(contentsOfFile: BuildProducts.root + path, encoding: .utf8)
    }

    @Test("The installed file binds nothing, and its examples are valid")
    func installed() throws {
        let text = try text("/config/keys.toml")
        let (settings, diagnostics) = KeysSettings.read(Array(text.utf8), path: "keys.toml")
        #expect(settings == KeysSettings() && diagnostics == [])
        let lines = text.split(separator: "\n").map { line in
            line.hasPrefix("# [") || line.hasPrefix("# ") && line.contains(" = ") ? line.dropFirst(2) : line
        }
        let (examples, mistakes) = KeysSettings.read(Array(lines.joined(separator: "\n").utf8), path: "keys.toml")
        #expect(mistakes == [])
        #expect(examples?.bindings.count == 5 && examples?.pointers.count == 1)
        #expect(examples?.socket == KeysSettings().socket)
    }

    @Test("The manual page names each key")
    func manual() throws {
        let manual = try text("/docs/man/gestured-keys.8")
        let names = KeysSettings.forms.filter { ["binding", "pointer"].contains($0.name) }.flatMap { $0.inner }
        #expect(Set(names).isSuperset(of: ["gesture", "wheel", "step", "ccw", "area"]))
        for name in names { #expect(manual.contains("Ic \(name)") || manual.contains(", \(name)"), "\(name)") }
    }
}

extension KeyForm {
    /// The names of the keys in its value, and in theirs.
    fileprivate var inner: [String] { note.form?.keys.flatMap { [$0.name] + $0.inner } ?? [] }
}

extension ValueForm {
    fileprivate var keys: [KeyForm] {
        switch self {
        case .table(let keys): keys
        case .list(let element, _): element.form?.keys ?? []
        default: []
        }
    }
}
