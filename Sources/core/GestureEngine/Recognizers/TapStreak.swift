// SPDX-License-Identifier: MIT

/// A series of taps: their number, and the gesture that waits for its end.
struct TapStreak {
    private let settings: TapSettings
    /// The highest tap count configured in the region for this number of fingers.
    private let longestCount: Int
    /// The number of taps so far; 0 without a streak.
    private(set) var count = 0
    /// The landing position of the first tap.
    private var origin = Point.zero
    private var lastLift = Timestamp(microseconds: 0)
    /// The sequence of the first tap. It is kept after the streak has ended, until a tap lands that starts another.
    private(set) var firstSequence = SequenceID(0)
    private var lastSequence = SequenceID(0)
    /// The sequence of a recognized gesture that waits for the end of the streak (`wait`), or waited for it.
    private var waiting: SequenceID?
    /// Whether a region nearer to one of the taps so far has the same gesture.
    private var hasShadowed = false

    init(_ settings: TapSettings, longestCount: Int) {
        self.settings = settings
        self.longestCount = longestCount
    }

    var isUnderWay: Bool { count > 0 }

    /// Whether the streak has some but not all of the gesture's taps, and may become the gesture.
    var isPartial: Bool { isIncomplete && !hasShadowed }

    /// Whether the streak would become the gesture if a nearer region did not have the same one.
    var isShadowed: Bool { isIncomplete && hasShadowed }

    private var isIncomplete: Bool { count > 0 && count < settings.count }

    /// Whether the next tap completes the gesture without waiting for a longer streak.
    var nextIsRecognized: Bool {
        count + 1 == settings.count && !isShadowed && !(settings.wait && settings.count < longestCount)
    }

    /// Whether the tap that has landed completes the gesture and is recognized at its landing.
    var isDecidedAtLanding: Bool { settings.when == .landing && isPartial && count + 1 == settings.count }

    /// The time at which it is too late for another tap.
    var deadline: Timestamp? { count > 0 ? lastLift + settings.gap : nil }

    /// The fate of a tap in this sequence, whether it is part of the gesture or the whole gesture.
    func fate(of sequence: SequenceID) -> StreakFate {
        isPartial && sequence >= firstSequence ? .pending : fate(ofWaiting: sequence)
    }

    /// The fate of a gesture recognized in this sequence.
    func fate(ofWaiting sequence: SequenceID) -> StreakFate {
        guard waiting == sequence else { return .void }
        return isUnderWay ? .pending : .due
    }

    /// Handles a tap whose contacts are all down. If it is too far from the first one, it ends the streak and starts
    /// another, to which the earlier taps do not belong.
    mutating func land(at position: Point, in sequence: SequenceID) -> RecognizerAnswer? {
        defer { if count == 0 { (origin, firstSequence) = (position, sequence) } }
        let apart = (position - origin).length
        guard count > 0, apart.exceeds(settings.distance) else { return nil }
        return end(GestureFailure(.tooFarApart, value: apart, limit: settings.distance))
    }

    /// Adds a complete tap.
    /// - Parameter isShadowed: whether a region nearer to one of its contacts has the same gesture.
    /// - Returns: whether the gesture that it completes must wait for the end of the streak; `nil` if it completes
    ///   none.
    mutating func add(_ sequence: SequenceID, at now: Timestamp, isShadowed: Bool) -> Bool? {
        count += 1
        if count == 1 { (firstSequence, hasShadowed) = (sequence, false) }
        if isShadowed { hasShadowed = true }
        lastLift = now
        lastSequence = sequence
        // The streak goes on, so the gesture that waited for its end is dropped.
        waiting = nil
        let isGesture = count == settings.count
        let isLongest = count >= longestCount
        if isLongest { count = 0 }
        guard isGesture, !hasShadowed else { return nil }
        let waits = !isLongest && settings.wait
        if waits { waiting = sequence }
        return waits
    }

    /// Ends the streak, because the next tap did not land in time.
    mutating func expire() -> RecognizerAnswer? {
        let gap = settings.gap.inMilliseconds
        return end(GestureFailure(.noFurtherTap, value: gap, limit: gap))
    }

    /// Ends the streak, which makes a waiting gesture due.
    /// - Parameter failure: the reason why a longer streak failed; `nil` if it is reported elsewhere.
    mutating func end(_ failure: GestureFailure? = nil) -> RecognizerAnswer? {
        defer { count = 0 }
        guard let failure, isPartial else { return nil }
        return .fail(failure, in: lastSequence)
    }
}
