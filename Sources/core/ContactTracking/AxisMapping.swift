// SPDX-License-Identifier: MIT
package import GestureEngine

/// Maps a device's units to millimetres on the glass. No other code does this.
///
/// The units are normalised over the number of values as in libinput, calibrated, rotated, scaled to the output's
/// pixels, rounded to 1/1024 px and clamped to the panel. The final rounding removes earlier rounding errors. Borders
/// of regions are given in pixels, so a contact on a border is exactly on it.
package struct AxisMapping: Hashable, Sendable {
    /// The size of the output in pixels, and of the glass.
    package let panelSize: PanelSize
    /// Whether the size of the glass is known, as opposed to assumed from the pixels.
    package let isSizeKnown: Bool
    /// The size in millimetres of one unit of the device, as the geometric mean of both axes. Used for touch widths.
    package let millimetersPerUnit: Double
    /// Warnings for the operator, without the device's name.
    package let warnings: [String]

    private let countX: Double, countY: Double
    private let minimumX: Double, minimumY: Double
    // Maps device units, counted from the minimum, to 1/1024 pixels.
    private let toGrid: AffineMatrix
    // The last 1/1024 pixel inside the output.
    private let limitX: Double, limitY: Double
    // The size of 1/1024 pixel in millimetres. Division by a power of two is exact, so results equal those computed
    // from pixels and `millimetersPerPixel`.
    private let millimetersX: Double, millimetersY: Double

    /// Creates the mapping.
    /// - Parameter device: an admitted device. Without position axes, everything is mapped to one point.
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
        toGrid = AffineMatrix(
            matrix.a * scaleX / rangeX, matrix.b * scaleX / rangeY, matrix.c * scaleX,
            matrix.d * scaleY / rangeX, matrix.e * scaleY / rangeY, matrix.f * scaleY)
        limitX = max(0, scaleX.rounded(.up) - 1)
        limitY = max(0, scaleY.rounded(.up) - 1)
        millimetersX = size.millimetersPerPixelX / 1024
        millimetersY = size.millimetersPerPixelY / 1024
    }

    /// The position on the glass, always inside the panel.
    package func point(x: Int32, y: Int32) -> Point {
        // Both differences are exact: they have at most 33 bits.
        let (x, y) = toGrid.applied(Double(x) - minimumX, Double(y) - minimumY)
        return Point(
            x: Self.snapped(x, limit: limitX) * millimetersX, y: Self.snapped(y, limit: limitY) * millimetersY)
    }

    /// The corners of the panel on the glass: its own top left, top right, bottom right and bottom left. Not clamped,
    /// because a calibration may move them inside or outside the output.
    package var corners: [Point] {
        [(0, 0), (countX, 0), (countX, countY), (0, countY)].map { u, v in
            let (x, y) = toGrid.applied(u, v)
            return Point(x: x * millimetersX, y: y * millimetersY)
        }
    }

    /// The nearest integer from 0 to `limit`.
    private static func snapped(_ value: Double, limit: Double) -> Double {
        min(max(value, 0), limit).rounded(.toNearestOrEven)
    }
}

/// The size of a panel in the output's pixels and in millimetres.
struct PanelSizeEstimate {
    let size: PanelSize
    /// Whether the millimetres come from the configuration or the device, as opposed to an assumption.
    let isSizeKnown: Bool

    /// The size of a CSS pixel: 96 per inch.
    private static let assumedMillimetersPerPixel = 25.4 / 96
    /// The width of a 27-inch panel in millimetres. Axes that would be longer than this at 96 dpi are not in pixels; a
    /// common range is 0…32767.
    private static let largestAssumed = 600.0
    /// The longer side of an 11-inch panel in millimetres, which is assumed if nothing else is known.
    private static let nominalLongSide = 256.0
    /// Plausible lengths of a panel's sides in millimetres. A resolution that results in other lengths is wrong.
    private static let credible = 10.0...4000.0
    /// The largest plausible output in pixels.
    private static let largestOutput = 1_000_000.0

    init(x: AxisRange, y: AxisRange, matrix: AffineMatrix, output: OutputSettings, warnings: inout [String]) {
        let pixels = Self.pixels(x: x, y: y, matrix: matrix, output, &warnings)
        let measured =
            Self.usable(output.sizeMillimeters, named: "size_mm", &warnings)
            ?? Self.fromResolution(x: x, y: y, matrix: matrix, &warnings)
        let glass = measured ?? Self.assumed(pixels, arePixels: output.sizePixels != nil, &warnings)
        isSizeKnown = measured != nil
        size = PanelSize(
            widthPixels: pixels.width, heightPixels: pixels.height,
            widthMillimeters: glass.width, heightMillimeters: glass.height)
    }

    /// The calibration followed by the rotation.
    static func matrix(
        _ device: DeviceDescription, _ output: OutputSettings, _ warnings: inout [String]
    ) -> AffineMatrix {
        let calibration: AffineMatrix?
        switch output.calibration {
        case .none:
            calibration = .identity
        case .matrix(let matrix):
            calibration = matrix
            if !matrix.isUsable { warnings.append("its calibration in the configuration is unusable and is ignored") }
        case .udev:
            let text = device.udev["LIBINPUT_CALIBRATION_MATRIX"]
            calibration = text.map { AffineMatrix(parsing: $0) } ?? .identity
            if calibration?.isUsable != true {
                warnings.append("its LIBINPUT_CALIBRATION_MATRIX must be six usable numbers; it is ignored")
            }
        }
        let usable = calibration.flatMap { $0.isUsable ? $0 : nil } ?? .identity
        return usable.rotated(by: output.rotation)
    }

    private static func pixels(
        x: AxisRange, y: AxisRange, matrix: AffineMatrix, _ output: OutputSettings, _ warnings: inout [String]
    ) -> OutputSettings.Size {
        if let size = usable(output.sizePixels, named: "size", &warnings) { return size }
        let isUpright = abs(matrix.a) >= abs(matrix.b)
        return OutputSettings.Size(
            width: Double((isUpright ? x : y).count), height: Double((isUpright ? y : x).count))
    }

    private static func usable(
        _ size: OutputSettings.Size?, named name: String, _ warnings: inout [String]
    ) -> OutputSettings.Size? {
        guard let size else { return nil }
        let allowed = 0.1...largestOutput
        if allowed.contains(size.width) && allowed.contains(size.height) { return size }
        warnings.append("its output \(name) is not a valid size; it is ignored")
        return nil
    }

    private static func fromResolution(
        x: AxisRange, y: AxisRange, matrix: AffineMatrix, _ warnings: inout [String]
    ) -> OutputSettings.Size? {
        guard x.resolution > 0, y.resolution > 0 else { return nil }
        let (width, height) = (Double(x.count) / Double(x.resolution), Double(y.count) / Double(y.resolution))
        guard credible.contains(width), credible.contains(height) else {
            warnings.append(
                "its resolution implies a size of \(Int(width)) x \(Int(height)) mm, which is implausible; "
                    + "it is ignored")
            return nil
        }
        // The squared change of each output coordinate per millimetre on the glass. The size is the distance over which a
        // coordinate changes from 0 to 1.
        let acrossX = (matrix.a / width) * (matrix.a / width) + (matrix.b / height) * (matrix.b / height)
        let acrossY = (matrix.d / width) * (matrix.d / width) + (matrix.e / height) * (matrix.e / height)
        return OutputSettings.Size(width: 1 / acrossX.squareRoot(), height: 1 / acrossY.squareRoot())
    }

    private static func assumed(
        _ pixels: OutputSettings.Size, arePixels: Bool, _ warnings: inout [String]
    ) -> OutputSettings.Size {
        let longSide = max(pixels.width, pixels.height)
        let isCredible = arePixels || longSide * assumedMillimetersPerPixel <= largestAssumed
        let factor = isCredible ? assumedMillimetersPerPixel : nominalLongSide / longSide
        let size = OutputSettings.Size(width: pixels.width * factor, height: pixels.height * factor)
        warnings.append(
            "its size is unknown and assumed to be \(Int(size.width.rounded())) x \(Int(size.height.rounded())) mm; "
                + "set output = { size_mm = [width, height] } in its [[device]]")
        return size
    }
}
