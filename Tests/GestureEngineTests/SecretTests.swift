// SPDX-License-Identifier: MIT
import GestureEngine
import GestureLaws
import GestureTestSupport
import Testing

/// A pattern with `attempts` withstands hands that try several steps at once.
@Suite("Secrets")
struct SecretTests {
    /// A pad of nine keys, 20 mm wide, with the middle of key 1 at 10,10, and a pattern with these steps.
    private func pad(
        _ steps: [String], keys: [GestureSettings] = [tap()], isPrivate: Bool = false,
        _ change: (inout PatternSettings) -> Void = { $0.attempts = 3 }
    ) -> [Region] {
        var regions = (0..<9).map { key in
            region("k\(key + 1)", (Double(key % 3) * 20, Double(key / 3) * 20, 20, 20), keys)
        }
        regions.append(region("lock", (150, 0, 20, 20), [pattern(steps, change)]))
        if isPrivate { for i in regions.indices { regions[i].isPrivate = true } }
        return regions
    }

    private func place(_ key: Int) -> String { "\((key - 1) % 3 * 20 + 10),\((key - 1) / 3 * 20 + 10)" }

    /// A tap of 50 ms on each of these keys, with a pause of 100 ms.
    private func taps(_ keys: Int...) -> String {
        keys.map { "down a \(place($0)); +50ms; up a" }.joined(separator: "; +100ms; ")
    }

    private func all(_ verb: String, _ joint: String) -> String {
        (1...9).map { "\(verb) f\($0)\(verb == "down" ? " " + place($0) : "")" }.joined(separator: joint)
    }

    /// The lines of the pattern.
    private func said(_ regions: [Region], _ script: String, failures: Bool = false, others: [[Region]] = [])
        -> [String]
    {
        simulate(regions, script, failures: failures, others: others).split(separator: "\n")
            .filter { $0.contains(" lock.") }.map(String.init)
    }

    private func opens(_ regions: [Region], _ script: String, others: [[Region]] = []) -> Bool {
        said(regions, script, others: others).contains { $0.contains("steps in") }
    }

    private static let code = ["tap k3", "tap k7", "tap k1", "tap k9"]

    // MARK: Several keys at once

    @Test("nine fingers do not open a pad, however often they touch it", arguments: [false, true])
    func nineFingers(isPrivate: Bool) {
        let regions = pad(Self.code, isPrivate: isPrivate)
        let ways = [
            "\(all("down", " & ")); +80ms; \(all("up", " & "))",
            "\(all("down", "; +8ms; ")); +80ms; \(all("up", " & "))",
            "\(all("down", " & ")); +80ms; \(all("up", "; +8ms; "))",
        ]
        for way in ways {
            #expect(!opens(regions, [way, way, way, way].joined(separator: "; +200ms; ")), "\(way)")
        }
        #expect(opens(regions, taps(3, 7, 1, 9)))
    }

    @Test("nine fingers do not open a pad whose steps are made at the landing or while it lasts")
    func otherSteps() {
        for (step, keys, held) in [
            ("press", [press], 100), ("long_press", [longPress()], 700),
            ("tap", [tap(wait: true), tap(count: 2)], 100),
        ] {
            let regions = pad(["\(step) k3", "\(step) k7", "\(step) k1"], keys: keys)
            for joint in [" & ", "; +10ms; "] {
                let way = "\(all("down", joint)); +\(held)ms; \(all("up", joint)); +900ms"
                #expect(!opens(regions, "\(way); \(way); \(way)"), "\(step) \(joint)")
            }
        }
    }

    @Test("a frame has one step, and gestures of two contacts in a frame are a wrong one, also for a service pattern")
    func oneStepInAFrame() {
        let service = pad(["tap k1", "tap k2"]) { _ in }
        let both = "down a \(place(1)) & down b \(place(2)); +50ms; up a & up b"
        #expect(!opens(service, both))
        #expect(!opens(service, "\(taps(1)); +100ms; \(both)"))
        let lines = said(service, "\(taps(1)); +100ms; \(both)", failures: true)
        #expect(lines == ["200 lock.pattern failed: wrongStep 1.0 / 2.0"])
        // Two hands make it, one after the other.
        #expect(opens(service, "down a \(place(1)) & down b \(place(2)); +50ms; up a; +8ms; up b"))
        // Two steps that one contact makes at once are one.
        let over = region("over", (0, 0, 60, 60), pass: true, [tap()])
        let regions = pad(["tap k1", "tap over"]) { _ in } + [over]
        #expect(!opens(regions, taps(1)))
        #expect(opens(regions, taps(1, 5)))
    }

    @Test(
        "a step is wrong while another contact is down in another of its regions",
        arguments: [
            ("down x 50,10; +1500ms; SECOND; +100ms; up x", false),
            // Keys that are no step do not matter.
            ("down x 30,10; +1500ms; SECOND; +100ms; up x", true),
            // The first finger lifts before the second does, or after it has landed.
            ("down x 50,10; +100ms; down a 10,50; +50ms; up x; +50ms; up a; +100ms; SECOND", false),
            ("down a 10,50; +20ms; down x 50,10; +20ms; up a; +900ms; up x; +100ms; SECOND", false),
            // It lifts in the frame in which the second one lands.
            ("down x 50,10; +1500ms; up x & down a 10,50; +50ms; up a", true),
        ])
    func otherContact(script: String, isRight: Bool) {
        let second = "down a 10,50; +50ms; up a"
        // Keys 7 and 3 are steps, 2 and 8 are none.
        let regions = pad(["tap k7", "tap k3"]) { $0.attempts = 1 }
        let first = script.replacing("SECOND", with: second)
        let lines = said(regions, "\(first); +100ms; \(taps(3))", failures: true)
        #expect(lines.contains { $0.contains("steps in") } == isRight, "\(lines)")
        #expect(lines.contains { $0.contains("lockedOut") } == !isRight, "\(lines)")
    }

    @Test("only a region that may be a step makes a crowd, whatever a client calls its own", arguments: [false, true])
    func namesake(takesLeased: Bool) {
        var guest = region("~k3", (120, 60, 20, 20), [tap()])
        guest.isLeased = true
        let regions = pad(["tap k7", "tap k3"]) { ($0.attempts, $0.takesLeased) = (1, takesLeased) } + [guest]
        func opens(beside place: String) -> Bool {
            self.opens(regions, "down x \(place); +1500ms; \(taps(7)); up x; +100ms; \(taps(3))")
        }
        #expect(opens(beside: "130,70") == !takesLeased)
        #expect(!opens(beside: "50,10"))
    }

    @Test("a tap that comes after its crowd has lifted is wrong")
    func deferred() {
        let regions = pad(["tap k7", "tap k3"], keys: [tap(wait: true), tap(count: 2)]) { $0.attempts = 100 }
        let rest = "; +1000ms; \(taps(3))"
        #expect(!opens(regions, "down a 10,50; +20ms; down x 50,10; +50ms; up x; +20ms; up a\(rest)"))
        #expect(opens(regions, taps(7) + rest))
    }

    @Test("two fingers make a step of one region")
    func twoFingers() {
        let regions = pad(["2-finger k7", "tap k3"], keys: [tap()]).map { region in
            guard region.name == "k7" else { return region }
            var region = region
            region.gestures = [Gesture(tap(fingers: 2), name: "2-finger")]
            return region
        }
        #expect(opens(regions, "down a 5,50 & down b 15,50; +50ms; up a & up b; +100ms; \(taps(3))"))
    }

    @Test("hands on a pad open it no more often than by entering one code at a time")
    func randomHands() {
        var (hands, guesses) = (PadAttack.Outcome(), PadAttack.Outcome())
        for seed in UInt64(0)..<64 {
            var attack = PadAttack(seed: seed)
            attack.play(tries: 40)
            hands.add(attack.outcome)
            var guess = PadAttack(seed: seed)
            guess.guess(tries: 40)
            guesses.add(guess.outcome)
        }
        #expect(hands.tries == 2560 && hands.touches > 8000)
        #expect(Double(hands.opened) <= hands.expected, "\(hands)")
        // Somebody who guesses opens the same pads.
        #expect(guesses.opened > 0 && !guesses.isTooOften, "\(guesses)")
    }

    // MARK: Wrong steps

    @Test("a wrong first step counts, and each wrong step does")
    func wrongFirst() {
        let regions = pad(Self.code)
        #expect(opens(regions, "\(taps(5, 5)); +100ms; \(taps(3, 7, 1, 9))"))
        #expect(!opens(regions, "\(taps(5, 5, 5)); +100ms; \(taps(3, 7, 1, 9))"))
        #expect(!opens(regions, "\(taps(5, 3, 5, 5)); +100ms; \(taps(3, 7, 1, 9))"))
        #expect(
            said(regions, taps(5, 3, 5, 5), failures: true)
                == [
                    "350 lock.pattern failed: wrongStep 1.0 / 4.0",
                    "500 lock.pattern failed: lockedOut 60000.0 / 60000.0",
                ])
        // A service pattern ignores them, because the panel is in use.
        #expect(opens(pad(Self.code) { _ in }, "\(taps(5, 5, 5, 5, 5, 5)); +100ms; \(taps(3, 7, 1, 9))"))
    }

    @Test("the page's guesses an hour, and hours for all codes, are those of the engine")
    func guessesAnHour() throws {
        var engine = GestureEngine(
            pad(Self.code) { $0.attempts = 5 }, bounds: Rectangle(minX: 0, minY: 0, maxX: 200, maxY: 100))
        var (time, wrong, contact) = (Timestamp(microseconds: 0), 0, Int64(1))
        while time < Timestamp(microseconds: 3_600_000_000) {
            var events: [GestureEvent] = []
            let revision = engine.wrongStepsRevision
            for kind in [ContactChange.Kind.landed, .lifted] {
                let change = ContactChange(id: ContactID(contact), kind: kind, position: Point(x: 30, y: 30))
                engine.process(TouchFrame(time: time, changes: [change]), into: &events)
                time = time + .milliseconds(50)
            }
            contact += 1
            wrong += engine.wrongStepsRevision - revision
            // No other deadline is pending than the end of a lockout.
            guard let end = engine.nextDeadline else { continue }
            time = max(time, end)
            engine.advance(to: time, into: &events)
        }
        #expect((295...300).contains(wrong), "\(wrong)")
        let page = try #require(Document("docs/gestures.md")).text
        #expect(page.contains("wrong steps, 300 by default"))
        let table = try #require(page.split(separator: "| steps | 4 keys | 6 keys | 9 keys | 12 keys |").last)
        let rows = table.split(separator: "\n").dropFirst().prefix { $0.hasPrefix("|") }.map { row in
            row.split(separator: "|").compactMap { Double($0.filter { $0 != " " }) }
        }
        #expect(rows.map { $0.first } == PadAttack.lengths.map { Double($0) })
        for row in rows {
            for (keys, hours) in zip(PadAttack.sizes, row.dropFirst()) {
                let codes = (0..<Int(row[0])).reduce(1.0) { codes, _ in codes * Double(keys) }
                #expect(abs(hours - codes / 300) <= 0.051, "\(keys) keys: \(row)")
            }
        }
    }

    @Test("a crowd counts once in each frame")
    func crowdCounts() {
        let together = "\(all("down", " & ")); +80ms; \(all("up", " & "))"
        let regions = pad(Self.code)
        #expect(opens(regions, "\(together); +100ms; \(together); +100ms; \(taps(3, 7, 1, 9))"))
        #expect(!opens(regions, "\(together); +100ms; \(together); +100ms; \(together); +100ms; \(taps(3, 7, 1, 9))"))
    }

    @Test("wrong steps are forgotten after a lockout's length, and at least a minute")
    func forgotten() {
        let wrong = "down a \(place(5)); up a"
        let code = taps(3, 7, 1, 9)
        let short = pad(Self.code) {
            $0.attempts = 2
            $0.lockout = .milliseconds(5000)
        }
        #expect(!opens(short, "\(wrong); +59999ms; \(wrong); +100ms; \(code)"))
        #expect(opens(short, "\(wrong); +60000ms; \(wrong); +100ms; \(code)"))
        let long = pad(Self.code) {
            $0.attempts = 2
            $0.lockout = .milliseconds(600_000)
        }
        #expect(!opens(long, "\(wrong); +599999ms; \(wrong); +100ms; \(code)"))
        #expect(opens(long, "\(wrong); +600000ms; \(wrong); +100ms; \(code)"))
    }

    @Test("the steps of a right sequence are wrong for no other secret of the pad")
    func twoSecrets() {
        var regions = pad(["tap k1", "tap k2", "tap k3", "tap k4"])
        let other = pattern(["tap k9", "tap k8"]) { $0.attempts = 3 }
        regions.append(region("other", (180, 0, 20, 20), [other]))
        func opensOther(_ script: String) -> Bool {
            simulate(regions, script).contains("other.pattern 2 steps")
        }
        // The third wrong step would lock the other secret out before the sequence is complete.
        #expect(opensOther("\(taps(1, 2, 3, 4, 1, 2, 3, 4)); +100ms; \(taps(9, 8))"))
        #expect(opensOther("\(taps(5, 6, 1, 2, 3, 4)); +100ms; \(taps(9, 8))"))
        // Earlier and later ones count.
        #expect(!opensOther("\(taps(5, 6, 1, 2, 3, 4, 7)); +100ms; \(taps(9, 8))"))
        #expect(!opensOther("\(taps(5, 6, 7, 1, 2, 3, 4)); +100ms; \(taps(9, 8))"))
    }

    // MARK: Other regions

    /// Locks a pattern out, replaces the regions twice, and enters the code.
    private func survives(_ regions: [Region], _ other: [Region], wrong count: Int = 3) -> Bool {
        let wrong = Array(repeating: taps(5), count: count).joined(separator: "; +100ms; ")
        let then = "; +100ms; reload 1; +3000ms; reload 0; +100ms"
        return !opens(
            regions, "\(wrong)\(then); \(count < 3 ? taps(5) + "; +100ms; " : "")\(taps(3, 7, 1, 9))", others: [other])
    }

    @Test("wrong steps and lockouts outlive the region of the pattern", arguments: [3, 2])
    func outlives(count: Int) {
        let regions = pad(Self.code)
        var off = regions
        off[9].isEnabled = false
        #expect(survives(regions, off, wrong: count))
        #expect(survives(regions, Array(regions.dropLast()), wrong: count))
        #expect(survives(regions, [], wrong: count))
        var other = regions
        other[9].gestures.insert(Gesture(tap()), at: 0)
        #expect(survives(regions, other, wrong: count))
        #expect(survives(regions, Array(regions.reversed()), wrong: count))
        #expect(survives(regions, pad(["tap k1"]), wrong: count))
    }

    @Test("a lockout ends at its time, wherever its region was meanwhile")
    func endsInTime() {
        let regions = pad(Self.code) {
            $0.attempts = 1
            $0.lockout = .milliseconds(5000)
        }
        let begin = "down a \(place(5)); up a; +100ms; reload 1; +4000ms; reload 0"
        #expect(!opens(regions, "\(begin); +300ms; \(taps(3, 7, 1, 9))", others: [Array(regions.dropLast())]))
        #expect(opens(regions, "\(begin); +900ms; \(taps(3, 7, 1, 9))", others: [Array(regions.dropLast())]))
    }

    @Test("a lockout that has ended while its region was gone is over when it comes back")
    func endsUnseen() {
        let regions = pad(Self.code) { $0.attempts = 1 }
        var events: [GestureEvent] = []
        var engine = GestureEngine(regions, bounds: Rectangle(minX: 0, minY: 0, maxX: 200, maxY: 100))
        for kind in [ContactChange.Kind.landed, .lifted] {
            let change = ContactChange(id: ContactID(1), kind: kind, position: Point(x: 30, y: 30))
            engine.process(TouchFrame(time: Timestamp(microseconds: 0), changes: [change]), into: &events)
        }
        let end = Timestamp(microseconds: 60_000_000)
        #expect(engine.nextDeadline == end)
        engine.replaceRegions(Array(regions.dropLast()), at: Timestamp(microseconds: 1), into: &events)
        #expect(engine.nextDeadline == nil)
        engine.replaceRegions(regions, at: Timestamp(microseconds: 59_999_999), into: &events)
        #expect(engine.nextDeadline == end)
        engine.replaceRegions(Array(regions.dropLast()), at: Timestamp(microseconds: 59_999_999), into: &events)
        engine.replaceRegions(regions, at: end, into: &events)
        #expect(engine.nextDeadline == nil)
        #expect(engine.wrongSteps.isEmpty)
    }

    @Test("another engine takes over wrong steps, and another pattern does not")
    func otherEngine() {
        let regions = pad(Self.code)
        let bounds = Rectangle(minX: 0, minY: 0, maxX: 200, maxY: 100)
        var first = GestureEngine(regions, bounds: bounds)
        _ = simulate(&first, taps(5, 5, 5))
        // The script has run to the end of the lockout.
        #expect(first.wrongSteps.isEmpty)
        var events: [GestureEvent] = []
        var second = GestureEngine(regions, bounds: bounds)
        let steps = [
            PatternKey(region: "lock", gesture: "pattern"): WrongSteps(
                count: 3, latest: .init(microseconds: 0), end: .init(microseconds: 60_000_000))
        ]
        second.restore(steps)
        #expect(second.wrongSteps == steps)
        #expect(second.nextDeadline == Timestamp(microseconds: 60_000_000))
        second.advance(to: Timestamp(microseconds: 59_999_999), into: &events)
        #expect(second.wrongSteps == steps)
        #expect(!simulate(&second, taps(3, 7, 1, 9)).contains("steps in"))
        // Further wrong steps are added.
        var fourth = GestureEngine(regions, bounds: bounds)
        fourth.restore([
            PatternKey(region: "lock", gesture: "pattern"): WrongSteps(
                count: 2, latest: .init(microseconds: 0), end: .init(microseconds: 60_000_000))
        ])
        #expect(!simulate(&fourth, "\(taps(5)); +100ms; \(taps(3, 7, 1, 9))").contains("steps in"))
        var third = GestureEngine(regions, bounds: bounds)
        third.restore([
            PatternKey(region: "k1", gesture: "pattern"): WrongSteps(
                count: 3, latest: .init(microseconds: 0), end: .never)
        ])
        #expect(simulate(&third, taps(3, 7, 1, 9)).contains("steps in"))
    }
}
