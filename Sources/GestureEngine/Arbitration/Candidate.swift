// SPDX-License-Identifier: MIT

/// One gesture of a region: its rules, its recognizer, and the decisions of the arbiter about it in the present sequence.
///
///     dormant ──all of `after` accepted──▶ possible ──recognized──▶ accepted
///        │                                  │    │                     ▲
///        │                                  │    └─▶ deferred ─────────┤ all of `unless` rejected
///        │                                  │            │             │
///        └──────the last contact lifts──────┴────fails───┴─▶ rejected  ┘
///
/// The law, as in Flutter's arena:
/// 1. In each sequence a gesture is accepted or rejected, exactly once. It is accepted before its first
///    event, and no event of a rejected one follows. Three things count anew: a gesture that may be tried again
///    because all contacts left are other regions' (`GestureTraits.retry`), the streak of a tap, which goes on
///    in the next sequence, and a pinch or rotation that has ended: it stays accepted, and may begin again.
/// 2. Who claims a contact has it alone: gestures of other regions that compete, and those that end with a
///    claim (`GestureTraits.claimed`), are cancelled or go on without it, and no other region may claim it.
///    Regions that pass, and pairs of `simultaneous`, take no part in this.
/// 3. Of two gestures that want a contact in one frame, the one whose kind comes first in `priority` has it; then
///    that of the region nearer to the contact; then the one that comes first in the order of lines.
final class Candidate {
    enum State {
        /// A gesture of `after` has not been accepted yet, so it is told of no contacts.
        case dormant
        case possible
        /// It has begun without an event: a gesture of `unless` is still possible.
        case deferred
        case accepted
        case rejected
    }

    /// An accepted gesture takes this from the others.
    enum Takes {
        case nothing
        /// The sequence from gestures of one finger: it is one of several.
        case oneFinger
        /// The sequence from all others: it is exclusive.
        case everything
    }

    // MARK: Rules

    /// Its place in the region's list. The machine that counts taps comes behind all gestures.
    let index: GestureIndex
    /// It is the machine that counts taps before gestures with `taps`. It is told everything first, and has no lines.
    let isCounter: Bool
    let kind: GestureKind
    let traits: GestureTraits
    /// Gestures that must have been accepted in the sequence first.
    let after: [GestureIndex]
    /// Gestures that must have failed.
    let unless: [GestureIndex]
    let takes: Takes
    /// Taps that must come right before.
    let taps: Int
    /// Gestures of several fingers take the sequence from it.
    let isOneFinger: Bool
    /// Its contacts are taken from the application.
    let consumes: Bool
    let recognizer: Recognizer

    // MARK: Decisions

    var state = State.possible
    /// Why it failed when its contact landed: told at the end of the sequence, if nothing else came of it.
    var untold: GestureFailure?
    /// The last sequence of which a failure was reported: a broken streak is not reported after that.
    var reported: SequenceID?
    /// It wanted to begin, and a gesture of `unless` was still possible.
    var wasHeldBack = false
    /// The frame in which it began: no update follows in that one.
    var begunIn = 0
    /// It has been told of the lift that is being handled.
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

    /// Only an exclusive gesture takes the sequence from the machine that counts taps.
    init(counter: TapRecognizer, _ index: GestureIndex) {
        self.index = index
        isCounter = true
        kind = .tap
        traits = kind.traits
        (after, unless, takes, taps, isOneFinger, consumes) = ([], [], .nothing, 0, false, false)
        recognizer = counter
    }

    var isDormant: Bool { state == .dormant }

    /// It is continuous, has begun for clients, and has not ended.
    var isActive: Bool { state == .accepted && recognizer.progress == .active }
}

/// A discrete gesture that has happened and is not announced yet.
struct DeferredEvent {
    enum Cause {
        /// A gesture of `unless` is still possible.
        case unless
        /// It is a tap that waits until nothing longer can come of it (`wait`); after that, `unless` may still hold it.
        case wait
    }

    var event: GestureEvent
    var cause: Cause
}

/// Declares the orders in which the gestures of a region are told of inputs, and how they relate to those of other regions.
///
/// The machine that counts taps comes first. A pattern is in no order, because it is told no contacts.
struct RegionRules {
    /// A gesture of another region, or of this one, that is neither cancelled by `own` nor cancels it.
    struct Companion {
        var own: GestureIndex
        var other: GestureReference
    }

    /// The machine that counts taps.
    let counter: Candidate?
    /// Some gesture requires others to fail.
    let hasUnless: Bool
    var companions: [Companion] = []

    /// In the order of the lines of one frame.
    let lineOrder: [Candidate]
    /// The same, with presses first: a landing presses before it does anything else. Without the machine that counts taps,
    /// which decides what is refused, and so is told before.
    let landingOrder: [Candidate]
    /// The same, with long presses first.
    let claimOrder: [Candidate]
    /// The gestures that do not compete, in the order of lines.
    let bystanders: [Candidate]
    /// Gestures that compete, in the order in which they are recognized in one frame.
    private(set) var competitors: [Candidate]
    /// Gestures that take the sequence from others, in the order in which they are recognized in one frame.
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
        takers.sort { rank($0) < rank($1) }
    }

    /// Whether neither of two gestures cancels the other.
    func isCompanion(_ own: Candidate, of other: GestureReference) -> Bool {
        for companion in companions where companion.own == own.index && companion.other == other { return true }
        return false
    }

    /// Whether a gesture of this region goes on when that one is accepted.
    func hasCompanion(of other: GestureReference) -> Bool {
        for companion in companions where companion.other == other { return true }
        return false
    }
}
