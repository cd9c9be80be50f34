// SPDX-License-Identifier: MIT

/// The settings of a tap. Lengths are in millimetres.
package struct TapSettings: Hashable, Sendable {
    /// The moment at which the last tap of a streak is decided.
    package enum Moment: String, SettingWord {
        /// When its last contact lifts.
        case lift
        /// When its last contact lands.
        case landing
    }

    /// The number of contacts of a tap.
    package var fingers = 1
    /// The number of taps in the streak.
    package var count = 1
    /// Whether the gesture waits until a longer streak is impossible, instead of being recognized at once.
    package var wait = false
    /// The distance in millimetres that a contact may stray from its landing. Default 3; Flutter uses 2.9, Chromium 4.
    package var slop = 3.0
    /// The time within which contacts must lift after the first landing. Default 500 ms, the delay of a long press.
    package var maxTime = Interval.milliseconds(500)
    /// The time within which all contacts must land after the first. Default 100 ms: real fingers take up to 76 ms.
    package var group = Interval.milliseconds(100)
    /// The longest time from a tap's last lift to the next landing. Default 400 ms, as in GNOME.
    package var gap = Interval.milliseconds(400)
    /// A landing within this time after a lift and near its position is a bounce of the panel. Default 40 ms: panels
    /// lose contacts for 10-30 ms.
    package var minGap = Interval.milliseconds(40)
    /// The maximum distance of a bounce from that lift in millimetres. Default 15: a landing farther away is another
    /// finger.
    package var bounceDistance = 15.0
    /// The maximum distance in millimetres of a tap from the first tap of the streak. Default 16, as in Android.
    package var distance = 16.0
    /// The longest time from the first to the last lift of several contacts; `nil`: limited by `maxTime` only.
    package var maxLiftSpread: Interval?
    /// Whether the tap fails if a contact leaves the region. Default false.
    package var staysInside = false
    /// The shortest time from the first landing to the last lift. Default 0. Ghost touches last for 8 ms.
    package var minTime = Interval.zero
    /// The moment of the decision. Default lift.
    package var when = Moment.lift

    package init() {}

    /// Whether each tap is recognized by itself, whatever comes before and after it: a `button`. Its presses are not
    /// counted, because they may last and move too long for the taps of a streak.
    package var standsAlone: Bool {
        count == 1 && !wait && staysInside && slop == .infinity && maxTime == .unlimited
    }
}

extension TapSettings {
    package static let keys: [Setting] = [
        .fingers("fingers", \Self.fingers).limits(.tooManyContacts, .tooFewContacts),
        .count("count", \Self.count, in: 1...10).identity,
        .flag("wait", \Self.wait),
        .length("slop", \Self.slop, off: .infinity).limits(.moved, lenient: .above),
        .time("max_time", \Self.maxTime, atLeast: .shortest, off: .unlimited).limits(.tooLong, lenient: .above),
        .time("min_time", \Self.minTime).limits(.tooQuick, lenient: .below),
        .time("group", \Self.group).limits(.landedApart, lenient: .above),
        .time("gap", \Self.gap, atLeast: .shortest).limits(.noFurtherTap),
        .time("min_gap", \Self.minGap).limits(.bounce, lenient: .downToZero),
        .length("bounce_distance", \Self.bounceDistance),
        .length("distance", \Self.distance).limits(.tooFarApart, lenient: .above),
        .time("max_lift_spread", \Self.maxLiftSpread).limits(.liftedApart, lenient: .above),
        .flag("inside", \Self.staysInside).limits(.leftRegion),
        .word("when", \Self.when).identity,
    ]
}

extension TapSettings: RecognizerSettings {
    var watchesInside: Bool { staysInside }
    var decision: Decision { when == .landing ? .landing() : .lift }
    var latestFailure: LatestFailure { maxTime == .unlimited ? .lift : .after(maxTime) }
    var demand: Demand { .touch(minTime) }

    func makeRecognizer(_ contacts: RegionContacts, in region: Region, isAwaited: Bool) -> Recognizer? {
        TapRecognizer(self, in: region, longestCount: longestCount(in: region), contacts)
    }

    /// The highest tap count configured in the region for this number of fingers; 1 for a tap that stands alone.
    func longestCount(in region: Region) -> Int {
        var longest = 1
        if standsAlone { return longest }
        for gesture in region.gestures {
            if case .tap(let settings) = gesture.settings, settings.fingers == fingers {
                longest = max(longest, settings.count)
            }
        }
        return longest
    }
}

extension Region {
    /// Whether one of the taps waits for the end of a streak (`wait`, `unless`).
    var hasWaitingTap: Bool {
        gestures.contains { gesture in
            guard case .tap(let settings) = gesture.settings else { return false }
            return settings.wait || !gesture.unless.isEmpty
        }
    }
}

extension TapRecognizer {
    /// Creates the tap counter of a region; `nil` if no gesture has `taps`. It counts the taps before such gestures
    /// according to the region's tap settings. Whether one of them may begin is decided when its first contact lands.
    static func counter(of region: Region, _ contacts: RegionContacts) -> TapRecognizer? {
        let taps = region.gestures.map { $0.settings.common.taps }.max() ?? 0
        guard taps > 0 else { return nil }
        var settings = region.taps
        settings.fingers = 1
        settings.wait = false
        settings.count = taps + 1
        settings.count = max(settings.count, settings.longestCount(in: region))
        return TapRecognizer(settings, in: region, longestCount: settings.count, contacts)
    }

    /// The number of taps before the contact that is down; 0 for a bounce.
    var tapsBefore: Int {
        if case .tracking = state { streak.count } else { 0 }
    }

    /// Whether the streak may end with exactly this number of taps, followed by a landing.
    func mayReach(_ taps: Int) -> Bool {
        switch state {
        case .tracking: streak.count < taps
        case .idle, .bounced: streak.isUnderWay && streak.count <= taps
        case .failed: false
        }
    }

    /// Whether a contact that leaves the region makes the tap fail.
    var watchesInside: Bool { settings.staysInside }
}
