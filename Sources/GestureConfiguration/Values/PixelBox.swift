// SPDX-License-Identifier: MIT
import GestureEngine

/// A rectangle in pixels of the output, its edges on the grid of 1/1024 px that contacts lie on.
///
/// Edges, not widths: what abuts in the configuration has one and the same edge, and so one and
/// the same number of millimetres.
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

    /// Beyond this nothing is on any panel. Percent of percent of percent would end at infinity.
    private static let farthest = 1_000_000_000.0

    /// The nearest 1/1024 px; exact, because it is a power of two.
    static func snapped(_ pixels: Double) -> Double {
        (min(farthest, max(-farthest, pixels)) * 1024).rounded() / 1024
    }
}
