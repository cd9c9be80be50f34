// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine
import GesturePipeline
import Testing

@Suite("Slot tables as events")
struct SlotTableTests {
    static let time = Timestamp(microseconds: 5)

    @Test("a table comes back the same")
    func identity() {
        var down = SlotState()
        down.trackingID = 7
        down.x = 10
        down.y = -20
        down.major = 3
        down.tool = 2
        down.distance = 1
        var up = SlotState()
        up.trackingID = -1
        up.x = 99
        for slots in [[], [up], [down, up, down]] {
            let events = SlotTable.events(slots, at: Self.time)
            #expect(SlotTable.slots(events) == slots)
            #expect(events.last?.endsFrame == true)
            #expect(events.allSatisfy { $0.time == Self.time })
        }
    }

    @Test("slots out of range are left out", arguments: [Int32(-1), 64, .max])
    func range(number: Int32) {
        let events = [(0x2F, number), (0x39, 1), (0x2F, 0), (0x39, 2)].map {
            RawEvent(time: Self.time, type: 3, code: UInt16($0.0), value: $0.1)
        }
        #expect(SlotTable.slots(events).map(\.trackingID) == [2])
    }
}
