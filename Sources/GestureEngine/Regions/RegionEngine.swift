// SPDX-License-Identifier: MIT

/// One region's recognizers, and the sequence that they are in.
///
/// It is told of every contact that landed in the region or in one below it, and routes what it
/// is told to the recognizers in the order in which their lines are to come. Which region may
/// have a contact for itself is decided outside.
struct RegionEngine: ~Copyable {
    /// Where the recognizer of a gesture is kept.
    enum Member: BitwiseCopyable {
        case press(Int)
        case tap(Int)
        case longPress(Int)
        case `repeat`(Int)
        case drag(Int)
        case swipe(Int)
        /// Pinch or rotate.
        case transform(Int)
        /// Watched by the engine of the whole panel.
        case pattern
    }

    /// Index into the engine's regions.
    private(set) var index: Int
    let shape: Shape
    let leaveDistance: Double
    /// By gesture.
    private(set) var members: [Member] = []
    var rules: RegionRules
    /// Failures are told.
    var reportsFailures = false

    var presses: [PressRecognizer] = []
    var drags: [DragRecognizer] = []
    var swipes: [SwipeRecognizer] = []
    var transforms: [TransformRecognizer] = []
    var taps: [TapRecognizer] = []
    var longPresses: [LongPressRecognizer] = []
    var repeats: [RepeatRecognizer] = []

    var sequence: SequenceID?
    var group = ContactGroup()
    var motion = GroupMotion()
    var velocity = VelocityTracker()
    /// By gesture.
    var progress: [Progress]
    /// Recognized, but gives way to gestures that are still possible (`unless`).
    var held: [GestureEvent] = []
    /// Press and repeat ask whether contacts are inside; nobody else does.
    private(set) var asksInside = false
    /// Somebody asks how wide apart contacts are, and how far they have turned.
    private(set) var measuresSpan = false
    /// Cancelled from outside: nothing more is recognized in this sequence.
    var isClosed = false
    /// A contact has left or returned, and nobody has been told.
    var hasInsideChanged = false
    /// The group has moved, and nobody has looked at it yet.
    var needsEvaluation = false
    /// So have contacts that are not another region's.
    var hasMoved = false
    /// A contact was reported where it was: that is no movement, but no pause either.
    var isRestReported = false
    /// When positions were last taken over that nobody had seen change.
    var resynchronized = Timestamp(microseconds: .min)
    /// While no contact has strayed further than this from where it landed, nothing that rests
    /// need be asked. Squared millimetres.
    var restLimit = Double.infinity
    /// When a contact last lifted.
    var lastLift: Timestamp?
    /// When something is next due.
    var nextDeadline: Timestamp?

    init(_ region: Region, index: Int, priority: [GestureKind]) {
        self.index = index
        shape = region.shape
        leaveDistance = region.leaveDistance
        rules = RegionRules(region, priority: priority)
        progress = Array(repeating: .possible, count: region.gestures.count)
        for (i, gesture) in region.gestures.enumerated() { add(gesture.settings, i, in: region) }
    }

    private mutating func add(_ settings: GestureSettings, _ i: Int, in region: Region) {
        switch settings {
        case .press(let settings):
            members.append(.press(presses.count))
            presses.append(PressRecognizer(settings, gesture: i))
            asksInside = true
        case .tap(let settings):
            members.append(.tap(taps.count))
            let longest = region.longestTapCount(fingers: settings.fingers)
            taps.append(TapRecognizer(settings, longestCount: longest, gesture: i))
        case .longPress(let settings):
            members.append(.longPress(longPresses.count))
            longPresses.append(LongPressRecognizer(settings, gesture: i))
        case .repeat(let settings):
            members.append(.repeat(repeats.count))
            repeats.append(RepeatRecognizer(settings, gesture: i))
            asksInside = true
        case .drag(let settings):
            members.append(.drag(drags.count))
            drags.append(DragRecognizer(settings, gesture: i))
            measuresSpan = measuresSpan || settings.fingers > 1
        case .swipe(let settings):
            members.append(.swipe(swipes.count))
            swipes.append(SwipeRecognizer(settings, gesture: i))
            measuresSpan = measuresSpan || settings.fingers > 1
        case .pinch(let settings): add(.pinch(settings), i)
        case .rotate(let settings): add(.rotate(settings), i)
        case .pattern:
            members.append(.pattern)
        }
    }

    private mutating func add(_ measure: TransformRecognizer.Measure, _ i: Int) {
        members.append(.transform(transforms.count))
        transforms.append(TransformRecognizer(measure, gesture: i))
        measuresSpan = true
    }

    /// Nothing is down, and nothing waits for a deadline.
    var isIdle: Bool {
        sequence == nil && held.isEmpty && taps.allSatisfy { $0.isIdle }
    }

    /// Tells which place among the regions this one has from now on.
    mutating func renumber(_ index: Int) {
        self.index = index
        for i in held.indices { held[i].region = index }
    }
}

extension Region {
    /// The highest tap count configured for so many fingers.
    func longestTapCount(fingers: Int) -> Int {
        var longest = 1
        for gesture in gestures {
            if case .tap(let settings) = gesture.settings, settings.fingers == fingers {
                longest = max(longest, settings.count)
            }
        }
        return longest
    }
}
