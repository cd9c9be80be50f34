// SPDX-License-Identifier: MIT
package import GestureProtocol

extension JSONValue {
    /// Returns the point whose coordinates are the numbers with these two keys; `nil` if one of them is missing.
    package func point(_ x: String, _ y: String) -> GestureClient.Point? {
        guard let x = self[x]?.number, let y = self[y]?.number else { return nil }
        return GestureClient.Point(x: x, y: y)
    }
}
