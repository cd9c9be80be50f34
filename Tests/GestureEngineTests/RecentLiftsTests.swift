// SPDX-License-Identifier: MIT
import Testing

@testable import GestureEngine

@Suite("The last lifts of contacts")
struct RecentLiftsTests {
    @Test("the last lift near a point is found among the ten latest lifts", arguments: 1...35)
    func last(count: Int) {
        // The lifts alternate between five positions.
        func place(_ index: Int) -> Point { Point(x: Double(index % 5) * 10, y: 0) }
        var lifts = RecentLifts()
        for index in 0..<count { lifts.add(place(index), at: Timestamp(microseconds: Int64(index))) }
        #expect(lifts.newest == Timestamp(microseconds: Int64(count - 1)))
        for index in 0..<5 {
            let expected = (max(0, count - 10)..<count).last { place($0) == place(index) }
            #expect(
                lifts.last(within: 1, of: place(index))?.time == expected.map { Timestamp(microseconds: Int64($0)) })
        }
        #expect(lifts.last(within: 1, of: Point(x: 5, y: 0)) == nil)
    }
}
