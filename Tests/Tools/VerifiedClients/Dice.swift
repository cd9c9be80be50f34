// SPDX-License-Identifier: MIT

/// Random numbers without a seed: a client's lines depend on the machine, so no run could be repeated anyway.
enum Dice {
    /// Returns a number from 0 to `count - 1`, or 0 if `count` is less than 1.
    static func below(_ count: Int) -> Int { count > 1 ? Int.random(in: 0..<count) : 0 }

    /// Returns `true` with this probability in percent.
    static func chance(_ percent: Int) -> Bool { below(100) < percent }

    static func pick(_ words: [String]) -> String { words.randomElement() ?? "" }
}
