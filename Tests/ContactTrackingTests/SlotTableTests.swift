// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine
import Testing

@Suite("Slot tables as events")
struct SlotTableTests {
    static let time = Timestamp(microseconds: 5)

    @Test("survive the conversion to events and back")
    func identity() {
        let down = SlotState(trackingID: 7, x: 10, y: -20, major: 3, tool: 2, distance: 1)
        let up = SlotState(trackingID: -1, x: 99)
        for slots in [[up], [down, up, down]] {
            let table = SlotTable(slots: slots, current: slots.count / 2)
            let events = table.events(at: Self.time)
            #expect(SlotTable(events) == table)
            let unknown = SlotTable(SlotTable(slots: slots).events(at: Self.time))
            #expect(unknown.slots == slots)
            #expect(unknown.current == nil)
            #expect(events.last?.endsFrame == true)
            #expect(events.allSatisfy { $0.time == Self.time })
        }
    }

    @Test("without slots that are out of range", arguments: [Int32(-1), 64, .max])
    func range(number: Int32) {
        let (slot, id) = (EventCode.absMTSlot, EventCode.absMTTrackingID)
        let events = [(slot, number), (id, 1), (slot, 0), (id, 2)].map { KernelEvent.axis($0.0, $0.1, at: Self.time) }
        #expect(SlotTable(events).slots.map(\.trackingID) == [2])
    }
}
