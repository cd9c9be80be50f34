// SPDX-License-Identifier: MIT
import GestureEngine
import GestureTestSupport
import Testing

@Suite("Places of the same elements in two lists")
struct CounterpartsTests {
    private func compare(_ old: [Int], _ new: [Int]) -> Counterparts {
        Counterparts(old.count, in: new.count) { old[$0] == new[$1] }
    }

    @Test(
        "what is the same at the beginning and at the end is not listed",
        arguments: [
            ([1, 2, 3, 4], [1, 2, 3, 4], 4..<4, 4..<4), ([1, 2, 3, 4], [1, 9, 3, 4], 1..<2, 1..<2),
            ([1, 2, 3, 4], [1, 2, 3, 4, 5], 4..<4, 4..<5), ([1, 2, 3, 4], [9, 8, 1, 2, 3, 4], 0..<0, 0..<2),
            ([1, 2, 3, 4], [1, 4], 1..<3, 1..<1), ([1, 1, 1], [1, 1], 2..<3, 2..<2), ([], [1], 0..<0, 0..<1),
            ([1], [], 0..<1, 0..<0), ([1, 2], [2, 1], 0..<2, 0..<2),
        ])
    func ends(old: [Int], new: [Int], range: Range<Int>, otherRange: Range<Int>) {
        let found = compare(old, new)
        #expect(found.range == range && found.otherRange == otherRange)
        #expect(found.missing == Array(range) && found.otherMissing == Array(otherRange))
        for place in old.indices where !range.contains(place) {
            #expect(found[place].map { new[$0] } == old[place])
        }
    }

    @Test("what is between has the places that it is given")
    func between() {
        let (old, new) = ([1, 2, 3, 4, 5], [1, 4, 6, 2, 9, 5])
        var found = compare(old, new)
        #expect(found.range == 1..<4 && found.shift == 1 && found.isInOrder)
        (found[1], found[3]) = (3, 1)
        #expect(old.indices.map { found[$0] } == [0, 3, nil, 1, 5])
        #expect(found.missing == [2] && found.otherMissing == [2, 4] && !found.isInOrder)
    }

    @Test("the end can be listed, too")
    func dropLast() {
        var found = compare([1, 2, 3, 4], [1, 9, 8, 3, 4])
        #expect(found.range == 1..<2)
        found.dropLast(of: 4)
        #expect(found.range == 1..<4 && found.otherRange == 1..<5)
        #expect((0..<4).map { found[$0] } == [0, nil, nil, nil])
        found[3] = 4
        #expect(found.missing == [1, 2] && found.otherMissing == [1, 2, 3] && found.isInOrder)
    }
}
