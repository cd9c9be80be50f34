// SPDX-License-Identifier: MIT

/// Random numbers. No run can be repeated in any case, because a client's lines depend on the machine.
enum Dice {
    /// A number from 0 to `count - 1`; 0 if `count` is less than 1.
    static func below(_ count: Int) -> Int { count > 1 ? Int.random(in: 0..<count) : 0 }

    /// `true` with this probability in percent.
    static func chance(_ percent: Int) -> Bool { below(100) < percent }

    static func pick(_ words: [String]) -> String { words.randomElement() ?? "" }
}
