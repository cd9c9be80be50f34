// SPDX-License-Identifier: MIT

/// A row of words that settings are written to, or read from: one description of a type
/// (`pass(through:)`) serves both.
package struct SettingsWords {
    /// What has been written; while reading, what is still to be read, backwards.
    private var words: [String]
    /// Whether values are set rather than looked at.
    package let isReading: Bool
    /// A word that was not there, or not what it had to be.
    package private(set) var isBroken = false
    /// How many values have passed; one with several values in it is one.
    package private(set) var count = 0

    /// To write to.
    package init() {
        words = []
        isReading = false
    }

    /// To read from.
    package init(reading text: String) {
        words = text.split(separator: " ").reversed().map { String($0) }
        isReading = true
    }

    /// What has been written, on one line.
    package var text: String { words.joined(separator: " ") }

    package mutating func pass(_ value: inout String) {
        if isReading {
            value = Self.unescaped(next())
        } else {
            words.append(Self.escaped(value))
        }
        count += 1
    }

    package mutating func pass(_ value: inout Int) {
        passNumber(&value, "\(value)") { Int($0) }
    }

    package mutating func pass(_ value: inout Int64) {
        passNumber(&value, "\(value)") { Int64($0) }
    }

    package mutating func pass(_ value: inout Double) {
        passNumber(&value, "\(value)") { Double($0) }
    }

    package mutating func pass(_ value: inout Bool) {
        passNumber(&value, value ? "yes" : "no") { $0 == "yes" ? true : $0 == "no" ? false : nil }
    }

    /// One of `all`, by its number.
    package mutating func pass<Value: Equatable>(_ value: inout Value, of all: [Value]) {
        passNumber(&value, all.firstIndex(of: value).map { "\($0)" } ?? "?") { word in
            Int(word).flatMap { all.indices.contains($0) ? all[$0] : nil }
        }
    }

    /// - Parameter new: any value; `each` fills it.
    package mutating func pass<Value>(
        _ value: inout Value?, new: Value, _ each: (inout SettingsWords, inout Value) -> Void
    ) {
        var list = value.map { [$0] } ?? []
        pass(&list, new: new, each)
        value = list.first
    }

    /// - Parameter new: any element; `each` fills it.
    package mutating func pass<Element>(
        _ list: inout [Element], new: Element, _ each: (inout SettingsWords, inout Element) -> Void
    ) {
        let before = count
        var length = list.count
        pass(&length)
        if isReading { list = [] }
        var index = 0
        while index < length, !isBroken {
            if isReading { list.append(new) }
            each(&self, &list[index])
            index += 1
        }
        count = before + 1
    }

    private mutating func passNumber<Value>(_ value: inout Value, _ word: String, _ read: (String) -> Value?) {
        if !isReading {
            words.append(word)
        } else if let known = read(next()) {
            value = known
        } else {
            isBroken = true
        }
        count += 1
    }

    private mutating func next() -> String {
        guard let word = words.popLast() else {
            isBroken = true
            return ""
        }
        return word
    }

    /// Without spaces and line ends, and never empty.
    private static func escaped(_ text: String) -> String {
        var word = "'"
        for scalar in text.unicodeScalars {
            switch scalar {
            case " ": word += "\\s"
            case "\n": word += "\\n"
            case "\\": word += "\\\\"
            default: word.unicodeScalars.append(scalar)
            }
        }
        return word
    }

    private static func unescaped(_ word: String) -> String {
        var text = ""
        var isEscaped = false
        for scalar in word.unicodeScalars.dropFirst() {
            if isEscaped {
                text.unicodeScalars.append(scalar == "s" ? " " : scalar == "n" ? "\n" : scalar)
                isEscaped = false
            } else if scalar == "\\" {
                isEscaped = true
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
