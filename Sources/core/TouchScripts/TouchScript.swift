// SPDX-License-Identifier: MIT
package import GestureConfiguration
package import GestureEngine

/// Touches as text (docs/trying.md): what the contacts do, or what a person does.
package struct TouchScript: Hashable, Sendable {
    package enum Statement: Hashable, Sendable {
        /// Time passes.
        case wait(Interval, TextPosition)
        /// Changes of contacts, in one frame.
        case changes([Change])
        /// Touches of people, at the same time.
        case acts([Act])
    }

    /// A change of a contact that has a name.
    package struct Change: Hashable, Sendable {
        package enum Kind: String, CaseIterable, Sendable { case down, move, up, cancel }

        package var kind: Kind
        package var contact: String
        /// `nil`: where the contact was.
        package var spot: Spot?
        package var position: TextPosition
    }

    /// A touch of a person, such as a tap.
    package struct Act: Hashable, Sendable {
        package var verb: Verb
        package var target: Spot?
        package var destination: Spot?
        package var direction: SwipeDirection?
        package var length: Coordinate?
        package var time: Interval?
        package var fingers: Int?
        package var times = 1
        /// In degrees, clockwise.
        package var angle: Double?
        package var factor: Double?
        /// The name of a stroke or a chain.
        package var shape: String?
        package var position: TextPosition
    }

    /// A kind of touch. A raw value is the word that the messages use.
    package enum Verb: String, CaseIterable, Sendable { case tap, hold, swipe, drag, pinch, turn, draw }

    /// A place on the panel.
    package struct Spot: Hashable, Sendable {
        /// `nil`: in the middle of the region.
        package var point: Pair?
        /// The region; `nil` for the panel.
        package var region: String?
        package var position: TextPosition
    }

    package struct Pair: Hashable, Sendable {
        package var x: Coordinate
        package var y: Coordinate
    }

    /// A number with its unit; without one it is in pixels.
    package struct Coordinate: Hashable, Sendable {
        package var number: Double
        package var unit: Length.Unit?
    }

    package var statements: [Statement] = []

    /// Reads texts, one after the other.
    package init(_ texts: [String]) throws(ScriptError) {
        for (number, text) in texts.enumerated() {
            for words in try ScriptWord.statements(of: text, number) {
                var reader = StatementReader(words)
                statements.append(try reader.read())
            }
        }
        if statements.isEmpty { throw ScriptError(TextPosition(), "there are no touches; write one, such as tap ok") }
    }
}

/// A place in the texts of a script. Lines and columns are counted from 1.
package struct TextPosition: Hashable, Sendable {
    /// The index of the text.
    package var text = 0
    package var line = 1
    package var column = 1

    package init(text: Int = 0, line: Int = 1, column: Int = 1) {
        (self.text, self.line, self.column) = (text, line, column)
    }
}

/// The error for a text that is not a touch script, or that does not fit the panel.
package struct ScriptError: Error, Hashable, Sendable {
    package var position: TextPosition
    /// The mistake, and after a semicolon the remedy.
    package var message: String

    package init(_ position: TextPosition, _ message: String) { (self.position, self.message) = (position, message) }
}

/// A word of a script.
struct ScriptWord: Hashable, Sendable {
    var text: String
    /// Whether it is the name of a region, whatever it looks like.
    var isQuoted = false
    var position: TextPosition

    /// Splits a text into statements of at least one word.
    static func statements(of text: String, _ source: Int) throws(ScriptError) -> [[ScriptWord]] {
        var statements: [[ScriptWord]] = [[]]
        for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            var letters = Array(line)[...]
            while let word = try next(&letters, TextPosition(text: source, line: number + 1)) {
                if word.text == ";", !word.isQuoted {
                    statements.append([])
                } else {
                    statements[statements.count - 1].append(word)
                }
            }
            statements.append([])
        }
        return statements.filter { !$0.isEmpty }
    }

    /// The next word of a line; `nil` at its end and at a comment.
    private static func next(_ letters: inout ArraySlice<Character>, _ place: TextPosition) throws(ScriptError)
        -> ScriptWord?
    {
        letters = letters.drop { $0 == " " || $0 == "\t" }
        guard let first = letters.first, first != "#" else { return nil }
        var position = place
        position.column = letters.startIndex + 1
        switch first {
        case ";", "&":
            letters.removeFirst()
            return ScriptWord(text: String(first), position: position)
        case "\"":
            letters.removeFirst()
            let name = letters.prefix { $0 != "\"" }
            guard name.endIndex < letters.endIndex else { throw ScriptError(position, "the second \" is missing") }
            letters = letters.dropFirst(name.count + 1)
            return ScriptWord(text: String(name), isQuoted: true, position: position)
        default:
            let text = letters.prefix { !" \t;&".contains($0) }
            letters = letters.dropFirst(text.count)
            return ScriptWord(text: String(text), position: position)
        }
    }
}
