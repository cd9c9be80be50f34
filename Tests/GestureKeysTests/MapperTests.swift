// SPDX-License-Identifier: MIT
import GestureClient
import GestureProtocol
import Testing

@testable import GestureKeys

/// A mapper that reads lines of the protocol.
struct LineMapper {
    var mapper: GestureMapper
    var time: Int64 = 0

    init(_ text: String) throws { mapper = GestureMapper(try #require(read(text).settings)) }

    mutating func take(_ line: String) throws -> [Stroke] {
        mapper.take(GestureClient.Event(try #require(JSONValue(parsing: Array(line.utf8)))), at: time)
    }

    mutating func gesture(
        _ kind: String, _ phase: String? = nil, name: String? = nil, region: String = "ok", device: String = "panel",
        sequence: Int = 1, _ further: String = ""
    ) throws -> [Stroke] {
        let phase = phase.map { "\"phase\":\"\($0)\"," } ?? ""
        return try take(
            """
            {"event":"gesture","seq":1,"gesture":"\(kind)","name":"\(name ?? kind)",\(phase)"region":"\(region)",\
            "device":"\(device)","sequence":\(sequence),"fingers":1,\(further)"x":100.5,"y":20,"u":0.5,"v":0.5,"time_us":1}
            """)
    }
}

extension Stroke {
    static func press(_ codes: [UInt16]) -> Stroke { .press(codes, device: "panel") }
    static func release(_ codes: [UInt16]) -> Stroke { .release(codes, device: "panel") }
}

@Suite("Gestures as keys")
struct MapperTests {
    @Test("A discrete gesture, and the beginning of a continuous one, press chords in turn")
    func keys() throws {
        var mapper = try LineMapper("[[binding]]\ngesture = [\"back\", \"press\"]\nkeys = [\"leftalt+left\", \"esc\"]")
        let strokes: [Stroke] = [.press([56, 105]), .release([105, 56]), .press([1]), .release([1])]
        #expect(try mapper.gesture("swipe", name: "back") == strokes)
        #expect(try mapper.gesture("press", "begin") == strokes)
        #expect(try mapper.gesture("press", "end") == [])
        #expect(try mapper.gesture("tap") == [])
    }

    @Test("A repeat presses its key for each line")
    func repeats() throws {
        var mapper = try LineMapper("[[binding]]\ngesture = \"volume\"\nkeys = [\"volumeup\"]")
        for _ in 0..<5 {
            #expect(try mapper.gesture("repeat", name: "volume") == [.press([115]), .release([115])])
        }
    }

    @Test("Regions, panels and scenes are selected, and the first binding that matches applies")
    func selection() throws {
        var mapper = try LineMapper(
            """
            [[binding]]
            gesture = "tap"
            region = "edge.*"
            keys = "a"
            [[binding]]
            gesture = "*"
            scene = "shop"
            device = "pan*"
            keys = "b"
            [[binding]]
            gesture = "t?p"
            device = "other"
            keys = "c"
            """)
        #expect(try mapper.gesture("tap", region: "edge.left") == [.press([30]), .release([30])])
        #expect(try mapper.gesture("tap", region: "edge") == [])
        _ = try mapper.take(#"{"event":"config","change":"scene","generation":1,"scene":"shop"}"#)
        #expect(try mapper.gesture("tap", region: "edge.left") == [.press([30]), .release([30])])
        #expect(try mapper.gesture("tap", region: "edge") == [.press([48]), .release([48])])
        _ = try mapper.take(#"{"event":"config","change":"applied","generation":2,"diagnostics":[]}"#)
        #expect(try mapper.gesture("tap", region: "edge") == [.press([48]), .release([48])])
        _ = try mapper.take(#"{"event":"state","seq":0,"devices":[],"scene":"default","active":[]}"#)
        #expect(try mapper.gesture("tap", region: "edge") == [])
    }

    @Test("A click is made at the finger", arguments: ["tap", "long_press"])
    func click(kind: String) throws {
        var mapper = try LineMapper("[[binding]]\ngesture = \"*\"\nclick = \"right\"")
        let strokes = try mapper.gesture(kind, kind == "tap" ? nil : "begin")
        #expect(strokes == [.click(.right, device: "panel", .init(x: 100.5, y: 20))])
        #expect(try mapper.gesture("long_press", "end") == [])
        // A gesture without a position has no finger at which to click.
        #expect(
            try mapper.take(#"{"event":"gesture","gesture":"tap","name":"tap","region":"a","sequence":1}"#) == [])
    }

    private static func drag(_ x: Double, _ y: Double) -> String {
        "\"dx\":\(x),\"dy\":\(y),\"start\":{\"x\":90,\"y\":10},"
    }

    @Test("A drag turns the wheel so that the content follows the finger")
    func wheel() throws {
        var mapper = try LineMapper("[[binding]]\ngesture = \"drag\"\nwheel = { x = true, y = true, step = 40 }")
        #expect(
            try mapper.gesture("drag", "begin", Self.drag(0, 0)) == [.move(device: "panel", .init(x: 90, y: 10))])
        let turns: [(x: Double, y: Double, turn: WheelTurn?)] = [
            (0, 10, WheelTurn(y: 30)), (0, 10, nil), (0, 41, WheelTurn(y: 93, stepsY: 1)),
            (0.1, 41, nil), (0.4, 41, WheelTurn(x: -1)), (-80, -40, WheelTurn(x: 241, y: -243, stepsX: 2, stepsY: -2)),
        ]
        for (x, y, turn) in turns {
            let expected = turn.map { [Stroke.turn($0, device: "panel")] } ?? []
            #expect(try mapper.gesture("drag", "update", Self.drag(x, y)) == expected)
        }
        #expect(
            try mapper.gesture("drag", "end", Self.drag(-80, -50)) == [.turn(WheelTurn(y: -30), device: "panel")])
        #expect(try mapper.gesture("drag", "update", Self.drag(0, 500)) == [])
    }

    // MARK: Momentum

    private static func end(_ vx: Double, _ vy: Double, y: Double = 100) -> String {
        "\"vx\":\(vx),\"vy\":\(vy)," + drag(0, y)
    }

    /// A mapper whose drag has just ended at time 0 after 100 px, with a velocity. A step of the wheel is 10 px.
    private func flung(_ keys: String, _ vx: Double, _ vy: Double) throws -> LineMapper {
        var mapper = try LineMapper("[[binding]]\ngesture = \"drag\"\nwheel = { y = true, step = 10, \(keys) }")
        _ = try mapper.gesture("drag", "begin", Self.drag(0, 0))
        _ = try mapper.gesture("drag", "end", Self.end(vx, vy))
        return mapper
    }

    /// Lets the wheel run until it stops. Returns its units and the time.
    private func run(_ mapper: inout LineMapper) -> (units: Int, time: Int64, turns: Int) {
        var (units, turns) = (0, 0)
        while let next = mapper.mapper.nextTurn, turns < 1000 {
            mapper.time = next
            for case .turn(let turn, "panel") in mapper.mapper.advance(to: next) { units += Int(turn.y) }
            turns += 1
        }
        return (units, mapper.time, turns)
    }

    @Test("With momentum the wheel runs on by the velocity divided by the friction, and for 4 s at most")
    func momentum() throws {
        for (keys, velocity, pixels, seconds) in [
            ("momentum = true", 1000.0, 500.0, 1.6...1.9), ("momentum = 10", 1000, 100, 0.3...0.4),
            ("momentum = true", -1000, -500, 1.6...1.9), ("momentum = 1", 8000, 8000, 3.9...4.0),
            ("momentum = true", 1e300, 25_000, 3.5...4.0),
        ] {
            var mapper = try flung(keys, 0, velocity)
            let (units, time, _) = run(&mapper)
            // At the speed at which it stops, 15 px are left with a friction of 2.
            #expect(abs(Double(units) / 12 - pixels) < max(16, abs(pixels) / 50), "\(keys): \(units)")
            #expect(seconds.contains(Double(time) / 1e6), "\(keys): \(time)")
        }
    }

    @Test("Without momentum, after a slow drag, across the wheel, and after a cancel no turn is due")
    func still() throws {
        for (keys, vx, vy) in [
            ("momentum = false", 0.0, 1000.0), ("momentum = true", 0, 29), ("momentum = true", 900, 0),
        ] {
            #expect(try flung(keys, vx, vy).mapper.nextTurn == nil)
        }
        var mapper = try LineMapper("[[binding]]\ngesture = \"drag\"\nwheel = { y = true, momentum = true }")
        _ = try mapper.gesture("drag", "begin", Self.drag(0, 0))
        _ = try mapper.gesture("drag", "cancel", Self.end(0, 1000))
        #expect(mapper.mapper.nextTurn == nil)
    }

    @Test("A gesture that begins on the panel stops the wheel, and so do another scene, lost lines and the end")
    func stops() throws {
        func stops(_ line: (inout LineMapper) throws -> Void) throws -> Bool {
            var mapper = try flung("momentum = true", 0, 1000)
            _ = mapper.mapper.advance(to: 100_000)
            try line(&mapper)
            return mapper.mapper.nextTurn == nil
        }
        func gesture(_ phase: String?, time: Int, device: String = "panel") throws -> Bool {
            try stops { mapper in
                let phase = phase.map { "\"phase\":\"\($0)\"," } ?? ""
                _ = try mapper.take(
                    #"{"event":"gesture","seq":2,"gesture":"press","name":"press",\#(phase)"region":"other","device":"\#(device)","sequence":2,"fingers":1,"x":1,"y":1,"u":0,"v":0,"time_us":\#(time)}"#
                )
            }
        }
        #expect(try gesture("begin", time: 2))
        #expect(try gesture(nil, time: 2))
        // A swipe comes with the same lift, the press before the drag ends with it, and another panel has its own wheel.
        #expect(try !gesture(nil, time: 1))
        #expect(try !gesture("end", time: 2))
        #expect(try !gesture("begin", time: 2, device: "second"))
        #expect(try stops { _ = $0.mapper.releaseAll() })
        #expect(try stops { _ = try $0.take(#"{"event":"overflow","seq":3,"dropped":1,"since_ms":1}"#) })
        #expect(
            try stops {
                _ = try $0.take(#"{"event":"config","seq":3,"change":"scene","generation":1,"scene":"other"}"#)
            })
        #expect(try !stops { _ = try $0.take(#"{"event":"config","seq":3,"change":"applied","generation":2}"#) })
    }

    @Test("A dial presses keys for each step, in both directions, and makes up for steps beyond the limit")
    func dial() throws {
        var mapper = try LineMapper(
            "[[binding]]\ngesture = \"dial\"\nsteps = { cw = \"volumeup\", ccw = \"volumedown\" }")
        func dial(_ phase: String, _ steps: Int?) throws -> [String] {
            let value = steps.map { "\"steps\":\($0)," } ?? ""
            return try mapper.gesture("dial", phase, "\"rotation\":1,\(value)").map {
                switch $0 {
                case .press([115], "panel"): "up"
                case .press([114], "panel"): "down"
                case .release([115], "panel"), .release([114], "panel"): "release"
                default: "\($0)"
                }
            }.filter { $0 != "release" }
        }
        #expect(try dial("begin", 0) == [])
        #expect(try dial("update", 2) == ["up", "up"])
        #expect(try dial("update", 1) == ["down"])
        #expect(try dial("update", -1) == ["down", "down"])
        #expect(try dial("end", 0) == ["up"])
        #expect(try dial("update", 9) == [])
        mapper.time += 1_000_000
        #expect(try dial("begin", 15) == Array(repeating: "up", count: 12))
        #expect(mapper.mapper.refused == 1)
        mapper.time += 1_000_000
        #expect(try dial("update", 16) == Array(repeating: "up", count: 4))
        #expect(try dial("cancel", 20) == [])
        #expect(try dial("begin", nil) == [])
    }

    @Test("The whole steps are those of the units, whatever the finger does")
    func steps() throws {
        var motion = WheelMotion(try wheel(step: 7))
        var random = SystemRandomNumberGenerator()
        var (units, steps, position) = (0, 0, 0.0)
        for _ in 0..<10_000 {
            position += Double.random(in: -30...30, using: &random)
            let turn = motion.turn(to: .init(x: 0, y: position))
            (units, steps) = (units + Int(turn?.y ?? 0), steps + Int(turn?.stepsY ?? 0))
            #expect(abs(Double(units) - position * 120 / 7) < 1.001)
            #expect(abs(units - steps * 120) < 120)
        }
    }

    private func wheel(step: Int) throws -> Wheel {
        var wheel = Wheel()
        (wheel.y, wheel.step) = (true, step)
        return wheel
    }

    @Test("A key is held as long as a gesture lasts", arguments: ["end", "cancel"])
    func hold(end: String) throws {
        var mapper = try LineMapper("[[binding]]\ngesture = \"*\"\nhold = \"leftshift+space\"")
        #expect(try mapper.gesture("press", "begin") == [.press([42, 57])])
        #expect(mapper.mapper.isHolding)
        #expect(try mapper.gesture("press", "update") == [])
        // A second finger holds the same keys.
        #expect(try mapper.gesture("press", "begin", region: "other", sequence: 2) == [])
        #expect(try mapper.gesture("press", end) == [])
        #expect(try mapper.gesture("press", end, region: "other", sequence: 2) == [.release([57, 42])])
        #expect(try mapper.gesture("press", end) == [])
        #expect(!mapper.mapper.isHolding)
        // A gesture without a duration presses and releases.
        #expect(try mapper.gesture("tap") == [.press([42, 57]), .release([57, 42])])
    }

    @Test("Each panel has a keyboard of its own, on its seat")
    func panels() throws {
        var mapper = try LineMapper("[[binding]]\ngesture = \"*\"\nhold = \"space\"")
        #expect(try mapper.gesture("press", "begin") == [.press([57], device: "panel")])
        #expect(
            try mapper.gesture("tap", device: "other", sequence: 2)
                == [.press([57], device: "other"), .release([57], device: "other")])
        #expect(try mapper.gesture("press", "begin", device: "other", sequence: 3) == [.press([57], device: "other")])
        #expect(try mapper.gesture("press", "end") == [.release([57], device: "panel")])
        #expect(try mapper.gesture("press", "begin", sequence: 4) == [.press([57], device: "panel")])
        #expect(mapper.mapper.releaseAll() == [.release([57], device: "other"), .release([57], device: "panel")])
    }

    @Test("A gesture of a region that a client has defined presses only keys of a binding that says so")
    func leased() throws {
        func line(_ phase: String) -> String {
            #"{"event":"gesture","seq":1,"gesture":"press","name":"menu","phase":"\#(phase)","region":"app.menu","#
                + #""leased":true,"device":"panel","sequence":7,"fingers":1,"x":1.0,"y":1.0,"u":0.5,"v":0.5,"time_us":1}"#
        }
        let bindings = """
            [[binding]]
            gesture = "menu"
            keys = ["leftctrl+leftalt+f2"]
            [[binding]]
            gesture = "press"
            region = "app.*"
            leased = true
            keys = ["a"]
            """
        var mapper = try LineMapper(bindings)
        #expect(try mapper.take(line("begin")) == [.press([30], device: "panel"), .release([30], device: "panel")])
        var without = try LineMapper(bindings.replacing("leased = true", with: "leased = false"))
        #expect(try without.take(line("begin")) == [])
    }

    @Test("Typing leaves keys alone that a gesture holds")
    func heldModifier() throws {
        var mapper = try LineMapper(
            """
            [[binding]]
            gesture = "press"
            hold = "leftshift"
            [[binding]]
            gesture = "tap"
            keys = ["leftshift+a", "leftshift"]
            """)
        #expect(try mapper.gesture("press", "begin") == [.press([42])])
        #expect(try mapper.gesture("tap") == [.press([30]), .release([30])])
        #expect(try mapper.gesture("press", "end") == [.release([42])])
    }

    @Test(
        "Nothing stays down after a loss",
        arguments: [
            #"{"event":"overflow","seq":5,"dropped":3,"since_ms":10}"#, #"{"event":"bye","reason":"shutdown"}"#,
        ])
    func loss(line: String) throws {
        var mapper = try LineMapper("[[binding]]\ngesture = \"*\"\nhold = \"space\"")
        _ = try mapper.gesture("press", "begin")
        _ = try mapper.gesture("press", "begin", sequence: 2)
        #expect(try mapper.take(line) == [.release([57])])
        #expect(try mapper.gesture("press", "end") == [])
        _ = try mapper.gesture("press", "begin")
        #expect(mapper.mapper.take(.disconnected(cause: "x"), at: 0) == [.release([57])])
        _ = try mapper.gesture("press", "begin")
        #expect(mapper.mapper.releaseAll() == [.release([57])])
        #expect(mapper.mapper.releaseAll() == [])
    }

    @Test("At most 50 keys are pressed in any second, and releases are never refused")
    func flood() throws {
        var mapper = try LineMapper(
            """
            [[binding]]
            gesture = "tap"
            keys = ["leftctrl+a"]
            [[binding]]
            gesture = "press"
            hold = "space"
            """)
        var presses: [Int64] = []
        for millisecond in Int64(0)..<5000 {
            mapper.time = millisecond * 1000
            for case .press(let codes, _) in try mapper.gesture("tap") {
                presses += codes.map { _ in mapper.time }
            }
        }
        for first in presses.indices {
            let end = presses[first] + 1_000_000
            #expect(presses[first...].prefix { $0 < end }.count <= 50)
        }
        #expect(presses.count >= 5 * 38 && mapper.mapper.refused == 5000 - presses.count / 2)
        mapper.time += 1_000_000
        #expect(try mapper.gesture("press", "begin") == [.press([57])])
        while !(try mapper.gesture("tap")).isEmpty {}
        #expect(try mapper.gesture("press", "end") == [.release([57])])
    }

    @Test("A gesture that begins twice, or whose numbers are absurd, leaves nothing down")
    func odd() throws {
        var mapper = try LineMapper(
            """
            [[binding]]
            gesture = "press"
            hold = "space"
            [[binding]]
            gesture = "drag"
            wheel = { x = true, y = true, step = 1 }
            """)
        #expect(try mapper.gesture("press", "begin") == [.press([57])])
        #expect(try mapper.gesture("press", "begin") == [.release([57]), .press([57])])
        #expect(try mapper.gesture("press", "end") == [.release([57])])
        _ = try mapper.gesture("drag", "begin", Self.drag(0, 0))
        let far = try mapper.gesture("drag", "update", Self.drag(1e300, -1e300))
        #expect(far == [.turn(WheelTurn(x: -12_000, y: -12_000, stepsX: -100, stepsY: -100), device: "panel")])
        _ = try mapper.gesture("drag", "end", Self.drag(-1e300, 1e300))
    }

    @Test("Whatever comes, a key goes down only if it is up, and nothing stays down")
    func randomEvents() throws {
        var random = SystemRandomNumberGenerator()
        var mapper = try LineMapper(
            """
            [[binding]]
            gesture = "press"
            hold = "leftshift+space"
            [[binding]]
            gesture = "long_press"
            hold = "leftshift"
            [[binding]]
            gesture = "*"
            keys = ["leftshift+a", "space"]
            """)
        var down: Set<UInt16> = []
        func follow(_ strokes: [Stroke]) {
            for stroke in strokes {
                switch stroke {
                case .press(let codes, _): for code in codes { #expect(down.insert(code).inserted) }
                case .release(let codes, _): for code in codes { #expect(down.remove(code) != nil) }
                case .move, .click, .turn: Issue.record("\(stroke)")
                }
            }
        }
        for _ in 0..<20_000 {
            mapper.time += Int64.random(in: 0...200_000, using: &random)
            let sequence = Int.random(in: 1...4, using: &random)
            switch Int.random(in: 0...40, using: &random) {
            case 0: follow(try mapper.take(#"{"event":"overflow","seq":1,"dropped":1,"since_ms":1}"#))
            case 1: follow(mapper.mapper.take(.disconnected(cause: "x"), at: mapper.time))
            case 2...20:
                let phase = ["begin", "update", "end", "cancel", "odd"].randomElement(using: &random)
                follow(try mapper.gesture("press", phase, sequence: sequence))
            case 21...30:
                let phase = ["begin", "end", "cancel"].randomElement(using: &random)
                follow(try mapper.gesture("long_press", phase, sequence: sequence))
            default: follow(try mapper.gesture("tap", sequence: sequence))
            }
            #expect(mapper.mapper.isHolding == !down.isEmpty)
        }
        follow(mapper.mapper.releaseAll())
        #expect(down == [])
    }

    @Test("The pointer of a panel is placed in its part of the layout")
    func space() throws {
        let line = #"{"device":"panel","state":"ready","output":{"width":1920,"height":1080,"rotation":0}}"#
        let json = try #require(JSONValue(parsing: Array(line.utf8)))
        var output = try #require(GestureClient.Device(json).output)
        let rule = PointerRule(devices: ["*"], layout: [3000, 2000], area: [1000, 500, 960, 540])
        let space = PointerSpace(output: output, rule: rule)
        #expect((space.width, space.height) == (3000, 2000))
        #expect(space.place(.init(x: 960, y: 1080)) == .init(x: 1480, y: 1040))
        #expect(PointerSpace(output: output, rule: nil).place(.init(x: 3, y: 4)) == .init(x: 3, y: 4))
        (output.width, output.height) = (0, 0)
        #expect(PointerSpace(output: output, rule: rule).place(.init(x: 0, y: 0)) == .init(x: 1000, y: 500))
    }
}
