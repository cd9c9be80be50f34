// SPDX-License-Identifier: MIT
import GestureEngine
import Testing

@testable import ContactTracking

@Suite("A hold of five fingers")
struct FiveFingerHoldTests {
    private func contacts(_ count: Int, firstID: Int64 = 1, dx: Double = 0) -> [PanelContact] {
        (0..<count).map { number in
            PanelContact(
                id: ContactID(firstID + Int64(number)), slot: number,
                position: Point(x: 20 * Double(number) + (number == 0 ? dx : 0), y: 0), major: nil)
        }
    }

    private func time(_ milliseconds: Int64) -> Timestamp { Timestamp(microseconds: milliseconds * 1000) }

    @Test("lasts three seconds from the landing of the fifth contact")
    func held() {
        var hold = FiveFingerHold()
        hold.follow(contacts(4), at: time(0))
        #expect(hold.deadline == nil)
        hold.follow(contacts(5), at: time(100))
        #expect(hold.deadline == time(3100))
        hold.follow(contacts(5, dx: 5), at: time(2000))
        #expect(hold.deadline == time(3100))
        hold.follow(contacts(4), at: time(2500))
        #expect(hold.deadline == nil)
    }

    @Test("lasts as long as it is told, or never")
    func times() {
        for (interval, deadline) in [(Interval.milliseconds(1500), time(1600)), (nil, nil)] {
            var hold = FiveFingerHold(for: interval)
            hold.follow(contacts(5), at: time(100))
            #expect(hold.deadline == deadline)
        }
    }

    @Test("starts over when a contact moves or lands")
    func begunAnew() {
        var hold = FiveFingerHold()
        hold.follow(contacts(5), at: time(0))
        hold.follow(contacts(5, dx: 5.01), at: time(1000))
        #expect(hold.deadline == time(4000))
        // Movement is measured from the new position.
        hold.follow(contacts(5, dx: 6), at: time(2000))
        #expect(hold.deadline == time(4000))
        hold.follow(contacts(6, dx: 6), at: time(2500))
        #expect(hold.deadline == time(5500))
        hold.follow(contacts(6, firstID: 2, dx: 6), at: time(2600))
        #expect(hold.deadline == time(5600))
        hold.reset()
        #expect(hold.deadline == nil)
    }
}
