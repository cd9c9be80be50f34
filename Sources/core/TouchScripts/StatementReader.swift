// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureEngine
import GestureProtocol

/// Reads a statement of a script.
struct StatementReader {
    /// The touches of people, by the words for them. The names of the kinds of gestures are among them.
    static let verbs: [(word: String, verb: TouchScript.Verb, times: Int, fingers: Int?)] = [
        ("tap", .tap, 1, nil), ("double-tap", .tap, 2, nil), ("triple-tap", .tap, 3, nil),
        ("two-finger-tap", .tap, 1, 2), ("hold", .hold, 1, nil), ("swipe", .swipe, 1, nil), ("drag", .drag, 1, nil),
        ("pinch", .pinch, 1, nil), ("turn", .turn, 1, nil), ("draw", .draw, 1, nil),
        ("press", .tap, 1, nil), ("button", .tap, 1, nil), ("click", .tap, 1, nil), ("flick", .swipe, 1, nil),
        ("slide", .drag, 1, nil), ("zoom", .pinch, 1, nil), ("long-press", .hold, 1, nil), ("repeat", .hold, 1, nil),
        ("rotate", .turn, 1, nil), ("dial", .turn, 1, nil), ("stroke", .draw, 1, nil), ("chain", .draw, 1, nil),
    ]
    private static let changes = TouchScript.Change.Kind.allCases.map(\.rawValue)
    private static let counts = ["two": 2, "three": 3, "four": 4, "five": 5]

    private var words: ArraySlice<ScriptWord>
    /// The place of the word that was read last.
    private var position: TextPosition

    init(_ words: [ScriptWord]) {
        self.words = words[...]
        position = words[0].position
    }

    mutating func read() throws(ScriptError) -> TouchScript.Statement {
        if words[words.startIndex].text.hasPrefix("+"), let word = words.popFirst() {
            guard let time = Measure(word.text.dropFirst())?.time, time >= .zero else {
                throw ScriptError(word.position, "\"\(word.text)\" is not a time; write +90ms or +1.5s")
            }
            try end()
            return .wait(time, word.position)
        }
        var changes: [TouchScript.Change] = []
        var acts: [TouchScript.Act] = []
        repeat {
            let word = try next("a touch such as tap")
            if let kind = TouchScript.Change.Kind(rawValue: word.text) {
                changes.append(try change(kind))
            } else {
                acts.append(try act(word))
            }
        } while separator()
        try end()
        guard acts.isEmpty || changes.isEmpty else {
            throw ScriptError(position, "& joins changes of contacts, or touches of people, but not both")
        }
        return acts.isEmpty ? .changes(changes) : .acts(acts)
    }

    // MARK: Words

    private mutating func next(_ what: String) throws(ScriptError) -> ScriptWord {
        guard let word = words.first, word.text != "&" || word.isQuoted else {
            throw ScriptError(words.first?.position ?? position, "\(what) is missing here")
        }
        words.removeFirst()
        position = word.position
        return word
    }

    private mutating func separator() -> Bool {
        guard let word = words.first, word.text == "&", !word.isQuoted else { return false }
        words.removeFirst()
        position = word.position
        return true
    }

    private var isAtEnd: Bool { words.first.map { $0.text == "&" && !$0.isQuoted } ?? true }

    private func end() throws(ScriptError) {
        guard let word = words.first else { return }
        throw ScriptError(word.position, "\"\(word.text)\" is one word too many; ; ends a statement")
    }

    // MARK: Changes

    private mutating func change(_ kind: TouchScript.Change.Kind) throws(ScriptError) -> TouchScript.Change {
        let place = position
        let name = try next("the name of a contact such as a").text
        var change = TouchScript.Change(kind: kind, contact: name, position: place)
        switch kind {
        case .down, .move: change.spot = try spot()
        case .up: if !isAtEnd { change.spot = try spot() }
        case .cancel:
            let reason = try next("palm")
            guard reason.text == "palm" else {
                throw ScriptError(reason.position, "a panel can only tell that a contact is a palm; write palm")
            }
        }
        return change
    }

    // MARK: Acts

    private mutating func act(_ word: ScriptWord) throws(ScriptError) -> TouchScript.Act {
        let name = String(word.text.map { $0 == "_" ? "-" : $0 })
        guard let row = Self.verbs.first(where: { $0.word == name }) else {
            let words = Self.verbs.map(\.word) + Self.changes
            let cure = Spelling.nearest(to: name, among: words).map { Spelling.hint($0) }
            throw ScriptError(
                word.position,
                "no touch is called \"\(word.text)\""
                    + (cure
                        ?? "; write \(TouchScript.Verb.allCases.map(\.rawValue).joined(separator: ", ")), or down, move, up")
            )
        }
        var act = TouchScript.Act(verb: row.verb, fingers: row.fingers, times: row.times, position: word.position)
        while !isAtEnd { try option(of: &act) }
        try check(act, word.text)
        return act
    }

    /// Reads one thing that is said about an act.
    private mutating func option(of act: inout TouchScript.Act) throws(ScriptError) {
        let word = words[words.startIndex]
        if word.isQuoted { return try target(of: &act) }
        switch word.text {
        case "at", "on", "from":
            words.removeFirst()
            position = word.position
            try target(of: &act)
        case "to":
            words.removeFirst()
            act.destination = try spot()
        case "in", "for", "by":
            words.removeFirst()
            position = word.position
            guard !isAtEnd, try measure(of: &act) else {
                throw ScriptError(word.position, "\(word.text) needs a time or a length, such as 800ms or 20mm")
            }
        case "with": try fingers(of: &act)
        default:
            if act.verb == .draw, act.shape == nil {
                act.shape = try next("a shape").text
            } else if try !measure(of: &act) {
                try target(of: &act)
            }
        }
    }

    private mutating func target(of act: inout TouchScript.Act) throws(ScriptError) {
        let word = words.first?.text ?? ""
        let spot = try spot()
        if let first = act.target {
            if let name = first.region, Measure(name[...])?.unit.isEmpty == true {
                throw ScriptError(
                    first.position, "\"\(name)\" is no region; numbers need a unit, such as 800ms, 20mm, 90deg or 2x")
            }
            throw ScriptError(
                spot.position,
                "\"\(word)\" is one word too many; after the place come to and another place, in and a time, with and a "
                    + "number of fingers, by and a length, or a number of times")
        }
        act.target = spot
    }

    private mutating func fingers(of act: inout TouchScript.Act) throws(ScriptError) {
        words.removeFirst()
        let count = try next("a number of fingers")
        guard let number = Self.counts[count.text] ?? Int(count.text), 1...10 ~= number else {
            throw ScriptError(count.position, "\"\(count.text)\" fingers are not 1 to 10")
        }
        let noun = try next("fingers")
        guard noun.text == "fingers" || noun.text == "finger" else {
            throw ScriptError(noun.position, "write with \(number) fingers")
        }
        act.fingers = number
    }

    /// Reads a direction, a time, an angle, a factor, a length or a number of times.
    /// - Returns: `false` if the next word is none of these.
    private mutating func measure(of act: inout TouchScript.Act) throws(ScriptError) -> Bool {
        let word = words[words.startIndex]
        if [.swipe, .drag].contains(act.verb), act.direction == nil, let direction = Self.direction(word.text) {
            act.direction = direction
        } else if let measure = Measure(word.text[...]), try take(measure, of: &act) {
            position = word.position
        } else {
            return false
        }
        words.removeFirst()
        return true
    }

    /// - Returns: `false` if the number has no unit, or one that says nothing about a touch.
    private mutating func take(_ measure: Measure, of act: inout TouchScript.Act) throws(ScriptError) -> Bool {
        if let time = measure.time {
            act.time = time
        } else if measure.unit == "deg" {
            act.angle = measure.number
        } else if measure.unit == "x" {
            act.factor = measure.number
        } else if let length = measure.coordinate, length.unit != nil {
            act.length = length
        } else if measure.unit.isEmpty, words.dropFirst().first?.text == "times", let word = words.popFirst() {
            guard let times = Int(exactly: measure.number), 1...100 ~= times else {
                throw ScriptError(word.position, "\"\(word.text)\" times are not 1 to 100")
            }
            act.times = times
        } else {
            return false
        }
        return true
    }

    static func direction(_ text: String) -> SwipeDirection? {
        SwipeDirection.allCases.first { $0.word == text.split(separator: "-").joined(separator: "_") }
    }

    private func check(_ act: TouchScript.Act, _ word: String) throws(ScriptError) {
        let verb = act.verb
        func missing(_ what: String) -> ScriptError { ScriptError(act.position, "\(word) needs \(what)") }
        let isMovement = verb == .swipe || verb == .drag
        if let name = Self.surplus(of: act) { throw ScriptError(act.position, "\(word) has no \(name)") }
        if isMovement, act.target == nil || (act.direction == nil && act.destination == nil) {
            throw missing("a place, and a direction or a destination, such as \(word) left from list")
        }
        if act.target == nil, verb != .draw { throw missing("a region or a position, such as \(word) ok") }
        if verb == .pinch, !(0.1...10 ~= act.factor ?? 0) { throw missing("a factor of 0.1x to 10x") }
        if verb == .turn, !(1...3600 ~= abs(act.angle ?? 0)) {
            throw missing("an angle of 1deg to 3600deg, or -1deg to -3600deg")
        }
        if verb == .turn, act.fingers ?? 1 > 2 { throw ScriptError(act.position, "one or two fingers turn something") }
        if act.destination != nil, act.direction != nil || act.length != nil {
            throw ScriptError(act.position, "a destination and a direction or a length exclude each other")
        }
        if verb == .draw, act.shape == nil {
            throw missing("the name of a stroke or a chain, or directions such as left,down")
        }
        if let time = act.time, time <= .zero { throw ScriptError(act.position, "the time must be more than 0") }
    }

    /// The name of what is said about an act that has no such thing.
    private static func surplus(of act: TouchScript.Act) -> String? {
        let verb = act.verb
        let isMovement = verb == .swipe || verb == .drag
        let extra: [(Bool, String)] = [
            (act.destination != nil && !isMovement, "destination"),
            (act.length != nil && !isMovement && verb != .draw, "length"),
            (act.angle != nil && verb != .turn, "angle"), (act.factor != nil && verb != .pinch, "factor"),
            (act.times > 1 && verb != .tap, "number of times"),
            (act.fingers != nil && [.pinch, .draw].contains(verb), "number of fingers"),
        ]
        return extra.first(where: \.0)?.1
    }

    // MARK: Places

    /// Reads a place: a region, `X,Y`, or `X,Y of` a region.
    private mutating func spot() throws(ScriptError) -> TouchScript.Spot {
        let word = try next("a region or a position")
        guard !word.isQuoted, let pair = try Self.pair(word) else {
            return TouchScript.Spot(region: word.text, position: word.position)
        }
        var spot = TouchScript.Spot(point: pair, position: word.position)
        if words.first?.text == "of", words.first?.isQuoted == false {
            words.removeFirst()
            spot.region = try next("a region").text
        }
        return spot
    }

    /// - Returns: `nil` if the word does not look like a position.
    private static func pair(_ word: ScriptWord) throws(ScriptError) -> TouchScript.Pair? {
        let parts = word.text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.first.map { $0.isNumber || "+-.".contains($0) } ?? true })
        else { return nil }
        guard let x = Measure(parts[0])?.coordinate, let y = Measure(parts[1])?.coordinate else {
            throw ScriptError(
                word.position, "\"\(word.text)\" is not a position; write 600,400 or 30%,50% or 20mm,35mm")
        }
        return TouchScript.Pair(x: x, y: y)
    }
}
