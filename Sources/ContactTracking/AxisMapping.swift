// SPDX-License-Identifier: MIT
package import GestureEngine

/// From a device's units to millimetres on the glass; the only place where that happens.
///
/// The units are normalised over the number of values as libinput does, calibrated, rotated,
/// spread over the output's pixels, snapped to 1/1024 px and clamped inside the panel. Snapped,
/// because abutting regions share borders in pixels: a contact on the border must compare equal
/// to it whatever the arithmetic on the way was.
package struct AxisMapping: Hashable, Sendable {
    /// The output, with the size of the glass.
    package let panelSize: PanelSize
    /// Whether millimetres were measured; `false`: assumed from the pixels.
    package let isSizeKnown: Bool
    /// One unit of the device on the glass, the mean of both axes; for the width of a touch.
    package let millimetersPerUnit: Double
    /// What the operator should know; without the device's name.
    package let warnings: [String]

    private let countX: Double, countY: Double
    @usableFromInline let minimumX: Double, minimumY: Double
    // Device units to 1/1024 pixels.
    @usableFromInline let xx: Double, xy: Double, x0: Double
    @usableFromInline let yx: Double, yy: Double, y0: Double
    // The last 1/1024 pixel inside.
    @usableFromInline let limitX: Double, limitY: Double
    // Of 1/1024 pixel. The division by a power of two is exact, so this is what a product of
    // pixels and `millimetersPerPixel` gives.
    @usableFromInline let millimetersX: Double, millimetersY: Double

    /// For a device that was admitted. One without axes maps everything to the middle of nothing,
    /// but safely.
    package init(_ device: DeviceDescription, output: OutputSettings) {
        let fallback = AxisRange(minimum: 0, maximum: 0)
        let (x, y) = device.positionAxes ?? (fallback, fallback)
        var warnings: [String] = []
        let matrix = PanelMeasure.matrix(device, output, &warnings)
        let measure = PanelMeasure(x: x, y: y, matrix: matrix, output: output, warnings: &warnings)
        let size = measure.size
        let (rangeX, rangeY) = (Double(x.count), Double(y.count))

        panelSize = size
        isSizeKnown = measure.isSizeKnown
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

    /// Where device units lie on the glass, always inside.
    @inlinable
    package func point(x: Int32, y: Int32) -> Point {
        // Both exact: 33 bits at most.
        let u = Double(x) - minimumX
        let v = Double(y) - minimumY
        return Point(
            x: Self.snapped(u * xx + v * xy + x0, limit: limitX) * millimetersX,
            y: Self.snapped(u * yx + v * yy + y0, limit: limitY) * millimetersY)
    }

    /// Where the corners of the panel come to lie on the glass: as the panel counts top left, top right,
    /// bottom right, bottom left. Not clamped: with a calibration they may lie inside the output, or outside.
    package var corners: [Point] {
        [(0, 0), (countX, 0), (countX, countY), (0, countY)].map { u, v in
            Point(x: (u * xx + v * xy + x0) * millimetersX, y: (u * yx + v * yy + y0) * millimetersY)
        }
    }

    /// The nearest whole number from 0 to `limit`.
    @inlinable
    static func snapped(_ value: Double, limit: Double) -> Double {
        // Above 2^52 the doubles are the whole numbers: adding and subtracting rounds, without
        // the call that `rounded()` is, and without the traps of a conversion.
        let whole = 6_755_399_441_055_744.0
        return (min(max(value, 0), limit) + whole) - whole
    }
}
