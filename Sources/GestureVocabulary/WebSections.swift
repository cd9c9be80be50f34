// SPDX-License-Identifier: MIT
import GestureConfiguration

extension GeneratedFile {
    /// The types of `gestured.js`.
    static let webTypes = GeneratedFile(
        "web/gestured.d.ts",
        sections: [
            MarkedSection("kinds", GestureType.names.map { "    \"gesture:\($0)\": CustomEvent<ElementGesture>;" })
        ])
}
