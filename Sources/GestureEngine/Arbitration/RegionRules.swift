// SPDX-License-Identifier: MIT

/// What the gestures of one region have to do with each other and with those of other regions.
/// Gestures are indices into the region's list.
struct RegionRules: Hashable, Sendable {
    /// A gesture of another region, or of this one, that is neither cancelled by `own` nor cancels it.
    struct Companion: Hashable, Sendable {
        var own: Int
        var region: Int
        var gesture: Int
    }

    /// What must have been recognized in the sequence first; empty when no gesture has such a rule.
    private(set) var after: [[Int]] = []
    /// What must have failed; empty when no gesture has such a rule.
    private(set) var unless: [[Int]] = []
    /// Takes the whole sequence when recognized.
    private let exclusive: [Bool]
    /// Takes the sequence from the gestures of one finger when recognized.
    private let multiFinger: [Bool]
    /// Belongs to one finger: press and repeat do, too.
    private let singleFinger: [Bool]
    /// Drag, pinch, rotate and swipe, in the order in which they are recognized in one frame.
    private(set) var competitors: [Int] = []
    /// Gestures that take the sequence from others, in the order in which they are recognized in one frame.
    private(set) var takers: [Int] = []
    /// All gestures in the order of the lines of one frame.
    let lineOrder: [Int]
    var companions: [Companion] = []

    init(_ region: Region, priority: [GestureKind]) {
        let gestures = region.gestures
        exclusive = gestures.map { $0.exclusive }
        multiFinger = gestures.map { $0.settings.isMultiFinger }
        singleFinger = gestures.map { $0.settings.isSingleFinger }
        lineOrder = gestures.indices.sorted {
            (gestures[$0].settings.kind.place, $0) < (gestures[$1].settings.kind.place, $1)
        }
        if gestures.contains(where: { !$0.after.isEmpty }) {
            after = gestures.map { Self.indices($0.after, in: gestures) }
        }
        if gestures.contains(where: { !$0.unless.isEmpty }) {
            unless = gestures.map { Self.indices($0.unless, in: gestures) }
        }
        competitors = gestures.indices.filter { gestures[$0].settings.kind.competes }
        takers = gestures.indices.filter { exclusive[$0] || multiFinger[$0] }
        prioritize(priority, region)
    }

    /// Takes over which kinds are recognized first.
    mutating func prioritize(_ priority: [GestureKind], _ region: Region) {
        let ranks = region.gestures.map { Self.rank($0.settings.kind, priority) }
        competitors.sort { (ranks[$0], $0) < (ranks[$1], $1) }
        takers.sort { (ranks[$0], $0) < (ranks[$1], $1) }
    }

    /// Smaller is recognized first.
    static func rank(_ kind: GestureKind, _ priority: [GestureKind]) -> Int {
        priority.firstIndex(of: kind) ?? priority.count + kind.place
    }

    var hasAfter: Bool { !after.isEmpty }
    var hasUnless: Bool { !unless.isEmpty }

    func isExclusive(_ gesture: Int) -> Bool { exclusive[gesture] }
    func isMultiFinger(_ gesture: Int) -> Bool { multiFinger[gesture] }
    func isSingleFinger(_ gesture: Int) -> Bool { singleFinger[gesture] }

    /// Whether neither of two gestures cancels the other.
    func isCompanion(_ own: Int, of gesture: Int, in region: Int) -> Bool {
        for companion in companions
        where companion.own == own && companion.gesture == gesture && companion.region == region {
            return true
        }
        return false
    }

    private static func indices(_ names: [String], in gestures: [Gesture]) -> [Int] {
        gestures.indices.filter { names.contains(gestures[$0].name) }
    }
}

extension GestureKind {
    /// Takes contacts for itself.
    var competes: Bool {
        switch self {
        case .drag, .pinch, .rotate, .swipe: true
        case .press, .tap, .longPress, .repeat, .pattern: false
        }
    }

    /// Where its lines stand among those of one region and one frame.
    var place: Int {
        switch self {
        case .drag: 0
        case .pinch: 1
        case .rotate: 2
        case .swipe: 3
        case .tap: 4
        case .longPress: 5
        case .repeat: 6
        case .press: 7
        case .pattern: 8
        }
    }
}

extension GestureSettings {
    var isMultiFinger: Bool {
        switch self {
        case .tap(let settings): settings.fingers > 1
        case .swipe(let settings): settings.fingers > 1
        case .drag(let settings): settings.fingers > 1
        case .pinch, .rotate: true
        case .press, .longPress, .repeat, .pattern: false
        }
    }

    var isSingleFinger: Bool {
        switch self {
        case .press, .repeat: true
        case .tap(let settings): settings.fingers == 1
        case .longPress(let settings): settings.fingers == 1
        case .swipe(let settings): settings.fingers == 1
        case .drag(let settings): settings.fingers == 1
        case .pinch, .rotate, .pattern: false
        }
    }
}
