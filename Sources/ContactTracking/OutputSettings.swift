// SPDX-License-Identifier: MIT

/// How a panel's own axes become an output's pixels and millimetres (`[[device]]` of the configuration).
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
        /// The device's `LIBINPUT_CALIBRATION_MATRIX`, as the compositor does.
        case udev
        case none
        case matrix(AffineMatrix)
    }

    /// Pixels of the output; `nil`: as many as the device has units.
    package var sizePixels: Size?
    /// Of the glass, in the output's orientation; `nil`: from the device's resolution.
    package var sizeMillimeters: Size?
    /// After the calibration.
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
