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

    @Test("The schema and the manual page have the same keys")
    func schema() throws {
        let schema = try #require(
            try JSONSerialization.jsonObject(with: Data(text("/config/keys.schema.json").utf8)) as? [String: Any])
        let properties = try #require(schema["properties"] as? [String: [String: Any]])
        #expect(Set(properties.keys) == Set(KeysSettings.keys.map { $0.name } + ["version"]))
        func keys(of list: String) throws -> [String: [String: Any]] {
            let items = try #require(properties[list]?["items"] as? [String: Any])
            return try #require(items["properties"] as? [String: [String: Any]])
        }
        let binding = try keys(of: "binding")
        let wheel = try #require(binding["wheel"]?["properties"] as? [String: [String: Any]])
        #expect(wheel["step"]?["default"] as? Int == Wheel().step)
        #expect(Set(binding.keys) == Set(Binding.keyNames))
        #expect(Set(wheel.keys) == Set(Wheel.keys.map { $0.name }))
        let steps = try #require(binding["steps"]?["properties"] as? [String: [String: Any]])
        #expect(Set(steps.keys) == Set(StepKeys.keys.map { $0.name }))
        let pointer = try keys(of: "pointer")
        #expect(Set(pointer.keys) == Set(PointerRule.keyNames))
        let manual = try text("/docs/man/gestured-keys.8")
        for name in Array(binding.keys) + wheel.keys + steps.keys + pointer.keys {
            #expect(manual.contains("Ic \(name)") || manual.contains(", \(name)"), "\(name)")
        }
    }
}
