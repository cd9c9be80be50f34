// SPDX-License-Identifier: MIT
import GestureEngine

/// Evaluates the variables of Flutter's tests from an engine's events.
///
/// Those tests reset some variables after reading them, which the steps do not show. So if a variable is true, the
/// event must have come at any time; if it is false, it must not have come since the variable was last read.
struct FlutterObserver {
    let gestures: [Gesture]
    /// Millimetres per pixel.
    let scale: Double
    let origin: Point
    private(set) var events: [GestureEvent] = []
    /// The number of events when a variable was last read.
    private var seen: [String: Int] = [:]
    /// The scale and the rotation at the last change of the number of fingers, where Flutter starts over.
    private var base = (scale: 1.0, rotation: 0.0)
    /// The variables that depend on touches.
    private(set) var comparisons = 0

    init(gestures: [Gesture], scale: Double, origin: Point) {
        self.gestures = gestures
        self.scale = scale
        self.origin = origin
    }

    mutating func take(_ events: [GestureEvent]) { self.events = events.filter { !$0.isFailure } }

    /// A finger joins or leaves.
    mutating func fingersChange(_ events: [GestureEvent]) {
        take(events)
        base = (lastScale ?? 1, lastRotation ?? 0)
    }

    // MARK: Events

    private func matches(_ event: GestureEvent, _ pattern: String) -> Bool {
        let words = pattern.split(separator: " ").map(String.init)
        guard gestures[event.gesture].name == words[0] else { return false }
        guard words.count > 1 else { return event.isRecognition }
        return event.phase.map { "\($0)".hasPrefix(words[1]) } ?? false
    }

    private func count(_ patterns: [String], from start: Int = 0) -> Int {
        events.dropFirst(start).count { event in patterns.contains { matches(event, $0) } }
    }

    private var lastScale: Double? {
        events.compactMap { if case .pinch(let scale) = $0.detail { scale } else { nil } }.last
    }

    private var lastRotation: Double? {
        events.compactMap { if case .rotate(let rotation) = $0.detail { rotation } else { nil } }.last
    }

    private func motions(_ phase: String? = nil) -> [GestureEvent] {
        events.filter { event in
            ["drag", "pinch", "rotate"].contains(gestures[event.gesture].name)
                && (phase == nil || event.phase.map { "\($0)".hasPrefix(phase ?? "") } ?? false)
        }
    }

    /// In the test's pixels.
    private func pixels(_ event: GestureEvent?) -> [Double] {
        guard let event else { return [] }
        return [event.position.x / scale + origin.x, event.position.y / scale + origin.y]
    }

    // MARK: Assertions

    /// Terms of the tests in terms of this engine; those in lists are in `words`.
    private static let flags: [String: [String]] = [
        "tapRecognized": ["tap"], "didTap": ["tap"], "recognizedSingleTap": ["tap"],
        "doubleTapRecognized": ["double_tap"], "didStartPan": ["drag begin"], "didEndPan": ["drag end"],
        "didStartDrag": ["drag begin"], "didEndDrag": ["drag end"],
        "didStartScale": ["pinch begin", "rotate begin", "drag begin", "pinch update", "rotate update", "drag update"],
    ]
    private static let words: [String: [String]] = [
        "tap": ["tap"], "primary": ["tap"], "primaryUp": ["tap"], "tapPrimary": ["tap"], "upT": ["tap"],
        "up#1": ["tap"],
        "start": ["long_press begin"], "end": ["long_press end"], "startH": ["drag begin"], "endH": ["drag end"],
        "startD": ["drag begin"], "onStart": ["drag begin"], "onEnd": ["drag end"], "onStartPrimary": ["drag begin"],
        "drag1-start": ["drag begin"], "drag1-end": ["drag end"], "drag_start": ["drag begin"],
    ]
    /// Terms that are ignored.
    private static let neutral: Set<String> = [
        "down", "cancel", "down#1", "cancel#1", "primaryDown", "primary2Down", "move", "tap_down", "downH", "downT",
        "cancelH", "downD",
    ]
    private static let lists: Set<String> = ["recognized", "events", "logs", "dragCallbacks"]

    /// - Returns: the differences from what the test asserts.
    mutating func mistake(_ what: String, _ value: JSONScalar) -> String? {
        let start = seen[what] ?? 0
        seen[what] = events.count
        if let patterns = Self.flags[what], case .flag(let flag) = value {
            // In Flutter, a scale ends when a finger joins; here it continues.
            if what == "didStartScale", !flag { return nil }
            return check(flag, patterns, from: start, what)
        }
        if Self.lists.contains(what) {
            return check((value.list ?? []).compactMap(\.text), from: start, what)
        }
        if what == "dragCallbacks.isEmpty" {
            return check(value.text == "false", ["drag begin"], from: start, what)
        }
        if what == "log", value.text?.contains("scale-start") == true {
            return check(true, Self.flags["didStartScale"] ?? [], from: start, what)
        }
        return number(what, value, from: start)
    }

    private mutating func check(_ flag: Bool, _ patterns: [String], from start: Int, _ what: String) -> String? {
        comparisons += 1
        let holds = flag ? count(patterns) > 0 : count(patterns, from: start) == 0
        return holds ? nil : "\(what) is not \(flag)"
    }

    private mutating func check(_ list: [String], from start: Int, _ what: String) -> String? {
        let isKnown = { Self.neutral.contains($0) || Self.words[$0] != nil }
        guard list.isEmpty || list.contains(where: isKnown) else { return nil }
        for (word, patterns) in Self.words.sorted(by: { $0.key < $1.key }) {
            let isKnown = patterns.allSatisfy { pattern in gestures.contains { pattern.hasPrefix($0.name) } }
            guard isKnown else { continue }
            let isSaid = list.contains { Self.words[$0] == patterns }
            if list.contains(word) || !isSaid, let mistake = check(isSaid, patterns, from: start, "\(what): \(word)") {
                return mistake
            }
        }
        return nil
    }

    private mutating func number(_ what: String, _ value: JSONScalar, from start: Int) -> String? {
        guard let (got, wanted, tolerance) = measured(what, value, from: start) else { return nil }
        comparisons += 1
        guard got.count == wanted.count, zip(got, wanted).allSatisfy({ ($0 - $1).magnitude <= tolerance }) else {
            return "\(what) is \(got), not \(wanted)"
        }
        return nil
    }

    /// The measured value, the expected value and the tolerance; `nil` for a variable that is ignored.
    private func measured(_ what: String, _ value: JSONScalar, from start: Int) -> ([Double], [Double], Double)? {
        switch what {
        case "tapsRecognized", "tapCount": return value.number.map { ([Double(count(["tap"]))], [$0], 0) }
        case "updatedScale": return value.number.map { ([(lastScale ?? 1) / base.scale], [$0], 0.01) }
        case "updatedRotation":
            guard let radians = Self.radians(value) else { return nil }
            let turned = ((lastRotation ?? 0) - base.rotation) * .pi / 180
            // Half a turn is the same in both directions.
            let isHalf = (radians.magnitude - .pi).magnitude < 0.01
            return isHalf ? ([turned.magnitude], [.pi], 0.01) : ([turned], [radians], 0.01)
        case "updatedFocalPoint", "latestGlobalPosition":
            return Self.offset(value).map { (pixels(motions().last), $0, 0.1) }
        case "positionAtOnStart": return Self.offset(value).map { (pixels(motions("begin").last), $0, 0.1) }
        case "updatedScrollDelta": return Self.offset(value).map { (step(from: start), $0, 0.1) }
        case "updatedDelta", "updatePrimaryDelta":
            return value.number.map { (Array(step(from: start).prefix(1)), [$0], 0.1) }
        case "pointerCountOfStart", "pointerCountOfUpdate":
            return value.number.map { ([Double(motions().last?.fingers ?? 0)], [$0], 0) }
        case "startTimestamp", "updatedTimestamp":
            let phase = what == "startTimestamp" ? "begin" : nil
            guard let wanted = Self.firstNumber(value), let got = motions(phase).last else { return nil }
            return ([got.milliseconds], [wanted], 0)
        case "velocity.pixelsPerSecond.dx", "velocity.pixelsPerSecond.dy": return velocity(what, value)
        default: return nil
        }
    }

    private func velocity(_ what: String, _ value: JSONScalar) -> ([Double], [Double], Double)? {
        guard case .drag(_, let velocity, _, _, _)? = motions("end").last?.detail else { return ([], [0], 0) }
        let component = what.hasSuffix("x") ? velocity.dx : velocity.dy
        if value.text?.hasPrefix("inInclusiveRange") == true { return ([component / scale], [7960], 40.001) }
        return Self.firstNumber(value).map { ([component / scale], [$0], max(10, $0 / 100)) }
    }

    /// The last step of a drag since event `start`. A report at the previous position makes no event.
    private func step(from start: Int) -> [Double] {
        guard motions().last == events.dropFirst(start).last else { return [0, 0] }
        let positions = motions().map { pixels($0) }
        guard let last = positions.last, let before = positions.dropLast().last else { return [] }
        return [last[0] - before[0], last[1] - before[1]]
    }

    private static func offset(_ value: JSONScalar) -> [Double]? {
        guard case .object(let object) = value else { return nil }
        return object["offset"]?.numbers
    }

    private static func radians(_ value: JSONScalar) -> Double? {
        if let number = value.number { return number }
        switch value.text {
        case "math.pi": return .pi
        case "-math.pi": return -.pi
        case "math.pi / 4.0": return .pi / 4
        default: return nil
        }
    }

    private static func firstNumber(_ value: JSONScalar) -> Double? {
        value.text?.split { !($0.isNumber || $0 == ".") }.compactMap { Double($0) }.first
    }
}
