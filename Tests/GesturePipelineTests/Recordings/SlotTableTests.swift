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
        let down = SlotState(trackingID: 7, x: 10, y: -20, major: 3, tool: 2, distance: 1)
        let up = SlotState(trackingID: -1, x: 99)
        for slots in [[up], [down, up, down]] {
            let events = SlotTable.events(slots, currentSlot: slots.count / 2, at: Self.time)
            #expect(SlotTable.read(events).slots == slots)
            #expect(SlotTable.read(events).currentSlot == slots.count / 2)
            let unknown = SlotTable.read(SlotTable.events(slots, at: Self.time))
            #expect(unknown.slots == slots)
            #expect(unknown.currentSlot == nil)
            #expect(events.last?.endsFrame == true)
            #expect(events.allSatisfy { $0.time == Self.time })
        }
    }

    @Test("slots out of range are left out", arguments: [Int32(-1), 64, .max])
    func range(number: Int32) {
        let events = [(0x2F, number), (0x39, 1), (0x2F, 0), (0x39, 2)].map {
            KernelEvent(time: Self.time, type: 3, code: UInt16($0.0), value: $0.1)
        }
        #expect(SlotTable.read(events).slots.map(\.trackingID) == [2])
    }
}
