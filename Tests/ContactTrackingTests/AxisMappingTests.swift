// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine
import Testing

@Suite("Axis mapping")
struct AxisMappingTests {
    private func device(
        x: AxisRange = AxisRange(minimum: 0, maximum: 1999, resolution: 10),
        y: AxisRange = AxisRange(minimum: 0, maximum: 999, resolution: 10), matrix: String? = nil
    ) -> DeviceDescription {
        var device = TrackerScript.touchscreen(axes: [0x2f: AxisRange(minimum: 0, maximum: 9), 0x35: x, 0x36: y])
        device.udev["LIBINPUT_CALIBRATION_MATRIX"] = matrix
        return device
    }

    /// A position in pixels, rounded to two decimals.
    private func pixels(_ mapping: AxisMapping, _ x: Int32, _ y: Int32) -> [Double] {
        let point = mapping.point(x: x, y: y)
        let size = mapping.panelSize
        return [point.x / size.millimetersPerPixelX, point.y / size.millimetersPerPixelY].map {
            ($0 * 100).rounded() / 100
        }
    }

    /// A panel of 200 x 100 mm and 2000 x 1000 units on an output of 1000 x 500 pixels, or 500 x 1000 if it is turned.
    @Test(
        arguments: [
            (.none, 1000, 500, [100, 50], [900, 50]), (.quarter, 500, 1000, [450, 100], [450, 900]),
            (.half, 1000, 500, [900, 450], [100, 450]), (.threeQuarters, 500, 1000, [50, 900], [50, 100]),
        ] as [(OutputSettings.Rotation, Double, Double, [Double], [Double])])
    func rotation(
        _ rotation: OutputSettings.Rotation, width: Double, height: Double, topLeft: [Double], topRight: [Double]
    ) {
        let output = OutputSettings(sizePixels: .init(width: width, height: height), rotation: rotation)
        let mapping = AxisMapping(device(), output: output)
        #expect(pixels(mapping, 200, 100) == topLeft)
        #expect(pixels(mapping, 1800, 100) == topRight)
        let isTurned = rotation == .quarter || rotation == .threeQuarters
        #expect(mapping.panelSize.widthMillimeters == (isTurned ? 100 : 200))
        #expect(mapping.panelSize.heightMillimeters == (isTurned ? 200 : 100))
        #expect(mapping.isSizeKnown && mapping.warnings.isEmpty)
    }

    /// wlroots maps a touch on an output with these formulas (`apply_output_transform` in `types/wlr_cursor.c`). `x` and `y`
    /// are fractions of the panel.
    private static let wlroots: [(String, @Sendable (Double, Double) -> (Double, Double))] = [
        ("0", { ($0, $1) }), ("90", { (1 - $1, $0) }), ("180", { (1 - $0, 1 - $1) }), ("270", { ($1, 1 - $0) }),
        ("flipped", { (1 - $0, $1) }), ("flipped-90", { ($1, $0) }), ("flipped-180", { ($0, 1 - $1) }),
        ("flipped-270", { (1 - $1, 1 - $0) }),
    ]

    @Test("each rotation maps touches as wlroots does for the transform of the same name")
    func transforms() throws {
        #expect(Self.wlroots.map(\.0) == OutputSettings.Rotation.allCases.map(\.rawValue))
        for (word, transform) in Self.wlroots {
            let rotation = try #require(OutputSettings.Rotation(rawValue: word))
            let configured = OutputSettings(sizePixels: .init(width: 1000, height: 500))
            let output = configured.applying(OutputChange(rotation: rotation))
            let mapping = AxisMapping(device(), output: output)
            let size = try #require(output.sizePixels)
            #expect(size == (rotation.isOnSide ? .init(width: 500, height: 1000) : configured.sizePixels))
            #expect(mapping.panelSize.widthMillimeters == (rotation.isOnSide ? 100 : 200))
            for (x, y) in [(0.1, 0.2), (0.9, 0.2), (0.9, 0.6), (0.1, 0.6)] {
                let place = transform(x, y)
                let found = pixels(mapping, Int32(x * 2000), Int32(y * 1000))
                #expect(abs(found[0] - place.0 * size.width) < 0.01, "\(word) \(x) \(y)")
                #expect(abs(found[1] - place.1 * size.height) < 0.01, "\(word) \(x) \(y)")
            }
            #expect(OutputSettings.Rotation(degrees: rotation.degrees, isFlipped: rotation.isFlipped) == rotation)
        }
        #expect(OutputSettings.Rotation(degrees: 45, isFlipped: false) == nil)
    }

    /// A calibration matrix that rotates has the same effect as `rotation`.
    @Test(
        arguments: [
            ("1 0 0 0 1 0", .none), ("0 -1 1 1 0 0", .quarter), ("-1 0 1 0 -1 1", .half),
            ("0 1 0 -1 0 1", .threeQuarters),
        ] as [(String, OutputSettings.Rotation)])
    func matrixThatTurns(matrix: String, rotation: OutputSettings.Rotation) {
        let turned = AxisMapping(device(matrix: matrix), output: OutputSettings())
        let rotated = AxisMapping(device(), output: OutputSettings(rotation: rotation))
        #expect(turned == rotated)
        let ignored = AxisMapping(device(matrix: matrix), output: OutputSettings(calibration: .none))
        #expect(ignored == AxisMapping(device(), output: OutputSettings()))
    }

    /// The output covers half of the device in each direction, so its size in millimetres is half of the device's.
    @Test func matrixThatScales() {
        let matrix = AffineMatrix(2, 0, -0.5, 0, 2, -0.5)
        let mapping = AxisMapping(
            device(), output: OutputSettings(sizePixels: .init(width: 1000, height: 500), calibration: .matrix(matrix)))
        #expect(pixels(mapping, 1000, 500) == [500, 250])
        #expect(pixels(mapping, 500, 250) == [0, 0])
        #expect(pixels(mapping, 499, 0) == [0, 0])
        #expect(mapping.panelSize.widthMillimeters == 100)
        #expect(mapping.panelSize.heightMillimeters == 50)
        #expect(abs(mapping.millimetersPerUnit - 0.1) < 1e-12)
    }

    @Test(arguments: [
        "", "1 0 0 0 1", "a b c d e f", "0 0 0 0 0 0", "1 1 0 1 1 0", "nan 0 0 0 1 0", "inf 0 0 0 1 0",
        "1e0 0 0 0 0.5 0", "0x2 0 0 0 2 0", "1e300 0 0 0 1e300 0", "1000.1 0 0 0 1 0", "1,0,0,0,1,0",
        "1\t0\t0\t0\t1\t0",
    ])
    func unusableMatrix(matrix: String) {
        let mapping = AxisMapping(device(matrix: matrix), output: OutputSettings())
        #expect(mapping.warnings.count == 1)
        #expect(pixels(mapping, 100, 100) == [100, 100])
    }

    /// Compares positions with those of `libinput debug-events` 1.22 for a panel of 4096 x 4096 units with this udev
    /// property, as percentages of the output. libinput rounds to whole units, prints two decimals and does not clamp.
    @Test(
        arguments: [
            ("1 0 0 0 1 0", [(0, 0), (99.98, 0), (99.98, 99.98), (24.41, 73.24), (50, 50)]),
            ("-1 0 1 0 -1 1", [(100, 100), (0.02, 100), (0.02, 0.02), (75.59, 26.76), (50, 50)]),
            ("0 1 0 -1 0 1", [(0, 100), (0, 0.02), (99.98, 0.02), (73.24, 75.59), (50, 50)]),
            ("0.8 0.1 0.05 -0.1 0.8 0.1", [(4.98, 9.99), (84.96, 0), (94.97, 79.98), (31.84, 66.14), (50, 45)]),
            ("2 0 -0.5 0 2 -0.5", [(-50, -50), (149.95, -50), (149.95, 149.95), (-1.17, 96.48), (50, 50)]),
            (
                "1.02 -0.003 -0.011 0.002 0.97 0.013 0 0 1",
                [(-1.10, 1.29), (100.85, 1.49), (100.56, 98.46), (23.56, 72.39), (49.73, 49.88)]
            ),
        ] as [(String, [(Double, Double)])])
    func asTheCompositor(matrix: String, places: [(Double, Double)]) {
        let axis = AxisRange(minimum: 0, maximum: 4095, resolution: 26)
        let mapping = AxisMapping(device(x: axis, y: axis, matrix: matrix), output: OutputSettings())
        #expect(mapping.warnings.isEmpty)
        let touches: [(Int32, Int32)] = [(0, 0), (4095, 0), (4095, 4095), (1000, 3000), (2048, 2048)]
        for (touch, place) in zip(touches, places) {
            let found = pixels(mapping, touch.0, touch.1)
            // The tolerance is one unit plus half of the last decimal.
            let tolerance = 1 + 0.005 / 100 * 4096
            #expect(abs(found[0] - min(max(place.0, 0), 100) / 100 * 4096) <= tolerance, "\(touch)")
            #expect(abs(found[1] - min(max(place.1, 0), 100) / 100 * 4096) <= tolerance, "\(touch)")
        }
    }

    @Test(
        arguments: [
            (nil, .none, "0,0 1000,0 1000,500 0,500"), (nil, .half, "1000,500 0,500 0,0 1000,0"),
            ("2 0 -0.5 0 2 -0.5", .none, "-500,-250 1500,-250 1500,750 -500,750"),
            ("0.5 0 0.25 0 1 0", .half, "750,500 250,500 250,0 750,0"),
        ] as [(String?, OutputSettings.Rotation, String)])
    func corners(matrix: String?, rotation: OutputSettings.Rotation, expected: String) {
        let output = OutputSettings(
            sizePixels: .init(width: 1000, height: 500), sizeMillimeters: .init(width: 200, height: 100),
            rotation: rotation)
        let mapping = AxisMapping(device(matrix: matrix), output: output)
        let found = mapping.corners.map { "\(Int(($0.x * 5).rounded())),\(Int(($0.y * 5).rounded()))" }
        #expect(found.joined(separator: " ") == expected)
    }

    @Test func rotationComesAfterTheMatrix() {
        // The position is mirrored and then rotated clockwise by a quarter turn.
        let output = OutputSettings(
            sizePixels: .init(width: 500, height: 1000), rotation: .quarter,
            calibration: .matrix(AffineMatrix(-1, 0, 1, 0, 1, 0)))
        #expect(pixels(AxisMapping(device(), output: output), 200, 100) == [450, 900])
    }

    @Test(
        arguments: [
            (10_000, 20_000, 15_000, 0.5), (-2000, 2000, 0, 0.5), (-32768, 32767, -32768, 0), (.min, .max, 0, 0.5),
            (.min, .max, .max, 1), (0, 1, 1, 0.5),
        ] as [(Int32, Int32, Int32, Double)])
    func rangeNeedNotBeginAtZero(minimum: Int32, maximum: Int32, value: Int32, share: Double) {
        let axis = AxisRange(minimum: minimum, maximum: maximum)
        let output = OutputSettings(
            sizePixels: .init(width: 1000, height: 1000), sizeMillimeters: .init(width: 100, height: 100))
        let point = AxisMapping(device(x: axis, y: axis), output: output).point(x: value, y: value)
        #expect(abs(point.x - share * 100) < 0.02)
        #expect(point.x == point.y && point.x < 100)
    }

    /// If two regions share a border at x pixels, every unit of the axis lies in the correct one of the two.
    @Test(arguments: [(1999, 1000.0), (4095, 1920), (32767, 1920), (1079, 333)] as [(Int32, Double)])
    func pixelsAreExact(maximum: Int32, width: Double) {
        let axis = AxisRange(minimum: 0, maximum: maximum)
        let output = OutputSettings(
            sizePixels: .init(width: width, height: 100), sizeMillimeters: .init(width: 345.6, height: 20))
        let mapping = AxisMapping(device(x: axis, y: axis), output: output)
        for unit in 0...maximum {
            let exact = Double(unit) * width / Double(Int64(maximum) + 1)
            let point = mapping.point(x: unit, y: 0)
            let snapped = (exact * 1024).rounded(.toNearestOrEven) / 1024
            #expect(point.x == min(snapped, width - 1 / 1024) * mapping.panelSize.millimetersPerPixelX)
        }
    }

    @Test func sizeOfTheConfigurationIsInTheOutputsOrientation() {
        let output = OutputSettings(sizeMillimeters: .init(width: 90, height: 160), rotation: .quarter)
        let size = AxisMapping(device(), output: output).panelSize
        #expect(size == PanelSize(widthPixels: 1000, heightPixels: 2000, widthMillimeters: 90, heightMillimeters: 160))
    }

    @Test(arguments: [
        // Without a resolution, 96 units per inch are assumed if that gives a credible size. Otherwise the panel is
        // assumed to be 256 mm wide.
        (AxisRange(minimum: 0, maximum: 1919), AxisRange(minimum: 0, maximum: 1079), 508.0, 285.75, 1),
        (AxisRange(minimum: 0, maximum: 32767), AxisRange(minimum: 0, maximum: 16383), 256, 128, 1),
        // If only one axis has a valid resolution, it is ignored.
        (AxisRange(minimum: 0, maximum: 1919, resolution: 4), AxisRange(minimum: 0, maximum: 1079), 508, 285.75, 1),
        (
            AxisRange(minimum: 0, maximum: 1919, resolution: -4), AxisRange(minimum: 0, maximum: 1079, resolution: -4),
            508, 285.75, 1
        ),
        // Sizes of 20 m and of 3 mm are not credible.
        (
            AxisRange(minimum: 0, maximum: 20479, resolution: 1), AxisRange(minimum: 0, maximum: 15359, resolution: 1),
            256, 192, 2
        ),
        (
            AxisRange(minimum: 0, maximum: 319, resolution: 100), AxisRange(minimum: 0, maximum: 239, resolution: 100),
            84.67, 63.5, 2
        ),
        // The size of a 100-inch panel is credible.
        (
            AxisRange(minimum: 0, maximum: 32767, resolution: 15),
            AxisRange(minimum: 0, maximum: 32767, resolution: 26), 2184.53, 1260.31, 0
        ),
    ])
    func sizeWithoutAConfiguration(x: AxisRange, y: AxisRange, width: Double, height: Double, warnings: Int) {
        let mapping = AxisMapping(device(x: x, y: y), output: OutputSettings())
        #expect(abs(mapping.panelSize.widthMillimeters - width) < 0.01)
        #expect(abs(mapping.panelSize.heightMillimeters - height) < 0.01)
        #expect(mapping.warnings.count == warnings)
        #expect(mapping.isSizeKnown == (warnings == 0))
    }

    @Test(arguments: [0, -1, .nan, .infinity, 1e9])
    func sizeThatIsNone(width: Double) {
        let wrong = OutputSettings.Size(width: width, height: 100)
        let mapping = AxisMapping(device(), output: OutputSettings(sizePixels: wrong, sizeMillimeters: wrong))
        #expect(mapping.warnings.count == 2)
        #expect(mapping.panelSize == AxisMapping(device(), output: OutputSettings()).panelSize)
    }

    @Test func deviceWithoutAxes() {
        let mapping = AxisMapping(DeviceDescription(), output: OutputSettings())
        #expect(mapping.point(x: .max, y: .min).x.isFinite)
    }
}
