// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureProtocol

extension ValueReader {
    /// Reads a glob, or an array of globs.
    func globs() -> [String]? {
        let most = ProtocolLimits.listEntries
        if notes(.either([.label(matching: nil), .list(ValueNote { $0.label() }, 1...most)])) { return nil }
        guard let elements = oneOrMore(of: "globs", each: "a glob of \(name)") else { return nil }
        let globs = elements.compactMap { $0.label() }
        guard globs.count == elements.count else { return nil }
        guard (1...most).contains(globs.count) else {
            return error(.badValue, "\(name) has \(globs.count) globs; use 1 to \(most)")
        }
        return globs
    }

    /// A regular expression for chords, without the names of keys.
    private static let chord = #"^[a-z0-9_]+(\+[a-z0-9_]+)*$"#

    /// Reads a chord such as `leftalt+left`.
    func chord() -> Chord? {
        guard let text = label(matching: Self.chord) else { return nil }
        return chord(text)
    }

    /// Reads a chord, or an array of chords that are pressed one after another.
    func chords() -> [Chord]? {
        if notes(.either([.label(matching: Self.chord), .list(ValueNote { $0.chord() }, 1...RateLimit.burst)])) {
            return nil
        }
        guard let elements = oneOrMore(of: "keys", each: name) else { return nil }
        let chords = elements.compactMap { $0.chord() }
        guard chords.count == elements.count else { return nil }
        let count = chords.reduce(0) { $0 + $1.codes.count }
        guard (1...RateLimit.burst).contains(count) else {
            return error(.badValue, "\(name) presses \(count) keys; use 1 to \(RateLimit.burst)")
        }
        return chords
    }

    /// Reads whole numbers of pixels, such as `[left, top, width, height]`. A width or a height is at least 1.
    func pixels(_ names: [String]) -> [Int]? {
        guard let values = tuple(names, of: "numbers of pixels") else { return nil }
        let numbers = values.compactMap { value in
            value.integer((["width", "height"].contains(value.name) ? 1 : 0)...65_536)
        }
        return numbers.count == names.count ? numbers : nil
    }

    func wheel() -> Wheel? {
        var wheel = Wheel()
        guard let table = table(Wheel.keys, into: &wheel, name: "wheel") else { return nil }
        guard wheel.x || wheel.y else {
            table.missingKey("\(name) turns in no direction; add x = true or y = true")
            return nil
        }
        return wheel
    }

    /// Reads `true`, `false` or a friction.
    func momentum() -> Int?? {
        noteStandard(false)
        if notes(.either([.flag, .whole(Wheel.frictions)])) { return nil }
        if isInteger { return integer(Wheel.frictions).map { .some($0) } }
        return boolean().map { $0 ? Wheel.usualFriction : nil }
    }

    /// Reads the table of the steps of a dial.
    func stepKeys() -> StepKeys? {
        var steps = StepKeys()
        guard let table = table(StepKeys.keys, into: &steps, name: "steps") else { return nil }
        guard table["cw"] != nil || table["ccw"] != nil else {
            table.missingKey("\(name) has no keys; add cw = \"volumeup\" or ccw = \"volumedown\"")
            return nil
        }
        return steps
    }

    private func chord(_ text: String) -> Chord? {
        var codes: [UInt16] = []
        for part in text.split(separator: "+", omittingEmptySubsequences: false) {
            let word = String(part)
            guard let code = KeyNames.code(of: word) else { return unknownKey(word, in: text) }
            guard !codes.contains(code) else {
                return error(.badValue, "\(name): \"\(text)\" has the key \(word) twice; remove one")
            }
            codes.append(code)
        }
        guard codes.count <= RateLimit.burst else {
            return error(.badValue, "\(name) presses \(codes.count) keys; use at most \(RateLimit.burst)")
        }
        return Chord(codes)
    }

    private func unknownKey(_ word: String, in text: String) -> Chord? {
        guard !word.isEmpty else {
            return error(.badValue, "\(name): \"\(text)\" has an empty name of a key; the key + itself is kpplus")
        }
        return error(
            .unknownName, "\(name): there is no key \"\(SafeText.excerpt(word))\"",
            suggestion: KeyNames.suggestion(for: word))
    }
}
