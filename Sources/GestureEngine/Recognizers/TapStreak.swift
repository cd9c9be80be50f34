// SPDX-License-Identifier: MIT

/// What an input makes of a tap.
struct TapAnswer {
    /// A tap that has happened.
    struct Tap {
        /// In which it happened; an earlier one if it waited for a longer streak.
        var sequence: SequenceID
        var fingers: Int
        var position: Point
        var count: Int
        var duration: Interval
    }

    /// Recognized now: by what just happened, or because nothing longer can come any more.
    var tap: Tap?
    /// Why the attempt, or the streak that was under way, came to nothing.
    var failure: GestureFailure?
    /// The sequence of the last tap of a streak that came to nothing; `nil`: the attempt did.
    var brokenStreak: SequenceID?

    static let none = TapAnswer()
}

/// Taps in a row: how many there were, and the one that waits for the next.
struct TapStreak {
    private let settings: TapSettings
    /// The highest count configured in the region for this number of fingers.
    private let longestCount: Int
    /// Taps so far; 0 when there is no streak.
    private(set) var count = 0
    /// Where the contacts of its first tap landed.
    private(set) var origin = Point.zero
    private var lastLift = Timestamp(microseconds: 0)
    /// The sequence of its first tap, also after it has come to its end.
    private(set) var firstSequence = SequenceID(0)
    /// The sequence of its last tap.
    private var lastSequence = SequenceID(0)
    /// The gesture has been recognized, and waits for the streak to end (`wait = true`).
    var waiting: TapAnswer.Tap?

    init(_ settings: TapSettings, longestCount: Int) {
        self.settings = settings
        self.longestCount = longestCount
    }

    var isUnderWay: Bool { count > 0 }

    /// Some of the taps that the gesture takes have come, and not all.
    var isPartial: Bool { count > 0 && count < settings.count }

    /// The next tap makes the gesture, which waits for nothing.
    var nextIsRecognized: Bool { count + 1 == settings.count && !(settings.wait && settings.count < longestCount) }

    /// When it is too late for a further tap.
    var deadline: Timestamp? { count > 0 ? lastLift + settings.gap : nil }

    /// A tap of `sequence` is one of those so far, and more may come.
    func mayContain(_ sequence: SequenceID) -> Bool { isPartial && sequence >= firstSequence }

    /// All contacts of the next tap are down: one that is too far from the first ends the streak and begins its own.
    /// - Parameter apart: millimetres from `origin`.
    mutating func land(at position: Point, apart: Double) -> TapAnswer {
        defer { if count == 0 { origin = position } }
        guard count > 0, apart.exceeds(settings.distance) else { return .none }
        return end(GestureFailure(.tooFarApart, value: apart, limit: settings.distance))
    }

    /// A tap is complete.
    mutating func add(_ tap: TapAnswer.Tap, at now: Timestamp) -> TapAnswer {
        count += 1
        if count == 1 { firstSequence = tap.sequence }
        lastLift = now
        lastSequence = tap.sequence
        // What waited was not the end of the streak.
        waiting = nil
        let isThis = count == settings.count
        if count >= longestCount {
            count = 0
        } else if isThis, settings.wait {
            waiting = tap
            return .none
        }
        return isThis ? TapAnswer(tap: tap) : .none
    }

    /// No further tap follows: what waited comes now.
    /// - Parameter failure: why a longer streak has come to nothing, if that is for this to say.
    mutating func end(_ failure: GestureFailure? = nil) -> TapAnswer {
        var answer = TapAnswer(tap: waiting)
        if let failure, isPartial {
            answer.failure = failure
            answer.brokenStreak = lastSequence
        }
        waiting = nil
        count = 0
        return answer
    }
}
