// SPDX-License-Identifier: MIT
import GestureEngine
import GestureTestSupport
import Testing

/// The latest movement decides between pinch, rotation and a drag of several fingers.
@Suite("Choice between pinch, rotation and drag")
struct MotionBaseTests {
    /// Two fingers at the same height, at 100 frames per second.
    private struct Hand {
        private(set) var script = ""
        private var x = 40.0
        private var y = 30.0
        private var span = 20.0

        init() { script = "down a 30,30 & down b 50,30" }

        /// Moves at a constant speed.
        mutating func move(x dx: Double = 0, y dy: Double = 0, span ds: Double = 0, milliseconds: Int) {
            let steps = milliseconds / 10
            for _ in 0..<steps {
                x += dx / Double(steps)
                y += dy / Double(steps)
                span += ds / Double(steps)
                script += "; +10ms; move a \(x - span / 2),\(y) & move b \(x + span / 2),\(y)"
            }
        }

        mutating func rest(_ milliseconds: Int) { script += "; +\(milliseconds)ms" }

        mutating func lift() { script += "; up a & up b" }
    }

    /// The gestures that began, in order.
    private func begun(_ change: (inout Hand) -> Void) -> [String] {
        var hand = Hand()
        change(&hand)
        hand.lift()
        let lines = simulate([region([drag(fingers: 2), pinch(), rotate()])], hand.script, updates: false)
        return lines.split(separator: "\n").filter { $0.contains(" begin") }.map {
            $0.split(separator: " ")[1...].prefix { $0 != "begin" }.joined(separator: " ")
        }
    }

    @Test("a pan becomes a pinch, with a pause between or without")
    func panToPinch() {
        for rest in [0, 50, 290, 310, 2000] {
            let begun = begun {
                $0.move(x: 80, milliseconds: 400)
                $0.rest(rest)
                $0.move(span: 40, milliseconds: 500)
            }
            #expect(begun == ["2-finger drag", "pinch"], "\(rest) ms")
        }
    }

    @Test("a pinch becomes a pan")
    func pinchToPan() {
        for rest in [0, 50, 290, 310, 2000] {
            let begun = begun {
                $0.move(span: 40, milliseconds: 400)
                $0.rest(rest)
                $0.move(x: 20, milliseconds: 500)
            }
            #expect(begun == ["pinch", "2-finger drag"], "\(rest) ms")
        }
    }

    @Test("a pan that wobbles by a scale of 0.85 stays a pan, even if it turns back and stops")
    func wobble() {
        let there = begun {
            $0.move(x: 60, span: 3, milliseconds: 600)
            $0.move(x: -60, span: -6, milliseconds: 600)
            $0.rest(500)
            $0.move(span: 6, milliseconds: 200)
        }
        #expect(there == ["2-finger drag"])
        // The hand returns to its first position within a third of a second, but the drag has already begun.
        let back = begun {
            $0.move(y: 12, span: 2.5, milliseconds: 100)
            $0.move(y: -12, span: 2.5, milliseconds: 100)
        }
        #expect(back == ["2-finger drag"])
    }

    @Test("a slow pinch is recognized, even if no third of a second contains enough movement")
    func slow() {
        #expect(begun { $0.move(x: 2, span: 8, milliseconds: 4000) } == ["pinch"])
    }

    @Test("a pan is measured from the end of the preceding pinch, and begins without a jump")
    func compensation() {
        var hand = Hand()
        hand.move(x: 15, span: 40, milliseconds: 400)
        hand.rest(1000)
        hand.move(x: 20, milliseconds: 200)
        hand.lift()
        let lines = simulate([region([drag(fingers: 2)])], hand.script).split(separator: "\n")
        let first = lines.dropFirst().first.map(String.init) ?? ""
        let dx = Double(first.split(separator: " ").last?.split(separator: ",").first ?? "") ?? 99
        #expect(dx > 0 && dx < 4, "\(first)")
    }

    @Test("a pinch that moves across a drag's axis does not fail the drag")
    func axis() {
        var hand = Hand()
        hand.move(y: 6, span: 40, milliseconds: 300)
        hand.move(x: 40, milliseconds: 600)
        hand.lift()
        let lines = simulate([region([drag(fingers: 2) { $0.axis = .horizontal }])], hand.script, updates: false)
        #expect(lines.contains("drag begin"), "\(lines)")
    }

    @Test("the larger motion is the reason for the failure")
    func failure() {
        var hand = Hand()
        hand.move(x: 60, span: 4, milliseconds: 300)
        hand.lift()
        let lines = simulate([region([pinch()])], hand.script, failures: true)
        #expect(lines.hasSuffix("pinch failed: dominated 4.0 / 60.0"), "\(lines)")
    }
}
