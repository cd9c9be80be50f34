// SPDX-License-Identifier: MIT
import GestureEngine
import GestureTestSupport

/// Generates gestures of every kind, with numbers within the limits of a configuration, including the limits
/// themselves.
struct RandomGesture {
    /// The odds that a key is set, and its values.
    private struct Odds {
        /// In percent.
        var chance = 20
        /// The bounds of a number, in the units of the engine, or in milliseconds; `nil`: those of its shape.
        var bounds: ClosedRange<Double>?
        /// Values of which one is taken instead.
        var values: [SettingValue] = []

        init(_ chance: Int, _ bounds: ClosedRange<Double>? = nil, values: [SettingValue] = []) {
            (self.chance, self.bounds, self.values) = (chance, bounds, values)
        }

        static func counts(_ counts: [Int]) -> Odds { Odds(100, values: counts.map { .count($0) }) }
    }

    /// The keys that are not set in a fifth of the gestures, or not to any value of their shape: those of all kinds by
    /// their name, and those of one kind by its word and their name.
    private static let odds: [String: Odds] = [
        "taps": .counts([0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 2]), "step": Odds(30, 0.25...20), "slop": Odds(30, 0.25...12),
        "press.progress": Odds(30, 20...400),
        "tap.fingers": .counts([1, 1, 1, 1, 1, 1, 2, 2, 3, 5]), "tap.count": .counts([1, 1, 1, 1, 2, 2, 3]),
        "tap.wait": Odds(60), "tap.max_time": Odds(30, 50...1000), "tap.group": Odds(20, 0...200),
        "tap.gap": Odds(20, 60...800), "tap.min_gap": Odds(20, 0...50), "tap.bounce_distance": Odds(20, 0...60),
        "tap.max_lift_spread": Odds(20, 0...200), "tap.min_time": Odds(10, 0...60), "inside": Odds(40),
        "long_press.fingers": .counts([1, 1, 1, 2, 3]), "long_press.delay": Odds(50, 50...1500),
        "long_press.cancel_slop": Odds(30, 0...12),
        "repeat.delay": Odds(50, 50...800), "repeat.interval": Odds(40, 20...300),
        "repeat.accelerate": Odds(40, 0.3...1), "repeat.min_interval": Odds(30, 10...100),
        // The duration is short, because a leap in time causes every repetition within it.
        "repeat.max_duration": Odds(100, 100...5000),
        "drag.fingers": Odds(60), "drag.min_fingers": Odds(15, 1...3), "drag.start": Odds(40, 0...15),
        "drag.axis": Odds(75), "drag.from": Odds(50), "drag.lock": Odds(50), "drag.zoom": Odds(40),
        "swipe.fingers": .counts([1, 1, 1, 2, 2, 3]), "swipe.directions": Odds(35),
        "swipe.min_distance": Odds(30, 1...40),
        "swipe.max_time": Odds(30, 50...2000), "swipe.min_velocity": Odds(30, 0...400),
        "swipe.max_deviation": Odds(25, 1...45), "swipe.rest": Odds(20, 0...300), "swipe.group": Odds(20, 0...200),
        "swipe.when": Odds(60),
        "pinch.start": Odds(40, 0...12), "pinch.min_span": Odds(30, 5...40), "directions": Odds(60),
        "rotate.start": Odds(40, 0...30), "dial.center": Odds(80), "dial.start": Odds(40, 0...30),
        "dial.min_radius": Odds(30, 0.25...20),
        "chain.min_segment": Odds(60, 0.5...12), "chain.max_time": Odds(30, 50...3000), "chain.when": Odds(60),
        "stroke.min_score": Odds(60, 0...0.8), "stroke.rotation": Odds(30), "stroke.min_length": Odds(30, 0.5...40),
        "stroke.closed": Odds(40),
        "pattern.max_gap": Odds(100, values: [300, 2000, 5000].map { .time(.milliseconds($0)) }),
        "pattern.timeout": Odds(100, values: [1000, 10_000].map { .time(.milliseconds($0)) }),
        // With the default, the pattern is no secret.
        "pattern.attempts": Odds(66, values: [.count(1), .count(2)]),
        "pattern.lockout": Odds(100, values: [0, 700, 3000].map { .time(.milliseconds($0)) }),
    ]

    /// The kinds as often as they are made. In a plain run only those are made that split movements do not change.
    private static let plainKinds: [GestureKind] = [
        .press, .tap, .tap, .tap, .longPress, .longPress, .swipe, .swipe, .drag,
    ]
    private static let kinds: [GestureKind] =
        plainKinds + [.drag, .drag, .pinch]
        + GestureKind.allCases.filter { !plainKinds.contains($0) && $0 != .pattern }

    private var random: RunRandom

    init(_ random: RunRandom, isCoarse: Bool) {
        self.random = random
        self.random.isCoarse = isCoarse
    }

    /// - Parameter isPlain: whether only gestures of one finger are made, of kinds that split movements do not change.
    mutating func make(_ name: String, isPlain: Bool) -> Gesture {
        let kind = random.pick(isPlain ? Self.plainKinds : Self.kinds)
        var settings = settings(kind, isPlain: isPlain)
        var word = kind.row.word
        if case .tap(var tap) = settings {
            // A configuration refuses other taps that are decided at a landing.
            if tap.count == 1 || tap.wait { tap.when = .lift }
            settings = .tap(tap)
            word = self.word(of: tap)
        }
        return Gesture(name: name, word: word, settings: settings)
    }

    /// Settings of a kind, in which any key may be set.
    mutating func settings(_ kind: GestureKind, isPlain: Bool) -> GestureSettings {
        let row = kind.row
        var settings = row.standard
        for key in row.keys where !isPlain || Self.isPlain(key, of: kind) {
            let odds = Self.odds["\(row.word).\(key.name)"] ?? Self.odds[key.name] ?? Odds(20)
            guard key.isRequired || random.chance(odds.chance) else { continue }
            key.set(odds.values.isEmpty ? value(key, odds) : random.pick(odds.values), &settings)
        }
        return settings
    }

    private mutating func value(_ key: Setting, _ odds: Odds) -> SettingValue {
        // A limit of 0 has a meaning of its own.
        if let bounds = odds.bounds, bounds.lowerBound == 0, key.shape == .length, random.chance(20) {
            return .number(0)
        }
        return key.shape.random(&random, in: odds.bounds)
    }

    /// Whether a gesture of a plain run may have the key: it has one finger. Its movements are split, and the first half
    /// might reach a threshold in another direction.
    private static func isPlain(_ key: Setting, of kind: GestureKind) -> Bool {
        !["fingers", "min_fingers"].contains(key.name) && (kind, key.name) != (.swipe, "when")
    }

    private mutating func word(of tap: TapSettings) -> String {
        switch (tap.fingers, tap.count) {
        case (_, 2) where random.chance(50): "double_tap"
        case (2, _) where random.chance(50): "two_finger_tap"
        default: "tap"
        }
    }
}
