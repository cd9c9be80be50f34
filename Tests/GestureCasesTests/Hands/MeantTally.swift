// SPDX-License-Identifier: MIT
import GestureEngine
import GesturePipeline
import GestureTestSupport

/// Counts what becomes of a gesture that hands make beside another hand.
struct MeantTally {
    private(set) var made = 0
    /// The hands whose gesture came, with the values that it has without another hand.
    private(set) var came = 0
    /// The hands beside which a gesture came that neither hand makes alone.
    private(set) var others = 0
    /// The gestures that neither hand makes alone, by name.
    private(set) var surplus: [String: Int] = [:]

    /// The number of hands whose gesture came and, after a plus, of those beside which something else came.
    var cell: String { others > 0 ? "\(came)+\(others)" : "\(came)" }

    /// Whether these hands may be the first of as many as a cell of the table counts.
    func fits(_ cell: String, of all: Int) -> Bool {
        let numbers = cell.split(separator: "+").compactMap { Int($0) }
        guard let came = numbers.first, numbers.count <= 2 else { return false }
        let others = numbers.count > 1 ? numbers[1] : 0
        return self.came <= came && made - self.came <= all - came && self.others <= others
            && made - self.others <= all - others
    }

    private let setup: PanelSetup
    private let meant: MeantGesture

    init(_ meant: MeantGesture, _ setup: PanelSetup) { (self.meant, self.setup) = (meant, setup) }

    /// Counts a hand.
    /// - Parameter alone: what comes without the other hand.
    mutating func add(_ hand: [GlassContact], alone: [GestureEvent], beside other: [GlassContact], seed: UInt64) {
        made += 1
        let both = Glass.play(hand + other, setup, seed: seed)
        if hasCome(alone, in: both) { came += 1 }
        var left = both.filter { isAct($0) }.map(key)
        for key in alone.filter({ isAct($0) }).map(key) { remove(key, from: &left) }
        guard !left.isEmpty else { return }
        for key in Glass.play(other, setup, seed: seed).filter({ isAct($0) }).map(key) { remove(key, from: &left) }
        guard !left.isEmpty else { return }
        others += 1
        for key in left { surplus[key, default: 0] += 1 }
    }

    private func remove(_ key: String, from keys: inout [String]) {
        if let place = keys.firstIndex(of: key) { keys.remove(at: place) }
    }

    private func gesture(_ event: GestureEvent) -> Gesture {
        setup.regions[event.region].gestures[event.gesture]
    }

    /// Whether an event says that somebody has done something. A press begins with each landing.
    private func isAct(_ event: GestureEvent) -> Bool {
        if case .press = event.detail { return false }
        if case .repeat(let n, _) = event.detail { return n == 1 }
        return event.isRecognition
    }

    private func key(_ event: GestureEvent) -> String {
        let name = setup.regions[event.region].id + "." + gesture(event).name
        guard case .swipe(let swipe) = event.detail else { return name }
        return name + " \(swipe.direction)"
    }

    // MARK: What was meant

    /// Whether each gesture that the hand makes alone has also come beside the other hand, and has ended alike.
    private func hasCome(_ alone: [GestureEvent], in both: [GestureEvent]) -> Bool {
        let expected = results(alone)
        var found = results(both)
        guard !expected.isEmpty else { return false }
        return expected.allSatisfy { event in
            guard let place = found.firstIndex(where: { matches($0, event) }) else { return false }
            found.remove(at: place)
            return true
        }
    }

    /// The results of what is meant: discrete gestures, and the ends of others. Of repetitions, the last.
    private func results(_ events: [GestureEvent]) -> [GestureEvent] {
        let results = events.filter { event in
            !event.isFailure && gesture(event).name == meant.name && (event.phase == nil || event.phase == .end)
        }
        return meant == .repeat ? results.suffix(1) : results
    }

    /// Whether a result is that of the hand alone.
    private func matches(_ event: GestureEvent, _ alone: GestureEvent) -> Bool {
        guard key(event) == key(alone) else { return false }
        let isNear = (event.position - alone.position).length < 5
        switch (event.detail, alone.detail) {
        case (.repeat(let n, _), .repeat(let other, _)): return isNear && abs(n - other) <= 1
        case (.drag(let way, _, _, _, _), .drag(let other, _, _, _, _)): return (way - other).length < 4
        case (.pinch(let scale), .pinch(let other)): return (scale / other - 1).magnitude < 0.1
        case (.rotate(let turn), .rotate(let other)): return (turn - other).magnitude < 8
        case (.dial(let turn, _, _), .dial(let other, _, _)): return (turn - other).magnitude < 8
        case (.longPress(let held), .longPress(let other)):
            return isNear && abs((held ?? .zero).wholeMilliseconds - (other ?? .zero).wholeMilliseconds) < 100
        default: return isNear
        }
    }
}
