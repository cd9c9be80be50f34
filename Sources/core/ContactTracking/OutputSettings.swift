// SPDX-License-Identifier: MIT

/// The mapping of a panel's axes to an output's pixels and millimetres (`[[device]]` of the configuration).
package struct OutputSettings: Hashable, Sendable {
    /// A width and a height, both finite and positive.
    package struct Size: Hashable, Sendable {
        package var width: Double
        package var height: Double

        package init(width: Double, height: Double) {
            self.width = width
            self.height = height
        }

        /// The size of the same output on its side.
        var turned: Self { Self(width: height, height: width) }
    }

    /// A clockwise rotation in degrees, perhaps followed by a reflection that exchanges left and right. The raw values
    /// are the names of `wl_output`'s transforms, which map touches in the same way.
    package enum Rotation: String, Hashable, Sendable, CaseIterable {
        case none = "0"
        case quarter = "90"
        case half = "180"
        case threeQuarters = "270"
        case flipped
        case flippedQuarter = "flipped-90"
        case flippedHalf = "flipped-180"
        case flippedThreeQuarters = "flipped-270"

        /// - Parameter degrees: 0, 90, 180 or 270; for other values, returns `nil`.
        package init?(degrees: Int, isFlipped: Bool) {
            let rotation = Self.allCases.first { $0.degrees == degrees && $0.isFlipped == isFlipped }
            guard let rotation else { return nil }
            self = rotation
        }

        /// 0, 90, 180 or 270, without the reflection.
        package var degrees: Int {
            switch self {
            case .none, .flipped: 0
            case .quarter, .flippedQuarter: 90
            case .half, .flippedHalf: 180
            case .threeQuarters, .flippedThreeQuarters: 270
            }
        }

        package var isFlipped: Bool {
            switch self {
            case .none, .quarter, .half, .threeQuarters: false
            case .flipped, .flippedQuarter, .flippedHalf, .flippedThreeQuarters: true
            }
        }

        /// The rotation that undoes this one. A reflection undoes itself.
        package var inverse: Self {
            switch self {
            case .quarter: .threeQuarters
            case .threeQuarters: .quarter
            case .none, .half, .flipped, .flippedQuarter, .flippedHalf, .flippedThreeQuarters: self
            }
        }

        /// Whether width and height are exchanged.
        package var isOnSide: Bool { degrees % 180 != 0 }
    }

    /// The source of the calibration.
    package enum Calibration: Hashable, Sendable {
        /// udev's `LIBINPUT_CALIBRATION_MATRIX`, as used by the compositor.
        case udev
        case none
        case matrix(AffineMatrix)
    }

    /// The size of the output in pixels; `nil` uses one pixel for each unit of the device.
    package var sizePixels: Size?
    /// The size of the glass in the output's orientation; `nil` uses the device's resolution.
    package var sizeMillimeters: Size?
    /// The rotation after the calibration.
    package var rotation: Rotation
    /// The calibration, which precedes the rotation. Default: udev's.
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

    /// The settings with a change made by a client. If the change turns the output on its side, or back, the sizes
    /// that it does not set are turned as well, because they are those after the rotation.
    package func applying(_ change: OutputChange?) -> Self {
        guard let change else { return self }
        var result = self
        if let rotation = change.rotation {
            result.rotation = rotation
            if rotation.isOnSide != self.rotation.isOnSide {
                result.sizePixels = sizePixels?.turned
                result.sizeMillimeters = sizeMillimeters?.turned
            }
        }
        if let size = change.sizePixels { result.sizePixels = size }
        return result
    }
}

/// The rotation and the size that a client has set for a panel. A property that is `nil` keeps the configured value.
package struct OutputChange: Hashable, Sendable {
    package var rotation: OutputSettings.Rotation?
    package var sizePixels: OutputSettings.Size?
    /// Whether a client that may not see private regions has set it. While there are any, it is not used.
    package var isOutsider: Bool

    package init(
        rotation: OutputSettings.Rotation? = nil, sizePixels: OutputSettings.Size? = nil, isOutsider: Bool = false
    ) {
        self.rotation = rotation
        self.sizePixels = sizePixels
        self.isOutsider = isOutsider
    }

    package var isEmpty: Bool { rotation == nil && sizePixels == nil }
}

/// `u' = a·u + b·v + c`, `v' = d·u + e·v + f`: libinput's order, for coordinates from 0 to 1.
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

    /// The numbers in libinput's order.
    package var coefficients: [Double] { [a, b, c, d, e, f] }

    /// Parses six numbers separated by spaces, as in udev's `LIBINPUT_CALIBRATION_MATRIX`; `nil` for anything else.
    ///
    /// Accepts exactly the same texts as libinput, which the compositor uses for calibration. Text after six numbers
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

    /// This is larger than any panel needs, but small enough to keep all products finite.
    private static let largestElement = 1000.0
    /// A matrix that shrinks the panel to less than a thousandth in both directions is a mistake.
    private static let smallestDeterminant = 1e-6

    /// Whether the matrix is invertible and its elements have a plausible size.
    package var isUsable: Bool {
        for element in [a, b, c, d, e, f] where !(abs(element) <= Self.largestElement) { return false }
        return abs(a * e - b * d) >= Self.smallestDeterminant
    }

    package func applied(_ u: Double, _ v: Double) -> (Double, Double) { (u * a + v * b + c, u * d + v * e + f) }

    /// This mapping followed by a rotation of the unit square.
    package func rotated(by rotation: OutputSettings.Rotation) -> AffineMatrix {
        switch rotation {
        case .none: self
        case .quarter: AffineMatrix(-d, -e, 1 - f, a, b, c)
        case .half: AffineMatrix(-a, -b, 1 - c, -d, -e, 1 - f)
        case .threeQuarters: AffineMatrix(d, e, f, -a, -b, 1 - c)
        case .flipped: AffineMatrix(-a, -b, 1 - c, d, e, f)
        case .flippedQuarter: AffineMatrix(d, e, f, a, b, c)
        case .flippedHalf: AffineMatrix(a, b, c, -d, -e, 1 - f)
        case .flippedThreeQuarters: AffineMatrix(-d, -e, 1 - f, -a, -b, 1 - c)
        }
    }
}
