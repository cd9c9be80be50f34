// SPDX-License-Identifier: MIT
import GestureProtocol
import GestureServer
import GestureTestSupport

/// Gestures and panels that come and go while the indices of their subjects change.
///
/// Each line contains its subject, the number of earlier lines of its kind, and `at`, the total number of earlier
/// lines.
final class GestureModel {
    private struct Gesture {
        let identity: Int64
        /// The index of the subject in `all`.
        let subject: Int
        var updates: Int64 = 0
    }

    private struct Panel {
        var identity: Int64
        var touches: Int64 = 0
    }

    private static let others = [
        Subject(region: "kiosk.map", gesture: "pinch", name: "zoom", isPrivate: false),
        Subject(region: "pin", gesture: "drag", name: "drag", isPrivate: true),
        Subject(region: "bok", gesture: "drag", name: "drag", isPrivate: false),
    ]
    private static let all = ServerHarness.subjects + others
    private static let mostGestures = 12

    private let harness: ServerHarness
    private var gestures: [Gesture] = []
    private var panels: [Panel]
    /// The subjects that the server currently has, as indices in `all`.
    private var present: [Int]
    private var next: Int64 = 1000
    private(set) var at: Int64 = 0
    /// The number of the last line of each gesture that has ended and of each panel that was removed, by identity.
    private(set) var ends: [Int64: Int64] = [:]

    init(_ harness: ServerHarness) {
        self.harness = harness
        present = Array(ServerHarness.subjects.indices)
        panels = [Panel(identity: 1), Panel(identity: 2)]
        harness.delegate.activeOf = { [unowned self] in active(for: $0) }
    }

    /// Performs one random step.
    func step(_ random: (Int) -> Int) {
        switch random(12) {
        case 0, 1: begin(random)
        case 2: if !gestures.isEmpty { end(random(gestures.count)) }
        case 3: replug(random(panels.count))
        case 4: renumber(random)
        case 5, 6: touch(random(panels.count))
        default: for _ in 0...random(6) where !gestures.isEmpty { update(random(gestures.count), padding: random(300)) }
        }
    }

    func endAll() {
        while !gestures.isEmpty { end(gestures.count - 1) }
    }

    private func begin(_ random: (Int) -> Int) {
        guard gestures.count < Self.mostGestures, !present.isEmpty else { return }
        let gesture = Gesture(identity: take(), subject: present[random(present.count)])
        gestures.append(gesture)
        send(.gesture, gesture.subject, .begin, gesture.identity, 0)
    }

    private func update(_ place: Int, padding: Int) {
        gestures[place].updates += 1
        let gesture = gestures[place]
        send(.gesture, gesture.subject, .update, gesture.identity, gesture.updates, padding: padding)
    }

    private func end(_ place: Int) {
        let gesture = gestures.remove(at: place)
        send(.gesture, gesture.subject, at % 2 == 0 ? .end : .cancel, gesture.identity, gesture.updates)
        ends[gesture.identity] = at
    }

    private func touch(_ place: Int) {
        panels[place].touches += 1
        send(.touches, nil, .none, panels[place].identity, panels[place].touches)
    }

    private func replug(_ place: Int) {
        send(.device, nil, .none, panels[place].identity, panels[place].touches)
        ends[panels[place].identity] = at
        panels[place] = Panel(identity: take())
        send(.device, nil, .none, panels[place].identity, 0)
    }

    /// Replaces the server's subjects, in another order. Gestures of removed subjects are cancelled first.
    private func renumber(_ random: (Int) -> Int) {
        var chosen: [Int] = []
        for subject in Self.all.indices where random(4) > 0 {
            chosen.insert(subject, at: random(chosen.count + 1))
        }
        for place in gestures.indices.reversed() where !chosen.contains(gestures[place].subject) { end(place) }
        present = chosen
        harness.setSubjects(chosen.map { Self.all[$0] })
    }

    private func take() -> Int64 {
        next += 1
        return next
    }

    private func send(
        _ event: EventName, _ subject: Int?, _ phase: LinePhase, _ identity: Int64, _ count: Int64, padding: Int = 0
    ) {
        at += 1
        var line = EventLine()
        let index = subject.flatMap { present.firstIndex(of: $0) }
        line.start(event, subject: index ?? EventLine.noSubject, phase: phase, identity: identity)
        if phase != .none { line.body.member("phase", phase.word) }
        line.body.member("of", identity)
        line.body.member("count", count)
        line.body.member("at", at)
        if padding > 0 { line.body.member("padding", String(repeating: "x", count: padding)) }
        line.writeTime(harness.clock.now)
        harness.server.broadcast(line)
    }

    private func active(for peer: Peer) -> String {
        let seen = gestures.filter { peer.seesPrivate || !Self.all[$0.subject].isPrivate }
        return "[" + seen.map { "{\"of\":\($0.identity),\"count\":\($0.updates)}" }.joined(separator: ",") + "]"
    }
}
