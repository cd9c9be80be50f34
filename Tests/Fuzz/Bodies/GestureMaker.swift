// SPDX-License-Identifier: MIT
import GestureEngine
import GestureTestSupport

/// Generates gestures of every kind, with numbers that a configuration allows.
struct GestureMaker {
    static func gestures(_ bytes: inout FuzzBytes, ids: [String]) -> [Gesture] {
        var gestures: [Gesture] = []
        for number in 0..<bytes.below(7) {
            let row = bytes.pick(KindRow.all)
            let settings = settings(row, &bytes, ids)
            var gesture = Gesture(name: "\(row.word)\(number)", word: row.word, settings: settings)
            let relations = bytes.byte()
            // As in a configuration, a gesture refers only to other gestures of the region, without a cycle.
            if let other = gestures.last, relations & 3 == 1 { gesture.after = [other.name] }
            if let other = gestures.first, relations & 12 == 4 { gesture.unless = [other.name] }
            gesture.exclusive = relations & 48 == 16
            gestures.append(gesture)
        }
        return gestures
    }

    /// The bounds of keys whose larger values are played by few inputs, or take long.
    private static let bounds: [String: ClosedRange<Double>] = [
        "fingers": 1...4, "count": 1...4, "taps": 0...2, "attempts": 1...3, "max_duration": 1...3000,
    ]

    private static func settings(_ row: KindRow, _ bytes: inout FuzzBytes, _ ids: [String]) -> GestureSettings {
        var settings = row.standard
        var chosen: UInt8 = 0
        for (index, key) in row.keys.enumerated() {
            // One byte chooses among eight keys, so that few bytes make a gesture.
            if index % 8 == 0 { chosen = bytes.byte() }
            let isChosen = chosen >> (index % 8) & 1 == 1
            guard isChosen || key.isRequired || key.name == "max_duration" else { continue }
            let value =
                key.shape == .steps ? steps(&bytes, ids) : key.shape.random(&bytes, in: bounds[key.name])
            key.set(value, &settings)
        }
        return settings
    }

    private static func steps(_ bytes: inout FuzzBytes, _ ids: [String]) -> SettingValue {
        let words = ["tap", "press", "long_press", "swipe", "repeat", "tap0", "drag1"]
        return .steps((0...bytes.below(4)).map { _ in .init(gesture: bytes.pick(words), region: bytes.pick(ids)) })
    }
}

extension FuzzBytes: ChoiceSource {
    private static let lengths = [0, 0.5, 3, 5, 10, 40, 90, 180]
    private static let times: [Int64] = [0, 20_000, 40_000, 100_000, 300_000, 500_000, 3_000_000]

    mutating func number(_ low: Double, _ high: Double) -> Double { low + (high - low) * fraction() }

    mutating func length(_ low: Double, _ high: Double) -> Double {
        let range = low...high
        let some = Self.lengths.filter { range.contains($0) }
        return some.count > 2 ? pick(some) : number(low, high)
    }

    mutating func time(_ low: Int64, _ high: Int64) -> Int64 {
        let range = low...high
        return pick(Self.times.filter { range.contains($0) } + [low])
    }
}
