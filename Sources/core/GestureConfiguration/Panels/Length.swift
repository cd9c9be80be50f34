// SPDX-License-Identifier: MIT
package import GestureEngine

/// A length as given in the configuration, always finite. Its value in millimetres depends on the panel.
package struct Length: TextSetting, Hashable, Sendable {
    package enum Unit: String, CaseIterable, Hashable, Sendable {
        /// Pixels of the output.
        case pixels = "px"
        /// Percent of the parent region, or of the panel if there is no parent.
        case percent = "%"
        case millimeters = "mm"
    }

    package let number: Double
    package let unit: Unit

    package var text: String { plain(number) + unit.rawValue }
}

/// Returns the text of a number without a trailing `.0`.
package func plain(_ number: Double) -> String {
    let text = "\(number)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
}

/// The largest values that a configuration may contain.
package enum ValueLimits {
    /// The largest length, in its own unit, and the largest speed. This is a kilometre in millimetres, and more pixels
    /// than any output has.
    package static let largestLength = 1_000_000.0
    /// The longest time that a gesture may take.
    package static let longestTime = Interval.milliseconds(3_600_000)
}

/// Converts lengths inside one parent region of one panel.
struct LengthScale {
    let panel: PanelSize
    /// The parent's bounding box, or the panel, in pixels.
    let parent: PixelBox

    /// Returns a length along x in pixels. Percentages refer to the parent's width.
    func pixelsX(_ length: Length) -> Double { pixels(length, of: parent.width, panel.millimetersPerPixelX) }

    /// Returns a length along y in pixels. Percentages refer to the parent's height.
    func pixelsY(_ length: Length) -> Double { pixels(length, of: parent.height, panel.millimetersPerPixelY) }

    private func pixels(_ length: Length, of side: Double, _ millimetersPerPixel: Double) -> Double {
        switch length.unit {
        case .pixels: length.number
        case .percent: length.number / 100 * side
        case .millimeters: length.number / millimetersPerPixel
        }
    }

    /// Returns a length without a direction (a radius, a margin, a threshold) in millimetres. Pixels are converted as
    /// along x, and percentages refer to the parent's shorter side.
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

/// A rectangle in pixels of the output. Its edges lie on a grid of 1/1024 px, as contacts do.
///
/// It stores edges instead of widths, so that regions that abut in the configuration share an edge exactly, even after
/// the conversion to millimetres.
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

    /// The largest coordinate, which lies far outside any panel. Without this limit, nested percentages could overflow.
    private static let farthest = 1_000_000_000.0

    /// Rounds to the nearest 1/1024 px; the result is exact, because 1024 is a power of two.
    static func snapped(_ pixels: Double) -> Double {
        (min(farthest, max(-farthest, pixels)) * 1024).rounded() / 1024
    }
}
