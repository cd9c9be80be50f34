// SPDX-License-Identifier: MIT
package import GestureEngine

/// A length as the configuration gives it; what it is in millimetres depends on the panel. Finite.
struct Length: Hashable, Sendable {
    enum Unit: String, Hashable, Sendable {
        /// Of the output.
        case pixels = "px"
        /// Of the parent region, or of the panel where there is none.
        case percent = "%"
        case millimeters = "mm"
    }

    let number: Double
    let unit: Unit

    /// As the configuration would give it: `3mm`.
    var text: String { plain(number) + unit.rawValue }
}

/// A number without `.0` at its end.
func plain(_ number: Double) -> String {
    let text = "\(number)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
}

/// The largest values that a configuration may have.
package enum ValueLimits {
    /// Of a length, in its own unit, and of a speed: a kilometre of glass, more pixels than any output has.
    package static let largestLength = 1_000_000.0
    /// The longest time that a gesture may take.
    package static let longestTime = Interval.milliseconds(3_600_000)
}

/// Converts lengths inside one parent region of one panel.
struct LengthScale {
    let panel: PanelSize
    /// The parent's bounding box, or the panel, in pixels.
    let parent: PixelBox

    /// Along x in pixels; percent of the parent's width.
    func pixelsX(_ length: Length) -> Double { pixels(length, of: parent.width, panel.millimetersPerPixelX) }

    /// Along y in pixels; percent of the parent's height.
    func pixelsY(_ length: Length) -> Double { pixels(length, of: parent.height, panel.millimetersPerPixelY) }

    private func pixels(_ length: Length, of side: Double, _ millimetersPerPixel: Double) -> Double {
        switch length.unit {
        case .pixels: length.number
        case .percent: length.number / 100 * side
        case .millimeters: length.number / millimetersPerPixel
        }
    }

    /// A length without a direction (a radius, a margin, a threshold) in millimetres. Pixels are converted
    /// as along x; percent are of the parent's shorter side.
    func millimeters(_ length: Length) -> Double {
        switch length.unit {
        case .pixels: length.number * panel.millimetersPerPixelX
        case .percent:
            length.number / 100
                * min(parent.width * panel.millimetersPerPixelX, parent.height * panel.millimetersPerPixelY)
        case .millimeters: length.number
        }
    }
}

/// A rectangle in pixels of the output, its edges on the grid of 1/1024 px that contacts lie on.
///
/// It has edges and no widths: regions that abut in the configuration share an edge, also in millimetres.
struct PixelBox: Hashable {
    let minX: Double
    let minY: Double
    let maxX: Double
    let maxY: Double

    init(minX: Double, minY: Double, maxX: Double, maxY: Double) {
        self.minX = Self.snapped(minX)
        self.minY = Self.snapped(minY)
        self.maxX = Self.snapped(maxX)
        self.maxY = Self.snapped(maxY)
    }

    init(_ panel: PanelSize) {
        self.init(minX: 0, minY: 0, maxX: panel.widthPixels, maxY: panel.heightPixels)
    }

    var width: Double { maxX - minX }
    var height: Double { maxY - minY }

    func rectangle(_ panel: PanelSize) -> Rectangle {
        Rectangle(
            minX: minX * panel.millimetersPerPixelX, minY: minY * panel.millimetersPerPixelY,
            maxX: maxX * panel.millimetersPerPixelX, maxY: maxY * panel.millimetersPerPixelY)
    }

    /// Farther away than any panel reaches. Nested percentages would otherwise overflow.
    private static let farthest = 1_000_000_000.0

    /// The nearest 1/1024 px; exact, because it is a power of two.
    static func snapped(_ pixels: Double) -> Double {
        (min(farthest, max(-farthest, pixels)) * 1024).rounded() / 1024
    }
}
