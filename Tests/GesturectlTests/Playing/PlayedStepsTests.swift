// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine
import Recordings
import Testing

@testable import gesturectl

@Suite("Steps of a played recording")
struct PlayedStepsTests {
    private static let slot = EventCode.absMTSlot, id = EventCode.absMTTrackingID
    private static let x = EventCode.absMTPositionX, y = EventCode.absMTPositionY

    private static func time(_ milliseconds: Int64) -> Timestamp { Timestamp(microseconds: milliseconds * 1000) }

    private static func axis(_ milliseconds: Int64, _ code: UInt16, _ value: Int32) -> Recording.Entry {
        .event(.axis(code, value, at: time(milliseconds)))
    }

    private static func key(_ milliseconds: Int64, _ code: UInt16, _ value: Int32) -> Recording.Entry {
        .event(KernelEvent(time: time(milliseconds), type: EventCode.evKey, code: code, value: value))
    }

    private static func report(_ milliseconds: Int64) -> Recording.Entry { .event(.report(at: time(milliseconds))) }

    private static func sync(_ milliseconds: Int64, _ code: UInt16) -> Recording.Entry {
        .event(KernelEvent(time: time(milliseconds), type: EventCode.evSyn, code: code, value: 0))
    }

    /// Returns a text for each step, such as `10: 35=5 14a=1`.
    private static func texts(
        _ entries: [Recording.Entry], _ touchProtocol: TouchProtocol = .slots(count: 2)
    ) -> [String] {
        let played = PlayedSteps(of: Recording(description: DeviceDescription(), entries: entries), touchProtocol)
        return played.steps.map { step in
            let what =
                switch step.action {
                case .lift: "lift"
                case .unplug: "unplug"
                case .frame(let events):
                    events.dropLast().map { "\(String($0.code, radix: 16))=\($0.value)" }.joined(separator: " ")
                }
            if case .frame(let events) = step.action { #expect(events.last?.endsFrame == true) }
            return "\(step.time.microseconds / 1000): \(what)"
        }
    }

    @Test("keys of a keyboard and unknown types are left out")
    func keys() {
        let power: UInt16 = 116
        let other = KernelEvent(time: Self.time(0), type: 4, code: 4, value: 1)
        let entries = [
            Self.axis(0, Self.id, 7), Self.key(0, power, 1), Self.key(0, EventCode.btnTouch, 1), .event(other),
            Self.key(0, EventCode.btnToolPen, 1), Self.sync(0, EventCode.synDropped), Self.report(0),
        ]
        #expect(Self.texts(entries) == ["0: 39=7 14a=1 140=1"])
        let played = PlayedSteps(of: Recording(description: DeviceDescription(), entries: entries), .slots(count: 2))
        #expect(played.losses == 1)
    }

    @Test("after lost events, the slot table is a frame of all slots, with the key that belongs to it")
    func table() {
        let entries =
            [Self.axis(5, Self.x, 1), .resynchronized]
            + SlotTable(slots: [.init(trackingID: 3, x: 10, y: 20), .init(x: 30, y: 40)], current: 0)
            .events(at: Self.time(9)).map { .event($0) } + [Self.axis(20, Self.x, 11), Self.report(20)]
        #expect(
            Self.texts(entries) == [
                "9: 2f=0 39=3 35=10 36=20 2f=1 39=-1 35=30 36=40 2f=0 14a=1", "20: 35=11",
            ])
        #expect(Self.texts(entries, .singleTouch) == ["9: 0=10 1=20 14a=1", "20: 35=11"])
        #expect(Self.texts(entries, .unslotted) == ["20: 35=11"])
    }

    @Test("touches lift at a suspend, and nothing is played after the panel was unplugged")
    func interruptions() {
        let entries = [
            Self.axis(0, Self.id, 1), Self.report(0), .suspended(Self.time(30)), Self.axis(50, Self.id, 2),
            Self.report(50), .removed(Self.time(70)), Self.axis(90, Self.id, -1), Self.report(90),
        ]
        #expect(Self.texts(entries) == ["0: 39=1", "30: lift", "50: 39=2", "70: unplug"])
    }

    @Test("the last frame is completed, unless contacts are listed one after another")
    func incomplete() {
        let entries = [Self.axis(0, Self.id, 1), Self.report(0), Self.axis(8, Self.x, 5)]
        #expect(Self.texts(entries) == ["0: 39=1", "8: 35=5"])
        #expect(Self.texts(entries, .unslotted) == ["0: 39=1"])
        #expect(Self.texts([.resynchronized, Self.axis(8, Self.x, 5)]) == [])
    }

    /// Frames, the text of what lifts the touches then, and how many have landed.
    @Test(
        "what is down lifts",
        arguments: [
            (TouchProtocol.slots(count: 2), "2f=1 39=5 14a=1|2f=0 39=6|39=-1", "2f=1 39=-1 14a=0", 2),
            // The kernel ignores a slot that does not exist.
            (.slots(count: 2), "39=5|2f=2 39=-1", "", 1), (.slots(count: 2), "39=5|39=6", "2f=0 39=-1", 2),
            (.singleTouch, "0=5 1=5 14a=1", "14a=0", 1), (.singleTouch, "0=5 14a=1|14a=0", "", 1),
            (.unslotted, "35=5 36=5 s 35=6 36=6 s|35=5 36=5 s", "s", 2), (.unslotted, "35=5 36=5 s|s", "", 1),
        ])
    func lifts(touchProtocol: TouchProtocol, frames: String, lift: String, landings: Int) {
        var held = HeldTouches(touchProtocol)
        for frame in frames.split(separator: "|") { held.take(Self.frame(frame)) }
        #expect(held.lift() == (lift.isEmpty ? [] : Self.frame(lift[...])))
        #expect(held.isEmpty == lift.isEmpty)
        #expect(held.landings == landings)
    }

    /// Returns the events of a text such as `35=5 14a=1 s`; `s` is a `SYN_MT_REPORT`.
    private static func frame(_ text: Substring) -> [KernelEvent] {
        let events = text.split(separator: " ").map { word in
            let parts = word.split(separator: "=")
            guard parts.count == 2, let code = UInt16(parts[0], radix: 16), let value = Int32(parts[1]) else {
                return KernelEvent(time: time(0), type: EventCode.evSyn, code: EventCode.synMTReport, value: 0)
            }
            let type = EventCode.digitizerKeys.contains(code) ? EventCode.evKey : EventCode.evAbs
            return KernelEvent(time: time(0), type: type, code: code, value: value)
        }
        return events + [.report(at: time(0))]
    }
}
