// SPDX-License-Identifier: MIT

/// What a gesture has to do with the others of its region, which are named by their index.
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
    let isOneFinger: Bool
    let isTap: Bool
    let isPress: Bool
    /// Its contacts are taken from the application.
    let consumes: Bool

    init(_ gesture: Gesture, in region: Region) {
        func indices(_ names: [String]) -> [Int] {
            region.gestures.indices.filter { names.contains(region.gestures[$0].name) }
        }
        let fingers = gesture.settings.common.fingers
        taps = gesture.settings.common.taps
        after = indices(gesture.after)
        unless = indices(gesture.unless)
        isOneFinger = fingers == 1
        isTap = gesture.settings.kind == .tap
        isPress = gesture.settings.kind == .press
        consumes = gesture.consumes
        // A long press of several fingers takes nothing.
        let takesOneFinger = fingers > 1 && gesture.settings.kind != .longPress
        takes = gesture.exclusive ? .everything : takesOneFinger ? .oneFinger : .nothing
    }
}

/// What the gestures of one region have to do with each other and with those of other regions, and the
/// orders in which they are told of inputs. Gestures are indices into the region's list.
struct RegionRules {
    /// A gesture of another region, or of this one, that is neither cancelled by `own` nor cancels it.
    struct Companion {
        var own: Int
        var region: Int
        var gesture: Int
    }

    let gestures: [GestureRules]
    /// Some gesture requires others to fail.
    let hasUnless: Bool
    private(set) var companions: [Companion] = []

    /// All gestures, as they are configured.
    let configuredOrder: [Int]
    /// All gestures in the order of the lines of one frame.
    let lineOrder: [Int]
    /// The same, with presses first: a landing presses before it does anything else.
    let landingOrder: [Int]
    /// The same, with long presses first.
    let claimOrder: [Int]
    /// Gestures that care whether contacts are inside the region.
    let insideOrder: [Int]
    /// Gestures that compete, in the order in which they are recognized in one frame.
    private(set) var competitors: [Int]
    /// Gestures that take the sequence from others, in the order in which they are recognized in one frame.
    private(set) var takers: [Int]

    init(_ region: Region, _ recognizers: [Recognizer], priority: [GestureKind]) {
        let kinds = region.gestures.map { $0.settings.kind }
        let order = kinds.indices.sorted { (kinds[$0].place, $0) < (kinds[$1].place, $1) }
        func first(_ kind: GestureKind) -> [Int] {
            order.filter { kinds[$0] == kind } + order.filter { kinds[$0] != kind }
        }
        let gestures = region.gestures.map { GestureRules($0, in: region) }
        self.gestures = gestures
        hasUnless = gestures.contains { !$0.unless.isEmpty }
        configuredOrder = Array(kinds.indices)
        lineOrder = order
        landingOrder = first(.press)
        claimOrder = first(.longPress)
        insideOrder = order.filter { recognizers[$0].watchesInside }
        competitors = kinds.indices.filter { recognizers[$0].competes }
        takers = kinds.indices.filter { gestures[$0].takes != .nothing }
        prioritize(priority, region)
    }

    /// The same with another order in which kinds are recognized.
    func with(_ priority: [GestureKind], _ region: Region) -> Self {
        var rules = self
        rules.prioritize(priority, region)
        return rules
    }

    /// The same with these companions.
    func with(_ companions: [Companion]) -> Self {
        var rules = self
        rules.companions = companions
        return rules
    }

    private mutating func prioritize(_ priority: [GestureKind], _ region: Region) {
        let ranks = region.gestures.map { gesture in
            let kind = gesture.settings.kind
            return priority.firstIndex(of: kind) ?? priority.count + kind.place
        }
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

extension GestureKind {
    /// The order of lines among those of one region and one frame.
    private static let lineOrder: [GestureKind] = [
        .drag, .pinch, .rotate, .swipe, .tap, .longPress, .repeat, .press, .pattern,
    ]

    /// Where its lines stand in that order.
    var place: Int { Self.lineOrder.firstIndex(of: self) ?? Self.lineOrder.count }
}
