// SPDX-License-Identifier: MIT
package import GestureEngine

/// Touches as text for tests. Statements are separated by `;` or line ends.
///
///     down a 10,10      contact a lands at 10 mm, 10 mm
///     move a 14,10      it moves; `&` joins several contacts of one frame
///     jump a 20,10      it has moved while events were lost (a resynchronisation)
///     up a              it lifts
///     cancel a palm     it is cancelled
///     +84ms             time passes (fractions are allowed; +-5ms goes back)
///     advance           the loop wakes up without an event
///     reload 1          the regions are replaced by the set with this number, if a test has several
///     updates off       updates are not reported; `on` reports them again
///     failures on       failures are reported; `off` stops this
package struct TouchScript {
    package enum Step {
        case frame([ContactChange])
        case wait(Interval)
        case advance
        case reload(Int)
        case updates(Bool)
        case failures(Bool)
    }

    package private(set) var steps: [Step] = []
    /// The statements that cannot be read; a test must fail if there are any.
    package private(set) var mistakes: [String] = []

    /// The last contact with each name.
    package private(set) var ids: [String: ContactID] = [:]
    private var positions: [ContactID: Point] = [:]
    private var nextID: Int64 = 1

    package init(_ text: String) { add(text) }

    /// Adds the statements of a text to the steps.
    package mutating func add(_ text: String) {
        for statement in text.split(whereSeparator: { $0 == ";" || $0 == "\n" }) {
            read(statement.split(separator: " ").map(String.init))
        }
    }

    private mutating func read(_ words: [String]) {
        guard let first = words.first else { return }
        if first.hasPrefix("+"), first.hasSuffix("ms"), let value = Double(first.dropFirst().dropLast(2)) {
            steps.append(.wait(Interval(microseconds: Int64((value * 1000).rounded()))))
            return
        }
        if let step = Self.interlude(words) {
            steps.append(step)
            return
        }
        let changes = words.split(separator: "&").compactMap { change(Array($0)) }
        steps.append(.frame(changes.sorted { $0.id < $1.id }))
    }

    /// Reads a step that is not a frame of contacts; `nil` if the words are not such a step.
    private static func interlude(_ words: [String]) -> Step? {
        switch (words[0], words.count > 1 ? words[1] : "") {
        case ("advance", ""): .advance
        case ("reload", let number): Int(number).map { .reload($0) }
        case ("updates", "on"): .updates(true)
        case ("updates", "off"): .updates(false)
        case ("failures", "on"): .failures(true)
        case ("failures", "off"): .failures(false)
        default: nil
        }
    }

    private mutating func change(_ words: [String]) -> ContactChange? {
        guard words.count >= 2 else { return mistake(words) }
        let point = words.count > 2 ? Self.point(words[2]) : nil
        if words[0] == "down" {
            ids[words[1]] = ContactID(nextID)
            nextID += 1
        }
        guard let id = ids[words[1]], let position = point ?? positions[id] else { return mistake(words) }
        positions[id] = position
        switch words[0] {
        case "down": return ContactChange(id: id, kind: .landed, position: position)
        case "move": return ContactChange(id: id, kind: .moved, position: position)
        case "jump": return ContactChange(id: id, kind: .resynchronized, position: position)
        case "up": return ContactChange(id: id, kind: .lifted, position: position)
        case "cancel":
            guard words.count == 3, let reason = CancelReason.allCases.first(where: { "\($0)" == words[2] })
            else { return mistake(words) }
            return ContactChange(id: id, kind: .cancelled(reason), position: position)
        default: return mistake(words)
        }
    }

    private mutating func mistake(_ words: [String]) -> ContactChange? {
        mistakes.append(words.joined(separator: " "))
        return nil
    }

    private static func point(_ text: String) -> Point? {
        let numbers = text.split(separator: ",").compactMap { Double($0) }
        return numbers.count == 2 ? Point(x: numbers[0], y: numbers[1]) : nil
    }
}
