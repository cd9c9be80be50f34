// SPDX-License-Identifier: MIT

/// A pattern for names: `*` is any run of characters, also none, `?` is one; all else is itself.
///
/// Strangers write them, and a subscription holds many against the names of all regions: a name takes one step
/// for each of its bytes, whatever the pattern. The places of a pattern that what was read so far may have come to
/// are the bits of a word, which a byte moves all at once (Baeza-Yates and Gonnet's Shift-And).
package struct Glob: Hashable, Sendable {
    /// Places that a word has bits for; no id or name of a region or gesture has more bytes.
    package static let mostPlaces = 64

    /// What is no star: each place takes a byte, a `?` then also the rest of its character.
    private var places = 0
    /// Which places take a byte: those that both the word of its upper four bits and, 16 later, that of its lower say.
    private var takers = [UInt64](repeating: 0, count: 32)
    private var questions: UInt64 = 0
    private var beforeStars: UInt64 = 0
    private var beginsWithStar = false

    /// - Parameter pattern: with more than `mostPlaces` bytes besides its stars it fits nothing.
    package init(_ pattern: String) {
        for byte in pattern.utf8 where places <= Self.mostPlaces {
            if byte == UInt8(ascii: "*") {
                if places == 0 { beginsWithStar = true } else { beforeStars |= 1 &<< UInt64(places - 1) }
                continue
            }
            let place: UInt64 = 1 &<< UInt64(places)
            places += 1
            if byte == UInt8(ascii: "?") {
                questions |= place
                // What a character begins with: all but 0x80 to 0xBF.
                for upper in 0..<16 where upper & 0b1100 != 0b1000 { takers[upper] |= place }
                for lower in 16..<32 { takers[lower] |= place }
            } else {
                takers[Int(byte >> 4)] |= place
                takers[16 + Int(byte & 0xF)] |= place
            }
        }
    }

    /// Whether the whole of `text` fits.
    package func matches(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { matches($0) }
    }

    private func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard places > 0 else { return beginsWithStar || text.isEmpty }
        guard places <= min(text.count, Self.mostPlaces) else { return false }
        var reached: UInt64 = 0
        var entry: UInt64 = 1
        for byte in text {
            let taking = takers[Int(byte >> 4)] & takers[16 + Int(byte & 0xF)]
            let staying = byte & 0xC0 == 0x80 ? beforeStars | questions : beforeStars
            reached = ((reached &<< 1 | entry) & taking) | (reached & staying)
            entry = beginsWithStar ? 1 : 0
            if reached | entry == 0 { return false }
        }
        return reached & (1 &<< UInt64(places - 1)) != 0
    }
}
