// SPDX-License-Identifier: MIT
import ContactTracking
import GestureConfiguration
import GestureEngine
import GesturePipeline
import GestureProtocol
import GestureTestSupport
import Testing

@Suite("Events of a single read")
struct ReadTests {
    /// With these settings, contacts reach their age limit and gestures take contacts from an application, even between
    /// the events of a frame.
    private static let configuration = Application.configuration(
        """
        [filter]
        max_contact_age = "300ms"
        max_touch = "off"
        [[region]]
        id = "list"
        shape = { rect = [0, 0, 60, 100] }
        touches = "hold"
        gestures = [{ type = "long_press", delay = "60ms", consume = true }, "tap", "swipe", "drag"]
        [[region]]
        id = "rest"
        shape = { rect = [60, 0, 40, 100] }
        gestures = ["press", { type = "drag", consume = true }]
        """)

    /// The lines that clients receive, and the events that an application receives.
    private struct Outcome: Equatable {
        var lines: [String] = []
        var twin: [KernelEvent] = []
    }

    /// - Parameter sizes: the number of events in each read.
    private func play(_ events: [KernelEvent], isShared: Bool, sizes: (Int) -> Int) throws -> Outcome {
        let setup = try InterestTests.setup(try #require(ConfigurationReader.read(Self.configuration).0))
        var pipeline = PanelPipeline(setup)
        pipeline.interest = LineInterest(updates: true, touches: true, frames: true, failures: true)
        var outcome = Outcome()
        let twin = Application()
        if isShared { pipeline.startSharing { twin.events += $0 } }
        var rest = events[...]
        while !rest.isEmpty {
            let size = min(sizes(rest.startIndex), rest.count)
            pipeline.feed(rest.prefix(size)) { outcome.lines.append($0.body.text) }
            rest = rest.dropFirst(size)
        }
        outcome.twin = twin.events
        return outcome
    }

    private static func events(_ random: inout SeededRandom) -> [KernelEvent] {
        var events: [KernelEvent] = []
        var time = Timestamp(microseconds: 1_000_000)
        for id in 0..<Int32(400) {
            for _ in 0...random.below(3) {
                // Sometimes time passes in the middle of a frame.
                if random.chance(20) { time = time + .milliseconds(Int64(random.below(80))) }
                switch random.below(20) {
                case 0..<5: events.append(.axis(EventCode.absMTSlot, Int32(random.below(3)), at: time))
                case 5..<9: events.append(.axis(EventCode.absMTTrackingID, random.chance(40) ? -1 : id, at: time))
                case 9..<14: events.append(.axis(EventCode.absMTPositionX, Int32(random.below(1000)), at: time))
                case 14..<18: events.append(.axis(EventCode.absMTPositionY, Int32(random.below(1000)), at: time))
                default: events.append(KernelEvent(time: time, type: EventCode.evKey, code: 158, value: id & 1))
                }
            }
            if random.chance(2) {
                events.append(KernelEvent(time: time, type: EventCode.evSyn, code: EventCode.synDropped, value: 0))
            }
            events.append(.report(at: time))
            time = time + .milliseconds(Int64(random.below(12)))
        }
        return events
    }

    @Test("the number of events per read does not matter", arguments: [false, true])
    func sizes(isShared: Bool) throws {
        var lines = 0
        for seed in 0..<UInt64(20) {
            var random = SeededRandom(seed)
            let events = Self.events(&random)
            let single = try play(events, isShared: isShared) { _ in 1 }
            let together = try play(events, isShared: isShared) { _ in events.count }
            let mixed = try play(events, isShared: isShared) { $0 % 7 + 1 }
            #expect(single == together)
            #expect(single == mixed)
            #expect(single.twin.isEmpty == !isShared)
            lines += single.lines.count { $0.contains(#""gesture":"#) }
        }
        #expect(lines > 100)
    }
}
