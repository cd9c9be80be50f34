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
