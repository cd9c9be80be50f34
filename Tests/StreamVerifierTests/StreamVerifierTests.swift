// SPDX-License-Identifier: MIT
import StreamVerifier
import Testing

@Suite("The stream verifier")
struct StreamVerifierTests {
    @Test("accepts the examples in the protocol's documentation")
    func good() {
        #expect(Self.verify(Wire.good).violations == [])
    }

    @Test(
        "finds violations of each law",
        arguments: [
            // Violations of the form of lines.
            (.form, Wire.greeting + [Wire.begin(1).replacing(#""fingers":1,"#, #""fingers":1, "#)]),
            (.form, Wire.greeting + [Wire.begin(1).replacing("1210.5", "1210.55")]),
            (.form, Wire.greeting + [Wire.begin(1).replacing("1210.5", "1210")]),
            (.form, Wire.greeting + [Wire.begin(1).replacing("1210.5", "nan")]),
            (.form, Wire.greeting + [Wire.begin(1).replacing("1210.5", "-0.0")]),
            (.form, Wire.greeting + [Wire.begin(1).replacing("0.41", "0.410")]),
            (.form, Wire.greeting + [Wire.begin(1).replacing("0.41", "0.41001")]),
            (.form, Wire.greeting + [Wire.begin(1).replacing("0.41", "00.41")]),
            (
                .form,
                Wire.greeting + [Wire.begin(1).replacing(#""time_us":83912044123"#, #""time_us":9007199254740992"#)]
            ),
            (.form, Wire.greeting + [Wire.begin(1).replacing(#""ok""#, "\"o\u{1}k\"")]),
            (.form, Wire.greeting + [Wire.begin(1), Wire.end(2).replacing(#","held_ms":84"#, "")]),
            (.form, Wire.greeting + [Wire.begin(1) + " "]),
            (.form, Wire.greeting + [Wire.begin(1).replacing("ok", String(repeating: "o", count: 4096))]),
            (.form, Wire.greeting + [Wire.failed(1).replacing(#""message":"took 612 ms""#, #""message":"""#)]),
            (.form, Wire.greeting + [Wire.failed(1).replacing(#""limit":500"#, #""limit":500.0"#)]),
            (.word, Wire.greeting + [Wire.failed(1).replacing(#""unit":"ms""#, #""unit":"mm""#)]),
            // Unknown words.
            (.word, Wire.greeting + [Wire.begin(1).replacing("begin", "start")]),
            (.word, Wire.greeting + [Wire.begin(1).replacing(#""gesture":"press""#, #""gesture":"push""#)]),
            (.word, Wire.greeting + [#"{"event":"gusture","seq":1}"#]),
            // Phases in the wrong order.
            (.phase, Wire.greeting + [Wire.begin(1), Wire.begin(2)]),
            (.phase, Wire.greeting + [Wire.begin(1), Wire.end(2), Wire.end(3)]),
            (.phase, Wire.greeting + [Wire.begin(1), Wire.end(2), Wire.begin(3)]),
            (.phase, Wire.greeting + [Wire.update(1)]),
            (.phase, Wire.greeting + [Wire.idle(1, "active")]),
            (.phase, Wire.greeting + [Wire.idle(1, "idle"), Wire.idle(2, "idle")]),
            (
                .phase,
                [Wire.greeting[0], Wire.greeting[1].replacing(#","active""#, #","idle":["saver"],"active""#)]
                    + [Wire.idle(1, "idle")]
            ),
            (.phase, Wire.greeting + [Wire.begin(1), Wire.end(2), Wire.update(3)]),
            (
                .phase,
                Wire.greeting + [Wire.begin(1), Wire.failed(2).replacing("swipe", "press").replacing("page", "press")]
            ),
            (
                .phase,
                Wire.greeting + [Wire.end(1, sequence: 871), Wire.begin(2), #"{"event":"bye","reason":"shutdown"}"#]
            ),
            // Sequences with wrong numbers, regions or devices.
            (.sequence, Wire.greeting + [Wire.begin(1), Wire.tap(2).replacing(#""region":"ok""#, #""region":"no""#)]),
            (.sequence, Wire.greeting + [Wire.begin(1), Wire.tap(2).replacing("panel", "other")]),
            (.sequence, Wire.greeting + [Wire.begin(1, sequence: 0)]),
            // Wrong values of `seq`.
            (.seq, Wire.greeting + [Wire.begin(1), Wire.end(1)]),
            (.seq, Wire.greeting + [Wire.begin(1), Wire.state(2)]),
            (.seq, Wire.greeting + [Wire.begin(1), Wire.overflow(30, dropped: 27), Wire.state(30)]),
            (
                .seq,
                Wire.greeting + [Wire.begin(1), Wire.update(2, coalesced: 1)]
            ),
            (.seq, Wire.greeting + [Wire.begin(1), Wire.update(70_000)]),
            // Updates that cannot have been merged into a line of the same gesture.
            (.merge, Wire.greeting + [Wire.end(1, sequence: 871), Wire.begin(3), Wire.update(4, coalesced: 1)]),
            (
                .merge,
                Wire.greeting + [Wire.end(1, sequence: 871), Wire.begin(2), Wire.end(4), Wire.begin(5, sequence: 873)]
            ),
            (
                .merge,
                Wire.greeting + [
                    Wire.end(1, sequence: 871), Wire.begin(3, sequence: 873), Wire.begin(4),
                    Wire.begin(6, sequence: 874),
                    Wire.update(7, coalesced: 2),
                ]
            ),
            // Times that decrease, and positions outside the panel.
            (.time, Wire.greeting + [Wire.begin(1), Wire.end(2).replacing("83912128123", "83912044122")]),
            (.place, Wire.greeting + [Wire.begin(1).replacing("802.0", "1080.1")]),
            (.place, Wire.greeting + [Wire.begin(1).replacing("802.0", "-0.1")]),
            // Lines of a removed device.
            (.gone, Wire.greeting + [Wire.begin(1), Wire.device(2, "removed")]),
            (.gone, Wire.greeting + [Wire.device(1, "removed"), Wire.tap(2)]),
            (.gone, Wire.greeting + [Wire.device(1, "removed"), Wire.touches(2, [4])]),
            // Lines of a connection in the wrong order.
            (.order, [Wire.begin(1)]),
            (.order, Wire.greeting + Wire.greeting),
            (.order, Wire.greeting + [Wire.begin(1), Wire.state(1)]),
            (
                .order,
                Wire.greeting + [Wire.end(1, sequence: 871), #"{"event":"bye","reason":"shutdown"}"#, Wire.begin(2)]
            ),
            // Contact ids that are reused, and wrong counts.
            (.contact, Wire.greeting + [Wire.touches(1, [4, 5]), Wire.touches(2, [5]), Wire.touches(3, [4, 5])]),
            (.contact, Wire.greeting + [Wire.touches(1, [5, 4])]),
            (.count, Wire.greeting + [Wire.tap(1).replacing(#""gesture":"tap""#, #""gesture":"double_tap""#)]),
            (.count, Wire.greeting + [Wire.tap(1).replacing(#""gesture":"tap""#, #""gesture":"two_finger_tap""#)]),
            (.count, Wire.greeting + [Wire.repeated(1, n: 1), Wire.repeated(2, n: 3)]),
            (.count, Wire.greeting + [Wire.begin(1).replacing(#""fingers":1"#, #""fingers":0"#)]),
        ] as [(StreamViolation.Law, [String])])
    func finds(law: StreamViolation.Law, lines: [String]) {
        let verifier = Self.verify(lines)
        #expect(verifier.violations.contains { $0.law == law }, "\(verifier.violations)")
    }

    @Test("takes the gestures in progress from the state after a loss")
    func state() {
        let lost =
            Wire.greeting + [Wire.begin(1), Wire.overflow(3000, dropped: 2998), Wire.state(3000), Wire.begin(3001)]
        #expect(Self.verify(lost).violations.map { $0.law } == [])
    }

    @Test("accepts more than one `begin` in a sequence for all kinds except press, if `begin` and `end` alternate")
    func again() {
        func hold(_ line: String) -> String {
            line.replacing(Wire.press, #""gesture":"long_press","name":"long_press""#).replacing(#""inside":true,"#, "")
                .replacing("83912044123", "83912128123")
        }
        let twice = [Wire.begin(1), Wire.end(2), Wire.begin(3), Wire.end(4)].map(hold)
        #expect(Self.verify(Wire.greeting + twice).violations.map { $0.law } == [])
        for lines in [
            [Wire.begin(1), Wire.end(2), Wire.end(3)], [Wire.begin(1), Wire.end(2), Wire.begin(3), Wire.begin(4)],
        ] {
            #expect(Self.verify(Wire.greeting + lines.map(hold)).violations.map { $0.law } == [.phase])
        }
    }

    @Test("finds updates that were merged while other gestures were in progress")
    func merged() {
        let lines =
            Wire.greeting + [
                Wire.begin(1), Wire.end(2, sequence: 871), Wire.begin(4, sequence: 873), Wire.update(6, coalesced: 2),
                Wire.end(7), Wire.end(8, sequence: 873),
            ]
        #expect(Self.verify(lines).violations.map { $0.law } == [])
    }

    @Test("expects `begin` and `end` only of gestures that pass a filter")
    func someGestures() {
        var subscription = StreamVerifier.Subscription()
        subscription.coverage = .someGestures
        var verifier = StreamVerifier()
        for line in Wire.greeting { verifier.take(line) }
        verifier.resubscribe(subscription)
        // The state lists a gesture of a region that the filter blocks.
        for line in [Wire.greeting[1], Wire.begin(1), Wire.update(2), Wire.end(3), Wire.device(4, "removed")] {
            verifier.take(line)
        }
        #expect(verifier.violations.map { $0.law } == [])
        verifier.take(Wire.update(5))
        #expect(verifier.violations.map { $0.law }.contains(.phase))
    }

    @Test("accepts delayed updates after newer lines of another gesture, but not after lines of their own gesture")
    func held() {
        var subscription = StreamVerifier.Subscription()
        let younger = Wire.begin(2).replacing(Wire.press, #""gesture":"long_press","name":"menu""#)
            .replacing(#""inside":true,"#, "").replacing("83912044123", "83912044124")
        for (isHeld, laws) in [(true, []), (false, [.time])] as [(Bool, [StreamViolation.Law])] {
            subscription.hasRate = isHeld
            var verifier = StreamVerifier()
            for line in Wire.greeting { verifier.take(line) }
            verifier.resubscribe(subscription)
            for line in [Wire.greeting[1], Wire.begin(1), younger, Wire.update(3)] { verifier.take(line) }
            #expect(verifier.violations.map { $0.law } == laws)
        }
    }

    @Test("checks only lines and their numbers in a filtered stream")
    func filtered() {
        var verifier = StreamVerifier(.filtered)
        for line in Wire.greeting + [Wire.end(1), Wire.end(2)] { verifier.take(line) }
        #expect(verifier.violationCount == 0)
        verifier.take(Wire.end(2))
        #expect(verifier.violations.map { $0.law } == [.seq])
    }

    @Test("drops old sequences, and recognizes their numbers")
    func forgets() {
        var verifier = StreamVerifier(.everything, isWholeConnection: false)
        for sequence in 1...10_000 { verifier.take(Wire.tap(Int64(sequence), sequence: Int64(sequence))) }
        #expect(verifier.violationCount == 0)
        verifier.take(Wire.tap(10_001, sequence: 17))
        #expect(verifier.violations.map { $0.law } == [.sequence])
    }

    private static func verify(_ lines: [String]) -> StreamVerifier {
        var verifier = StreamVerifier()
        verifier.setPanel("panel", width: 1920, height: 1080)
        for line in lines { verifier.take(line) }
        return verifier
    }
}

extension String {
    /// The text with the first `old` replaced by `new`.
    fileprivate func replacing(_ old: String, _ new: String) -> String {
        guard let range = firstRange(of: old) else { return self }
        return String(self[..<range.lowerBound]) + new + String(self[range.upperBound...])
    }
}
