// SPDX-License-Identifier: MIT

/// A gesture of a region: its rules, its recognizer, and the arbiter's decisions about it in the current sequence.
///
///     dormant ──all of `after` accepted──▶ possible ──recognized──▶ accepted
///        │                                  │    │                     ▲
///        │                                  │    └─▶ deferred ─────────┤ all of `unless` rejected
///        │                                  │            │             │
///        └──────the last contact lifts──────┴────fails───┴─▶ rejected  ┘
///
/// The rules, as in Flutter's gesture arena:
/// 1. Each gesture is accepted or rejected exactly once in a sequence. Its first event follows its acceptance; a
///    rejected gesture emits none. There are three exceptions: a gesture that is retried because other regions own all
///    earlier contacts (`GestureTraits.retry`), a tap streak that continues in the next sequence, and a pinch or
///    rotation that has ended, which stays accepted and may begin again.
/// 2. A claim is exclusive: no other region can claim the contact. In other regions, competing gestures and gestures
///    that a claim ends (`GestureTraits.claimed`) are cancelled or go on without the contact. Regions with `pass` and
///    pairs listed in `simultaneous` are exempt.
/// 3. If two gestures are ready for a contact in the same frame, the `priority` of their kinds decides, then the
///    region nearer to the contact, then the order of events.
final class Candidate {
    enum State {
        /// A gesture listed in `after` has not been accepted yet. The recognizer receives no contacts.
        case dormant
        case possible
        /// The gesture has begun but emits nothing yet, because a gesture listed in `unless` is still possible.
        case deferred
        case accepted
        case rejected
    }

    /// The effect of accepting a gesture on the others.
    enum Takes {
        case nothing
        /// One-finger gestures end, because this gesture uses several fingers.
        case oneFinger
        /// All other gestures end, because this one is exclusive.
        case everything
    }

    // MARK: Rules

    /// The position in the region's list of gestures. The tap counter comes after all gestures.
    let index: GestureIndex
    /// Whether this is the tap counter, which counts the taps that precede gestures with `taps`. It handles inputs
    /// first and emits nothing.
    let isCounter: Bool
    let kind: GestureKind
    let traits: GestureTraits
    /// Gestures that must be accepted earlier in the sequence.
    let after: [GestureIndex]
    /// Gestures that must fail before this one can be recognized.
    let unless: [GestureIndex]
    let takes: Takes
    /// The number of taps that must directly precede the gesture.
    let taps: Int
    /// Whether this gesture uses one finger, so that gestures of several fingers can end it.
    let isOneFinger: Bool
    /// Whether this gesture takes its contacts from the application.
    let consumes: Bool
    let recognizer: Recognizer

    // MARK: Decisions

    var state = State.possible
    /// A failure at the landing that is reported only at the end of the sequence, and only if no other gesture used
    /// the touch.
    var untold: GestureFailure?
    /// The last sequence for which a failure was reported. A broken streak is not reported for that sequence again.
    var reported: SequenceID?
    /// Whether the gesture was ready to begin while a gesture listed in `unless` was still possible.
    var wasHeldBack = false
    /// The frame in which the gesture began. It emits no update in that frame.
    var begunIn = 0
    /// Whether the gesture has handled the current lift.
    var knowsLift = false

    init(_ gesture: Gesture, _ index: GestureIndex, in region: Region, _ contacts: RegionContacts) {
        func indices(_ names: [String]) -> [GestureIndex] {
            region.gestures.indices.filter { names.contains(region.gestures[$0].name) }.map { GestureIndex(raw: $0) }
        }
        let settings = gesture.settings.common
        let isAwaited = region.gestures.contains { $0.unless.contains(gesture.name) }
        self.index = index
        isCounter = false
        kind = gesture.settings.kind
        traits = kind.traits
        after = indices(gesture.after)
        unless = indices(gesture.unless)
        let takesOneFinger = settings.fingers > 1 && traits.takesWithSeveral
        takes = gesture.exclusive ? .everything : takesOneFinger ? .oneFinger : .nothing
        taps = settings.taps
        isOneFinger = settings.fingers == 1
        consumes = gesture.consumes
        recognizer = settings.makeRecognizer(contacts, in: region, isAwaited: isAwaited) ?? Recognizer(contacts)
    }

    /// Creates the tap counter. Only exclusive gestures end it.
    init(counter: TapRecognizer, _ index: GestureIndex) {
        self.index = index
        isCounter = true
        kind = .tap
        traits = kind.traits
        (after, unless, takes, taps, isOneFinger, consumes) = ([], [], .nothing, 0, false, false)
        recognizer = counter
    }

    var isDormant: Bool { state == .dormant }

    /// Whether the gesture has not been decided in this sequence, or has ended and may begin again.
    var mayBegin: Bool {
        switch state {
        case .dormant, .rejected: false
        case .possible, .deferred: true
        case .accepted: recognizer.progress == .ended
        }
    }

    /// Whether the gesture is continuous, has emitted its `begin`, and has not ended.
    var isActive: Bool { state == .accepted && recognizer.progress == .active }
}

/// A recognized discrete gesture whose event is not emitted yet.
struct DeferredEvent {
    enum Cause {
        /// A gesture listed in `unless` is still possible.
        case unless
        /// A tap waits until a longer streak is impossible (`wait`). After that, `unless` may still defer it.
        case wait
    }

    var event: GestureEvent
    var cause: Cause
    /// The sequence of the gesture, or of the first tap that is part of it.
    var start: SequenceID
}

/// The orders in which a region's gestures handle inputs, and their relations to gestures of other regions.
///
/// The tap counter comes first. Patterns are in none of the orders, because they receive no contacts.
struct RegionRules {
    /// A gesture of this region and a gesture of any region that do not cancel each other.
    struct Companion {
        var own: GestureIndex
        var other: GestureReference
    }

    /// The tap counter, if the region needs one.
    let counter: Candidate?
    /// Whether any gesture of the region has `unless`.
    let hasUnless: Bool
    var companions: [Companion] = []

    /// The order in which gestures emit their events in one frame.
    let lineOrder: [Candidate]
    /// `lineOrder` with presses first, so that a press begins before any other gesture handles the landing. It
    /// excludes the tap counter, which runs earlier because it decides which gestures are refused.
    let landingOrder: [Candidate]
    /// `lineOrder` with long presses first.
    let claimOrder: [Candidate]
    /// Gestures that do not compete, in `lineOrder`.
    let bystanders: [Candidate]
    /// Competing gestures, in the order in which they are recognized in one frame.
    private(set) var competitors: [Candidate]
    /// The competing gestures that a movement concerns, in the same order.
    private(set) var followers: [Candidate] = []
    /// Gestures that end others when they are accepted, in the order in which they are recognized in one frame.
    private(set) var takers: [Candidate]

    init(_ candidates: [Candidate], priority: [GestureKind]) {
        let counters = candidates.filter { $0.isCounter }
        let lines = candidates.filter { !$0.isCounter && $0.traits.hasRecognizer }
            .sorted { ($0.traits.place, $0.index) < ($1.traits.place, $1.index) }
        func order(startingWith kind: GestureKind) -> [Candidate] {
            lines.filter { $0.kind == kind } + lines.filter { $0.kind != kind }
        }
        counter = counters.last
        hasUnless = candidates.contains { !$0.unless.isEmpty }
        lineOrder = counters + lines
        landingOrder = order(startingWith: .press)
        claimOrder = counters + order(startingWith: .longPress)
        bystanders = counters + lines.filter { !$0.traits.competes }
        competitors = lines.filter { $0.traits.competes }
        takers = lines.filter { $0.takes != .nothing }
        prioritize(priority)
    }

    /// Sets the order in which kinds are recognized.
    mutating func prioritize(_ priority: [GestureKind]) {
        func rank(_ candidate: Candidate) -> (Int, GestureIndex) {
            (priority.firstIndex(of: candidate.kind) ?? priority.count + candidate.traits.place, candidate.index)
        }
        competitors.sort { rank($0) < rank($1) }
        followers = competitors.filter { $0.recognizer.followsMovement }
        takers.sort { rank($0) < rank($1) }
    }

    /// Whether the two gestures do not cancel each other.
    func isCompanion(_ own: Candidate, of other: GestureReference) -> Bool {
        for companion in companions where companion.own == own.index && companion.other == other { return true }
        return false
    }

    /// Whether any gesture of this region goes on when `other` is accepted.
    func hasCompanion(of other: GestureReference) -> Bool {
        for companion in companions where companion.other == other { return true }
        return false
    }
}
