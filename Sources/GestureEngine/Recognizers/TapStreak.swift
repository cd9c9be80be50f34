// SPDX-License-Identifier: MIT

/// Taps in a row: how many there were, and the one that waits for the next.
struct TapStreak {
    private let settings: TapSettings
    /// The highest count configured in the region for this number of fingers.
    private let longestCount: Int
    /// Taps so far; 0 when there is no streak.
    private(set) var count = 0
    /// Where the contacts of its first tap landed.
    private var origin = Point.zero
    private var lastLift = Timestamp(microseconds: 0)
    /// The sequence of its first tap, also after it has come to its end.
    private(set) var firstSequence = SequenceID(0)
    /// The sequence of its last tap.
    private var lastSequence = SequenceID(0)
    /// The sequence in which the gesture was recognized that waits for the streak to end (`wait`), or has waited for it.
    private var waiting: SequenceID?

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

    /// The fate of a tap of this sequence: as a part of the gesture, or as the gesture itself.
    func fate(of sequence: SequenceID) -> StreakFate {
        isPartial && sequence >= firstSequence ? .pending : fate(ofWaiting: sequence)
    }

    /// The fate of the gesture itself.
    func fate(ofWaiting sequence: SequenceID) -> StreakFate {
        guard waiting == sequence else { return .void }
        return isUnderWay ? .pending : .due
    }

    /// All contacts of the next tap are down: one that is too far from the first ends the streak and begins its own.
    mutating func land(at position: Point) -> RecognizerAnswer? {
        defer { if count == 0 { origin = position } }
        let apart = (position - origin).length
        guard count > 0, apart.exceeds(settings.distance) else { return nil }
        return end(GestureFailure(.tooFarApart, value: apart, limit: settings.distance))
    }

    /// A tap is complete.
    /// - Returns: whether the gesture, which it makes, waits for the streak to end; `nil`: it does not make the gesture.
    mutating func add(_ sequence: SequenceID, at now: Timestamp) -> Bool? {
        count += 1
        if count == 1 { firstSequence = sequence }
        lastLift = now
        lastSequence = sequence
        // What waited was not the end of the streak.
        waiting = nil
        let isGesture = count == settings.count
        let isLongest = count >= longestCount
        if isLongest { count = 0 }
        guard isGesture else { return nil }
        let waits = !isLongest && settings.wait
        if waits { waiting = sequence }
        return waits
    }

    /// No further tap came in time.
    mutating func expire() -> RecognizerAnswer? {
        let gap = settings.gap.inMilliseconds
        return end(GestureFailure(.noFurtherTap, value: gap, limit: gap))
    }

    /// No further tap follows: what waited is due.
    /// - Parameter failure: why a longer streak has come to nothing, if that is for this to say.
    mutating func end(_ failure: GestureFailure? = nil) -> RecognizerAnswer? {
        defer { count = 0 }
        guard let failure, isPartial else { return nil }
        return .fail(failure, in: lastSequence)
    }
}
