// SPDX-License-Identifier: MIT

/// How a panel's axes map to an output's pixels and millimetres (`[[device]]` of the configuration).
package struct OutputSettings: Hashable, Sendable {
    /// A width and a height, both finite and greater than zero.
    package struct Size: Hashable, Sendable {
        package var width: Double
        package var height: Double

        package init(width: Double, height: Double) {
            self.width = width
            self.height = height
        }
    }

    /// Clockwise, in degrees.
    package enum Rotation: Int, Hashable, Sendable, CaseIterable {
        case none = 0
        case quarter = 90
        case half = 180
        case threeQuarters = 270
    }

    package enum Calibration: Hashable, Sendable {
        /// udev's `LIBINPUT_CALIBRATION_MATRIX`, as for the compositor.
        case udev
        case none
        case matrix(AffineMatrix)
    }

    /// The output in pixels; when `nil`, one for each unit of the device.
    package var sizePixels: Size?
    /// The glass in the output's orientation; when `nil`, from the device's resolution.
    package var sizeMillimeters: Size?
    /// Follows the calibration.
    package var rotation: Rotation
    package var calibration: Calibration

    package init(
        sizePixels: Size? = nil, sizeMillimeters: Size? = nil, rotation: Rotation = .none,
        calibration: Calibration = .udev
    ) {
        self.sizePixels = sizePixels
        self.sizeMillimeters = sizeMillimeters
        self.rotation = rotation
        self.calibration = calibration
    }
}

/// `u' = a·u + b·v + c`, `v' = d·u + e·v + f`: libinput's order, on coordinates from 0 to 1.
package struct AffineMatrix: Hashable, Sendable, BitwiseCopyable {
    package var a, b, c, d, e, f: Double

    package init(_ a: Double, _ b: Double, _ c: Double, _ d: Double, _ e: Double, _ f: Double) {
        self.a = a
        self.b = b
        self.c = c
        self.d = d
        self.e = e
        self.f = f
    }

    package static let identity = AffineMatrix(1, 0, 0, 0, 1, 0)

    /// Six numbers separated by blanks, as in udev's `LIBINPUT_CALIBRATION_MATRIX`; `nil` for anything else.
    ///
    /// Accepts exactly what libinput accepts, because the compositor calibrates with it: what follows six numbers
    /// (as in a matrix of nine) is ignored, and numbers have no exponent.
    package init?(parsing text: String) {
        var numbers: [Double] = []
        for field in text.split(separator: " ").prefix(6) {
            guard field.utf8.allSatisfy({ Self.isOfNumber($0) }), let number = Double(field) else { return nil }
            numbers.append(number)
        }
        guard numbers.count == 6 else { return nil }
        self.init(numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5])
    }

    private static func isOfNumber(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "+"): true
        default: false
        }
    }

    /// No panel needs a larger one, and all products stay finite.
    private static let largestElement = 1000.0
    /// An image of a thousandth of the panel in both directions is a mistake.
    private static let smallestDeterminant = 1e-6

    /// Whether it maps a plane to a plane, with numbers of a sensible size.
    package var isUsable: Bool {
        for element in [a, b, c, d, e, f] where !(abs(element) <= Self.largestElement) { return false }
        return abs(a * e - b * d) >= Self.smallestDeterminant
    }

    func applied(_ u: Double, _ v: Double) -> (Double, Double) { (u * a + v * b + c, u * d + v * e + f) }

    /// This mapping followed by a rotation of the unit square.
    package func rotated(by rotation: OutputSettings.Rotation) -> AffineMatrix {
        switch rotation {
        case .none: self
        case .quarter: AffineMatrix(-d, -e, 1 - f, a, b, c)
        case .half: AffineMatrix(-a, -b, 1 - c, -d, -e, 1 - f)
        case .threeQuarters: AffineMatrix(d, e, f, -a, -b, 1 - c)
        }
    }
}
