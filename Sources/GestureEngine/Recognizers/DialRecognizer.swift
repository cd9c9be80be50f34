// SPDX-License-Identifier: MIT

/// The settings of a dial. Angles are in degrees, lengths in millimetres.
package struct DialSettings: Hashable, Sendable {
    /// The point around which the finger turns.
    package enum Center: Hashable, Sendable {
        /// The middle of the region.
        case region
        /// The centre of the circle that the finger draws.
        case drawn
    }

    /// The point around which the finger turns. Default: the middle of the region.
    package var center = Center.region
    /// The turn in degrees at which the dial begins. Default 8, as for a rotation.
    package var start = 8.0
    /// The directions in which the dial can begin. Default both.
    package var directions = [RotateSettings.Direction.clockwise, .counterclockwise]
    /// The degrees of one step. Updates are sent when the number of steps changes. Default 0: no steps.
    package var step = 0.0
    /// The distance in millimetres from the centre within which the angle is not judged. Default 5.
    package var minRadius = 5.0

    package init() {}
}

extension DialSettings: RecognizerSettings {
    var fingers: Int { 1 }

    func makeRecognizer(_ contacts: RegionContacts, in region: Region, isAwaited: Bool) -> Recognizer? { nil }
}
