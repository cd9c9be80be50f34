// SPDX-License-Identifier: MIT

/// Identifies a pattern of a panel, also after its region has been replaced.
package struct PatternKey: Hashable, Sendable {
    /// The id of the region, not its name.
    package var region: String
    /// The name of the gesture.
    package var gesture: String

    package init(region: String, gesture: String) {
        (self.region, self.gesture) = (region, gesture)
    }
}

/// The wrong steps of a pattern, which decide whether it is locked out. They outlive the pattern, the engine and the
/// daemon, because a hand at the panel can end each of these.
package struct WrongSteps: Hashable, Sendable {
    /// The number of wrong steps since the last right sequence, or since all earlier ones were forgotten.
    package private(set) var count = 0
    /// The time of the last one, at which the lockout has begun if there is one.
    package private(set) var latest = Timestamp(microseconds: .min)
    /// The time at which all of them are forgotten.
    package private(set) var end = Timestamp(microseconds: .min)

    package init() {}

    package init(count: Int, latest: Timestamp, end: Timestamp) {
        (self.count, self.latest, self.end) = (count, latest, end)
    }

    /// Adds one, unless the pattern is never locked out.
    mutating func add(at time: Timestamp, _ settings: PatternSettings) {
        guard settings.lockout > .zero else { return }
        count = (time < end ? count : 0) + 1
        latest = time
        end = time + max(settings.lockout, PatternSettings.shortestMemory)
    }

    /// Takes back the last ones.
    mutating func remove(_ number: Int) {
        count = max(0, count - number)
    }

    /// The end of the lockout that they cause; `nil` if there are too few.
    func lockoutEnd(_ settings: PatternSettings) -> Timestamp? {
        settings.lockout > .zero && count >= settings.attempts ? latest + settings.lockout : nil
    }
}
