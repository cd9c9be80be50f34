// SPDX-License-Identifier: MIT
package import GestureEngine

/// Maps a device's units to millimetres on the glass. Nothing else does.
///
/// The units are normalised over the number of values as libinput does, calibrated, rotated, scaled to the output's
/// pixels, rounded to 1/1024 px and clamped to the panel. They are rounded because abutting regions share borders
/// in pixels: a contact on the border must compare equal to it, whatever the rounding errors before.
package struct AxisMapping: Hashable, Sendable {
    /// The size of the output in pixels, and of the glass.
    package let panelSize: PanelSize
    /// Whether the size of the glass is known; otherwise it is assumed from the pixels.
    package let isSizeKnown: Bool
    /// One unit of the device on the glass, the geometric mean of both axes; for the width of a touch.
    package let millimetersPerUnit: Double
    /// For the operator, without the device's name.
    package let warnings: [String]

    private let countX: Double, countY: Double
    private let minimumX: Double, minimumY: Double
    // The matrix from device units to 1/1024 pixels.
    private let xx: Double, xy: Double, x0: Double
    private let yx: Double, yy: Double, y0: Double
    // The last 1/1024 pixel inside.
    private let limitX: Double, limitY: Double
    // The size of 1/1024 pixel. The division by a power of two is exact, so the product is the same as that of
    // pixels and `millimetersPerPixel`.
    private let millimetersX: Double, millimetersY: Double

    /// - Parameter device: an admitted one. Without position axes it maps everything to one point.
    package init(_ device: DeviceDescription, output: OutputSettings) {
        let fallback = AxisRange(minimum: 0, maximum: 0)
        let (x, y) = device.positionAxes ?? (fallback, fallback)
        var warnings: [String] = []
        let matrix = PanelSizeEstimate.matrix(device, output, &warnings)
        let estimate = PanelSizeEstimate(x: x, y: y, matrix: matrix, output: output, warnings: &warnings)
        let size = estimate.size
        let (rangeX, rangeY) = (Double(x.count), Double(y.count))

        panelSize = size
        isSizeKnown = estimate.isSizeKnown
        self.warnings = warnings
        let unitArea =
            abs(matrix.a * matrix.e - matrix.b * matrix.d) * size.widthMillimeters * size.heightMillimeters
            / (rangeX * rangeY)
        millimetersPerUnit = unitArea.squareRoot()
        (countX, countY) = (rangeX, rangeY)
        minimumX = Double(x.minimum)
        minimumY = Double(y.minimum)
        let (scaleX, scaleY) = (size.widthPixels * 1024, size.heightPixels * 1024)
        xx = matrix.a * scaleX / rangeX
        xy = matrix.b * scaleX / rangeY
        x0 = matrix.c * scaleX
        yx = matrix.d * scaleY / rangeX
        yy = matrix.e * scaleY / rangeY
        y0 = matrix.f * scaleY
        limitX = max(0, scaleX.rounded(.up) - 1)
        limitY = max(0, scaleY.rounded(.up) - 1)
        millimetersX = size.millimetersPerPixelX / 1024
        millimetersY = size.millimetersPerPixelY / 1024
    }

    /// The position on the glass, always inside the panel.
    package func point(x: Int32, y: Int32) -> Point {
        // Both exact: 33 bits at most.
        let u = Double(x) - minimumX
        let v = Double(y) - minimumY
        return Point(
            x: Self.snapped(u * xx + v * xy + x0, limit: limitX) * millimetersX,
            y: Self.snapped(u * yx + v * yy + y0, limit: limitY) * millimetersY)
    }

    /// Where the corners of the panel are on the glass: its own top left, top right, bottom right and bottom left.
    /// Not clamped: a calibration may move them inside the output, or outside.
    package var corners: [Point] {
        [(0, 0), (countX, 0), (countX, countY), (0, countY)].map { u, v in
            Point(x: (u * xx + v * xy + x0) * millimetersX, y: (u * yx + v * yy + y0) * millimetersY)
        }
    }

    /// The nearest whole number from 0 to `limit`.
    private static func snapped(_ value: Double, limit: Double) -> Double {
        min(max(value, 0), limit).rounded(.toNearestOrEven)
    }
}
