// SPDX-License-Identifier: MIT
import BridgeProgram
package import GestureClient
package import GestureConfiguration
import GestureProtocol
import LinuxSystem

/// The settings in `keys.toml`. `docs/keys.md` explains the keys.
package struct KeysSettings: BridgeSettings, Hashable, Sendable {
    package static let standardFile = "/etc/gestured/keys.toml"
    /// The user as which the service runs.
    package static let user = "gestured-keys"
    /// The maximum number of bindings. Each gesture is compared with all of them.
    private static let mostBindings = 256

    /// The daemon's socket.
    package var socket = InstalledFiles.socket
    /// The bindings in the order of the file. The first one that matches a gesture applies.
    package var bindings: [Binding] = []

    /// The places of panels among several outputs. The first one that matches a panel applies.
    package var pointers: [PointerRule] = []

    package init() {}

    package static let keys: [Key<KeysSettings>] = [
        Key("socket", \.socket) { $0.path() },
        Key("binding", \.bindings) { value in
            if value.notes(.list(ValueNote { Binding($0) }, 0...mostBindings)) { return nil }
            guard let entries = value.array(of: "tables") else { return nil }
            guard entries.count <= mostBindings else {
                return value.error(
                    .tooMany, "there are \(entries.count) bindings; at most \(mostBindings) are supported")
            }
            return entries.compactMap { Binding($0) }
        },
        Key("pointer", \.pointers) { value in
            value.array(of: "tables").map { $0.compactMap { PointerRule($0) } }
        },
    ]

    /// Returns the panels whose gestures press keys.
    package func keyboardPanels(_ panels: [GestureClient.Device]) -> [KeyboardPanel] {
        panels.compactMap { panel in
            let codes = Set(bindings(for: panel).flatMap { $0.action.keyCodes })
            return codes.isEmpty ? nil : KeyboardPanel(device: panel.id, node: panel.node, codes: codes.sorted())
        }
    }

    /// Returns the panels whose gestures click or turn the wheel.
    package func pointerPanels(_ panels: [GestureClient.Device]) -> [PointerPanel] {
        panels.compactMap { panel in
            guard let output = panel.output, bindings(for: panel).contains(where: { $0.action.usesPointer })
            else { return nil }
            let rule = pointers.first { matches(panel.id, $0.devices) }
            return PointerPanel(
                device: panel.id, node: panel.node, space: PointerSpace(output: output, rule: rule))
        }
    }

    /// Returns the bindings for the gestures of a panel; none if it is not ready.
    private func bindings(for panel: GestureClient.Device) -> [Binding] {
        panel.state == "ready" ? bindings.filter { matches(panel.id, $0.devices ?? ["*"]) } : []
    }

    private func matches(_ name: String, _ globs: [String]) -> Bool { globs.contains { Glob($0).matches(name) } }
}

/// A panel that needs a keyboard.
package struct KeyboardPanel: Hashable, Sendable {
    package let device: String
    package let node: String
    /// The codes of all keys that its gestures press, in ascending order.
    package let codes: [UInt16]
}
