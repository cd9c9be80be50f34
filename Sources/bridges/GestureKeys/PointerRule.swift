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
    }

    private static let keys: [Key<Draft>] = [
        Key("device", \.devices) { $0.globs() },
        Key("layout", \.layout) { $0.pixels(["width", "height"]) },
        Key("area", \.area) { $0.pixels(["left", "top", "width", "height"]) },
    ]

    /// Reads a `[[pointer]]`, and reports its errors.
    init?(_ entry: ValueReader) {
        let name = "[[pointer]]"
        var draft = Draft()
        guard let table = entry.table(Self.keys, into: &draft, name: name) else { return nil }
        if table["layout"] == nil { table.missingKey("\(name) has no layout; add layout = [width, height]") }
        if table["area"] == nil { table.missingKey("\(name) has no area; add area = [left, top, width, height]") }
        guard let layout = draft.layout, let area = draft.area else { return nil }
        for (axis, (start, extent)) in [("left", "width"), ("top", "height")].enumerated() {
            let end = area[axis] + area[axis + 2]
            guard end > layout[axis] else { continue }
            table["area"]?.error(
                .outOfRange,
                "\(start) + \(extent) of area is \(end); it must be at most \(layout[axis]), the \(extent) of layout")
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
