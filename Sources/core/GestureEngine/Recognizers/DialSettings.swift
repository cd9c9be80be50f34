// SPDX-License-Identifier: MIT

/// The settings of a dial. Angles are in degrees, lengths in millimetres.
package struct DialSettings: Hashable, Sendable {
    /// The point around which the finger turns.
    package enum Center: String, SettingWord {
        /// The middle of the region.
        case region
        /// The centre of the circle that the finger draws.
        case drawn
    }

    /// The point around which the finger turns. Default: the middle of the region.
    package var center = Center.region
    /// The turn in degrees at which the dial begins; around a drawn centre, at least `leastDrawn`. Default 4: with a
    /// radius of up to 43 mm, the dial begins before the drag of a list around it.
    package var start = 4.0
    /// The directions in which the dial can begin. Default both.
    package var directions = [RotateSettings.Direction.clockwise, .counterclockwise]
    /// The degrees of one step. Updates are sent when the number of steps changes. Default 0: no steps.
    package var step = 0.0
    /// The distance in millimetres from the centre within which the angle is not judged. Default 5.
    package var minRadius = 5.0
    /// The turn of a path in degrees that shows a circle. A finger that changes its direction, as in a V or a Z, turns by
    /// less.
    package static let leastDrawn = 150.0
    /// The smallest radius in millimetres of a circle that is drawn. On a smaller one, the path turns as at corners.
    package static let leastDrawnRadius = 4.0

    package init() {}
}

extension DialSettings {
    package static let keys: [Setting] = [
        .word("center", \Self.center),
        .degrees("start", \Self.start).limits(.smallTurn, lenient: .below),
        .words("directions", \Self.directions).limits(.wrongDirection),
        .degrees("step", \Self.step),
        .length("min_radius", \Self.minRadius).limits(.smallSpan, lenient: .below),
    ]
}

extension DialSettings: RecognizerSettings {
    var fingers: Int { 1 }
    var decision: Decision { .movement }
    var latestFailure: LatestFailure { .lift }
    var demand: Demand { .path }

    func makeRecognizer(_ contacts: RegionContacts, in region: Region, isAwaited: Bool) -> Recognizer? {
        DialRecognizer(self, region.bounds, contacts)
    }
}
