// SPDX-License-Identifier: MIT
import GestureClient

/// A turn of the wheel: in units of 1/120 step, and in whole steps. Positive numbers turn up and to the right.
package struct WheelTurn: Hashable, Sendable {
    package var x: Int32 = 0
    package var y: Int32 = 0
    package var stepsX: Int32 = 0
    package var stepsY: Int32 = 0

    package init(x: Int32 = 0, y: Int32 = 0, stepsX: Int32 = 0, stepsY: Int32 = 0) {
        (self.x, self.y, self.stepsX, self.stepsY) = (x, y, stepsX, stepsY)
    }
}

/// Turns the translation of a drag into turns of the wheel. The content follows the finger: a finger that moves down
/// turns the wheel up, and one that moves to the right turns it to the left.
struct WheelMotion {
    /// The number of units of a step, as the kernel defines it (`REL_WHEEL_HI_RES`).
    static let unitsPerStep: Int32 = 120

    let wheel: Wheel
    private var x = Axis()
    private var y = Axis()

    init(_ wheel: Wheel) { self.wheel = wheel }

    /// - Parameter translation: the distance from the start of the drag, in output pixels.
    /// - Returns: `nil` if the wheel does not turn.
    mutating func turn(to translation: GestureClient.Point) -> WheelTurn? {
        let scale = Double(Self.unitsPerStep) / Double(wheel.step)
        let (unitsX, stepsX) = wheel.x ? x.turn(to: -translation.x * scale) : (0, 0)
        let (unitsY, stepsY) = wheel.y ? y.turn(to: translation.y * scale) : (0, 0)
        guard unitsX != 0 || unitsY != 0 else { return nil }
        return WheelTurn(x: unitsX, y: unitsY, stepsX: stepsX, stepsY: stepsY)
    }

    /// The position of one wheel.
    private struct Axis {
        /// The longest turn at once, in units. No finger moves as fast.
        private static let most: Double = 120 * 100

        /// The units that have been reported.
        private var reported = 0.0
        /// The units that do not yet make up a whole step.
        private var remainder: Int32 = 0

        mutating func turn(to target: Double) -> (units: Int32, steps: Int32) {
            guard target.isFinite else { return (0, 0) }
            let distance = (target - reported).rounded(.towardZero)
            reported += distance
            let units = Int32(min(max(distance, -Self.most), Self.most))
            remainder += units
            let steps = remainder / WheelMotion.unitsPerStep
            remainder -= steps * WheelMotion.unitsPerStep
            return (units, steps)
        }
    }
}
