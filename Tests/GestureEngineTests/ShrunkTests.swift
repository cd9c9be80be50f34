// SPDX-License-Identifier: MIT
import GestureEngine
import GestureLaws
import Testing

/// Runs that once broke a law, as small as they got.
@Suite("Shrunk runs")
struct ShrunkTests {
    private static let tap = Gesture(name: "tap", word: "tap", settings: .tap(TapSettings()))
    private static let double = Gesture(
        name: "double", word: "double_tap", settings: .tap(TapSettings().with { $0.count = 2 }))
    private static let pinch = Gesture(name: "pinch", word: "pinch", settings: .pinch(PinchSettings()))
    private static let rotate = Gesture(name: "rotate", word: "rotate", settings: .rotate(RotateSettings()))
    private static let drag = Gesture(name: "drag", word: "drag", settings: .drag(DragSettings()))
    private static let press = Gesture(name: "press", word: "press", settings: .press(PressSettings()))
    private static let hold = Gesture(name: "hold", word: "long_press", settings: .longPress(LongPressSettings()))
    private static let longHold = Gesture(
        name: "longHold", word: "long_press",
        settings: .longPress(LongPressSettings().with { $0.delay = .milliseconds(1300) }))

    private static func whole(_ gestures: [Gesture]) -> [LawWorld] { [LawWorld([Region("r", .whole, gestures)])] }

    @Test("a reload does not forget that a panel bounces")
    func bounce() {
        #expect(lawViolation(Self.whole([Self.tap]), "down a 113,88; up a; down b 86,88", .engine(.reloaded)) == nil)
    }

    @Test("what was kept back does not come true by a cancel")
    func cancel() {
        let press = Self.press.with { $0.unless = ["pinch"] }
        let script = "down a 56,7 & down b 49,0; cancel a syncLost & cancel b syncLost"
        #expect(lawViolation(Self.whole([Self.pinch, press]), script) == nil)
    }

    @Test("a long press that waits for another has its own number of fingers")
    func fingers() {
        let hold = Self.hold.with { $0.unless = ["longHold"] }
        let script = "down a 125,84; +600ms; down b 136,99"
        #expect(lawViolation(Self.whole([Self.longHold, hold]), script) == nil)
    }

    @Test("fingers at one place do not turn")
    func turn() {
        let script =
            "down a 195,72; down b 195,97; move a 193,99 & move b 194,99 & down c 102,96; move a 199,99 & move b 199,99"
        #expect(lawViolation(Self.whole([Self.rotate]), script, .engine(.mirrored)) == nil)
    }

    @Test("a parent's long press takes no further finger")
    func parent() {
        let world = LawWorld([
            Region("r0", .whole, [Self.hold]), Region("r1", .whole, parent: 0, [Self.pinch]),
            Region("r6", .rectangle(Rectangle(minX: 195, minY: 39, maxX: 308, maxY: 67)), parent: 0, []),
        ])
        let script = "down a 173,46 & down b 163,89; move b 182,70 & down c 197,56; +65200ms"
        #expect(lawViolation([world], script) == nil)
    }

    @Test("a tap that is exclusive and waits leaves nothing behind")
    func idle() {
        let tap = Gesture(name: "tap", word: "tap", settings: .tap(TapSettings().with { $0.wait = true }))
            .with { $0.exclusive = true }
        #expect(lawViolation(Self.whole([Self.double, tap]), "down a 29,75") == nil)
    }

    @Test("nothing fails twice")
    func failures() {
        let first = Self.tap.with {
            $0.name = "first"
            $0.unless = ["drag"]
        }
        let second = Self.tap.with {
            $0.name = "second"
            $0.unless = ["first"]
        }
        #expect(lawViolation(Self.whole([Self.drag, first, second]), "failures on; down a 180,93") == nil)
    }
}
