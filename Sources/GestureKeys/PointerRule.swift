// SPDX-License-Identifier: MIT
package import GestureClient
import GestureConfiguration
import GestureProtocol

/// The part of all outputs that a panel covers. By default, a panel covers the whole of it.
package struct PointerRule: Hashable, Sendable {
    /// The globs for the panels.
    package var devices: [String]
    /// Width and height of all outputs together, in the compositor's pixels.
    package var layout: [Int]
    /// Left, top, width and height of the panel's output in it.
    package var area: [Int]

    private struct Draft {
        var devices: [String]?
        var layout: [Int]?
        var area: [Int]?
        /// The keys that the table has, also if their values have errors.
        var given: Set<String> = []
    }

    private static let keys: [Key<Draft>] = [
        Key("device", \.devices) { $0.globs() },
        Key("layout") { value, draft in
            draft.given.insert(value.name)
            draft.layout = value.pixels(["width", "height"])
        },
        Key("area") { value, draft in
            draft.given.insert(value.name)
            draft.area = value.pixels(["left", "top", "width", "height"])
        },
    ]

    static var keyNames: [String] { keys.map { $0.name } }

    /// Reads a `[[pointer]]`, and reports its errors.
    init?(_ entry: ValueReader) {
        let name = "[[pointer]]"
        var draft = Draft()
        entry.table(Self.keys, into: &draft, name: name)
        if draft.given.count < 2 { entry.error(.missingKey, "\(name) needs layout and area; see gestured-keys(8)") }
        guard let layout = draft.layout, let area = draft.area else { return nil }
        guard area[2] > 0, area[3] > 0, area[0] + area[2] <= layout[0], area[1] + area[3] <= layout[1] else {
            entry.error(.outOfRange, "area of \(name) must lie in the layout of \(layout[0])x\(layout[1]) pixels")
            return nil
        }
        self.init(devices: draft.devices ?? ["*"], layout: layout, area: area)
    }

    init(devices: [String], layout: [Int], area: [Int]) {
        (self.devices, self.layout, self.area) = (devices, layout, area)
    }
}

/// A panel that needs a pointer.
package struct PointerPanel: Hashable, Sendable {
    package let device: String
    package let node: String
    package let space: PointerSpace
}

/// The coordinates of a panel's pointer.
package struct PointerSpace: Hashable, Sendable {
    /// The width and the height of the pointer's axes in pixels.
    package let width: Double
    package let height: Double
    private let left: Double
    private let top: Double
    /// The number of the pointer's pixels in a pixel of the panel's output.
    private let scaleX: Double
    private let scaleY: Double

    init(output: GestureClient.Output, rule: PointerRule?) {
        guard let rule else {
            (width, height, left, top, scaleX, scaleY) = (output.width, output.height, 0, 0, 1, 1)
            return
        }
        (width, height) = (Double(rule.layout[0]), Double(rule.layout[1]))
        (left, top) = (Double(rule.area[0]), Double(rule.area[1]))
        (scaleX, scaleY) = (Double(rule.area[2]) / max(output.width, 1), Double(rule.area[3]) / max(output.height, 1))
    }

    /// Returns the pointer's position for a point of the panel's output, which may lie outside of it.
    package func place(_ point: GestureClient.Point) -> GestureClient.Point {
        GestureClient.Point(x: left + point.x * scaleX, y: top + point.y * scaleY)
    }
}
