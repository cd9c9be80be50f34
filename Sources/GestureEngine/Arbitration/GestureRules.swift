// SPDX-License-Identifier: MIT

/// Relates a gesture to the others of its region, which are named by their place in its list.
struct GestureRules {
    /// What a gesture takes from others when it is accepted.
    enum Takes {
        case nothing
        /// The sequence from gestures of one finger: it is one of several.
        case oneFinger
        /// The sequence from all others: it is exclusive.
        case everything
    }

    /// What must have been accepted in the sequence first.
    let after: [Int]
    /// What must have failed.
    let unless: [Int]
    let takes: Takes
    /// Taps that must come right before.
    let taps: Int
    /// Gestures of several fingers take the sequence from it.
    let isOneFinger: Bool
    let kind: GestureKind
    /// Copied from the kind: steps read it for each contact.
    let traits: GestureTraits
    /// Its contacts are taken from the application.
    let consumes: Bool

    init(_ gesture: Gesture, in region: Region) {
        func indices(_ names: [String]) -> [Int] {
            region.gestures.indices.filter { names.contains(region.gestures[$0].name) }
        }
        let fingers = gesture.settings.common.fingers
        kind = gesture.settings.kind
        traits = kind.traits
        taps = gesture.settings.common.taps
        after = indices(gesture.after)
        unless = indices(gesture.unless)
        isOneFinger = fingers == 1
        consumes = gesture.consumes
        let takesOneFinger = fingers > 1 && traits.takesWithSeveral
        takes = gesture.exclusive ? .everything : takesOneFinger ? .oneFinger : .nothing
    }

    /// The rules of the machine that counts taps before gestures. Only an exclusive gesture takes the sequence from it.
    private init() {
        (after, unless, takes, taps, isOneFinger, consumes) = ([], [], .nothing, 0, false, false)
        kind = .tap
        traits = kind.traits
    }

    static let counter = GestureRules()
}

/// Relates the gestures of one region to each other and to those of other regions, and declares the orders in which they
/// are told of inputs.
///
/// Gestures are places in the region's list. Behind them is the machine that counts taps, if a gesture comes after taps: it
/// is told everything first, and has no lines. A pattern is in none of the orders, because it is told no contacts.
struct RegionRules {
    /// A gesture of another region, or of this one, that is neither cancelled by `own` nor cancels it.
    struct Companion {
        var own: Int
        var region: Int
        var gesture: Int
    }

    /// Also those of the machine that counts taps.
    let gestures: [GestureRules]
    /// The machine that counts taps.
    let counter: Int?
    /// Some gesture requires others to fail.
    let hasUnless: Bool
    private(set) var companions: [Companion] = []

    /// The gestures in the order of the lines of one frame.
    let lineOrder: [Int]
    /// The same, with presses first: a landing presses before it does anything else.
    let landingOrder: [Int]
    /// The same, with long presses first.
    let claimOrder: [Int]
    /// The gestures that do not compete, in the order of lines.
    let bystanders: [Int]
    /// Gestures that compete, in the order in which they are recognized in one frame.
    private(set) var competitors: [Int]
    /// Gestures that take the sequence from others, in the order in which they are recognized in one frame.
    private(set) var takers: [Int]

    init(_ region: Region, priority: [GestureKind], hasCounter: Bool) {
        var gestures = region.gestures.map { GestureRules($0, in: region) }
        hasUnless = gestures.contains { !$0.unless.isEmpty }
        counter = hasCounter ? gestures.count : nil
        takers = gestures.indices.filter { gestures[$0].takes != .nothing }
        competitors = gestures.indices.filter { gestures[$0].traits.competes }
        let lines = gestures.indices.filter { gestures[$0].traits.hasRecognizer }
            .sorted { (gestures[$0].traits.place, $0) < (gestures[$1].traits.place, $1) }
        if hasCounter { gestures.append(.counter) }
        let first = counter.map { [$0] } ?? []
        func order(startingWith kind: GestureKind) -> [Int] {
            first + lines.filter { gestures[$0].kind == kind } + lines.filter { gestures[$0].kind != kind }
        }
        self.gestures = gestures
        lineOrder = first + lines
        landingOrder = order(startingWith: .press)
        claimOrder = order(startingWith: .longPress)
        bystanders = first + lines.filter { !gestures[$0].traits.competes }
        prioritize(priority)
    }

    /// The same with another order in which kinds are recognized.
    func with(_ priority: [GestureKind]) -> Self {
        var rules = self
        rules.prioritize(priority)
        return rules
    }

    /// The same with these companions.
    func with(_ companions: [Companion]) -> Self {
        var rules = self
        rules.companions = companions
        return rules
    }

    private mutating func prioritize(_ priority: [GestureKind]) {
        let ranks = gestures.map { priority.firstIndex(of: $0.kind) ?? priority.count + $0.traits.place }
        competitors.sort { (ranks[$0], $0) < (ranks[$1], $1) }
        takers.sort { (ranks[$0], $0) < (ranks[$1], $1) }
    }

    /// Whether neither of two gestures cancels the other.
    func isCompanion(_ own: Int, of gesture: Int, in region: Int) -> Bool {
        for companion in companions
        where companion.own == own && companion.gesture == gesture && companion.region == region {
            return true
        }
        return false
    }

    /// Whether a gesture of this region goes on when that one is accepted.
    func hasCompanion(of gesture: Int, in region: Int) -> Bool {
        for companion in companions where companion.gesture == gesture && companion.region == region { return true }
        return false
    }
}
