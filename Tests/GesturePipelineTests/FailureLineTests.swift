// SPDX-License-Identifier: MIT
import GestureEngine
import GesturePipeline
import GestureProtocol
import GestureTestSupport
import Testing

@Suite("Lines of failures")
struct FailureLineTests {
    /// A region of 100 x 100 mm on a panel with one pixel per millimetre.
    private static let regions = [
        Region(
            id: "a", shape: .rectangle(box), bounds: box, clip: box, parent: nil, pass: false,
            gestures: [
                Gesture(name: "page", word: "swipe", settings: .swipe(SwipeSettings())),
                Gesture(name: "strict", word: "swipe", settings: .swipe(strict)),
                Gesture(name: "drag", word: "drag", settings: .drag(DragSettings())),
                Gesture(name: "zoom", word: "pinch", settings: .pinch(PinchSettings())),
                Gesture(name: "buy", word: "double_tap", settings: .tap(TapSettings())),
                Gesture(name: "rotate", word: "rotate", settings: .rotate(RotateSettings())),
            ])
    ]
    private static let box = Rectangle(minX: 0, minY: 0, maxX: 100, maxY: 100)
    private static let strict = {
        var settings = SwipeSettings()
        settings.maxDeviation = 30
        settings.directions = [.left]
        return settings
    }()
    private static let size = PanelSize(
        widthPixels: 100, heightPixels: 100, widthMillimeters: 100, heightMillimeters: 100)

    /// The line of a failure, as the first event that a client receives.
    private func line(_ failure: GestureFailure, of gesture: Int = 0) -> String {
        let event = GestureEvent(
            time: Timestamp(microseconds: 83_913_600_000), region: 0, gesture: GestureIndex(raw: gesture), phase: nil,
            sequence: SequenceID(873), fingers: 1, position: .zero, detail: .failed(failure))
        var line = EventLine()
        var encoder = GestureEncoder(Self.regions, size: Self.size, device: "panel", subjectBase: 7)
        encoder.encode(event, into: &line)
        let (name, phase, subject, isMergeable) = (line.event, line.phase, line.subject, line.isMergeable)
        #expect(name == .failed)
        #expect(phase == .none)
        #expect(subject == 7 + gesture)
        #expect(!isMergeable)
        var text = JSONWriter()
        line.write(number: 9, into: &text)
        return text.text
    }

    /// The part of the line between `sequence` and `time_us`.
    private func reason(_ failure: GestureFailure, of gesture: Int = 0) -> String {
        let line = line(failure, of: gesture)
        return String(
            line.dropFirst(line.components(before: ",\"code\"").count).dropLast(",\"time_us\":83913600000}\n".count))
    }

    @Test("have the keys of the protocol, in order")
    func keys() {
        #expect(
            line(GestureFailure(.tooSlow, value: 612, limit: 500)) == """
                {"event":"failed","seq":9,"gesture":"swipe","name":"page","region":"a","device":"panel","sequence":873,\
                "code":"too_slow","key":"max_time","value":612,"limit":500,"unit":"ms","message":"took 612 ms, max_time is 500 ms",\
                "time_us":83913600000}

                """)
    }

    @Test("have no numbers for a code without numbers")
    func noNumbers() {
        #expect(
            line(GestureFailure(.cancelled(.claimed)), of: 4) == """
                {"event":"failed","seq":9,"gesture":"double_tap","name":"buy","region":"a","device":"panel",\
                "sequence":873,"code":"claimed","key":"simultaneous","message":"another gesture took the contact","time_us":83913600000}

                """)
    }

    @Test(
        "have the key of the kind of gesture, and the message names it",
        arguments: [
            (GestureFailure(.tooShort, value: 2, limit: 3), 0, "min_distance", "moved 2 mm, min_distance is 3 mm"),
            (.init(.tooShort, value: 2, limit: 3), 2, "start", "moved 2 mm, start is 3 mm"),
            (.init(.tooShort, value: 2, limit: 3), 3, "start", "span changed by 2 mm, start is 3 mm"),
            (
                .init(.wrongDirection, value: 50, limit: 45, direction: .upLeft), 0, "directions",
                "went up_left; directions are left, right, up, down"
            ),
            (
                .init(.deviated, value: 50, limit: 30), 1, "max_deviation",
                "off the nearest direction by 50 deg, max_deviation is 30 deg"
            ),
            // With a larger `max_deviation`, the direction would still be wrong.
            (
                .init(.wrongDirection, value: 150, limit: 45, direction: .right), 1, "directions",
                "went right; the only direction is left"
            ),
            (
                .init(.stopped, value: 250, limit: 150), 0, "rest",
                "stood still for 250 ms before the lift, rest is 150 ms"
            ),
            (
                .init(.smallSpan, value: 2, limit: 8, isFixed: true), 3, nil,
                "fingers too close to measure: 2 mm, the minimum is 8 mm"
            ),
            (
                .init(.smallSpan, value: 9, limit: 12), 3, "min_span",
                "fingers too close: 9 mm, min_span is 12 mm"
            ),
            (.init(.tooFewContacts, value: 2, limit: 3), 2, "fingers", "too few contacts: 2, fingers is 3"),
            (.init(.tooFewContacts, value: 2, limit: 3), 5, nil, "too few contacts: 2, required: 3"),
            (
                .init(.dominated, value: 2, limit: 3), 3, nil,
                "span changed by 2 mm, less than the fingers moved together: 3 mm"
            ),
            (
                .init(.dominated, value: 2, limit: 3), 5, nil,
                "turned by an arc of 2 mm, less than the fingers moved together: 3 mm"
            ),
            (
                .init(.dominated, value: 2, limit: 3), 2, nil,
                "moved 2 mm, not more than the fingers spread or turned: 3 mm"
            ),
        ] as [(GestureFailure, Int, String?, String)])
    func key(failure: GestureFailure, gesture: Int, key: String?, message: String) throws {
        let line = try JSONDocument.read(String(line(failure, of: gesture).dropLast())).root
        #expect(line["key"]?.string == key)
        #expect(line["message"]?.string == message)
    }

    @Test(
        "a value that exceeds its limit is printed differently from it",
        arguments: [
            (GestureFailure(.moved, value: 3.0, limit: 3), "3.0", "3.0"),
            (GestureFailure(.moved, value: 3.02, limit: 3), "3.1", "3.0"),
            (GestureFailure(.moved, value: 3.17, limit: 3), "3.2", "3.0"),
            (GestureFailure(.tooShort, value: 9.98, limit: 10), "9.9", "10.0"),
            (GestureFailure(.tooShort, value: 9.94, limit: 10), "9.9", "10.0"),
            (GestureFailure(.tooSlow, value: 500.001, limit: 500), "501", "500"),
            (GestureFailure(.tooSlow, value: 612.9, limit: 500), "612", "500"),
            (GestureFailure(.liftedEarly, value: 499.999, limit: 500), "499", "500"),
            (GestureFailure(.lowVelocity, value: 0, limit: 80), "0.0", "80.0"),
        ])
    func rounding(failure: GestureFailure, value: String, limit: String) {
        #expect(reason(failure).contains(",\"value\":\(value),\"limit\":\(limit),"), "\(reason(failure))")
    }

    @Test("no number breaks a line", arguments: [.nan, .infinity, -.infinity, 1e300, -1e300] as [Double])
    func anyNumber(number: Double) throws {
        for code in GestureFailure.Code.allCases {
            for failure in [
                GestureFailure(code, value: number, limit: 3), GestureFailure(code, value: 3, limit: number),
            ] {
                let text = line(failure)
                #expect(try JSONDocument.read(String(text.dropLast())).root["code"] != nil)
            }
        }
    }

    @Test("every code has its own name and sentence")
    func distinct() {
        let codes = GestureFailure.Code.allCases
        #expect(Set(codes).count == codes.count)
        let reasons = codes.map { reason(GestureFailure($0, value: 2, limit: 3)) }
        #expect(Set(reasons).count == codes.count)
        #expect(GestureFailure.Code.words.count == codes.count - 1, "only deviated has the word of another code")
        let sentences = reasons.map { $0.dropFirst($0.components(before: ",\"message\"").count) }
        #expect(Set(sentences).count == codes.count)
    }
}

extension String {
    /// The text before the first `separator`; all of it if there is none.
    fileprivate func components(before separator: String) -> Substring {
        var start = startIndex
        while start < endIndex, !self[start...].hasPrefix(separator) { start = index(after: start) }
        return self[..<start]
    }
}
