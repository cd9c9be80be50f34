// SPDX-License-Identifier: MIT
#if Web
import NIOCore
import Testing

@testable import GestureWeb

/// Wraps `Places` in a class, so that tests can call mutating methods inside `#expect`.
private final class TestPlaces {
    private var places = Places<Int>()
    static let now = NIODeadline.now()

    var count: Int { places.count }
    var pageCount: Int { places.pageCount }

    func add(_ number: Int, _ owner: Owner) -> Int? { places.add(number, owner) }
    func owner(of number: Int) -> Owner? { places.owner(of: number) }
    func remove(_ number: Int) { places.remove(number) }
    func takeJob(_ number: Int) -> Bool { places.takeJob(number) }
    func makeRoom(for owner: Owner) -> Int? { places.makeRoom(for: owner, now: Self.now) }
    func hasPlace(for owner: Owner, limit: Int) -> Bool { places.hasPlace(for: owner, limit: limit, now: Self.now) }

    /// Adds a connection and tries to make it a page. `isGreeted`: whether the daemon has accepted the page's
    /// connection.
    func addPage(
        _ number: Int, _ owner: Owner, limit: Int, later: TimeAmount = .zero, isGreeted: Bool = true
    ) -> (isTaken: Bool, victim: Int?) {
        _ = places.add(number, owner)
        let result = places.takePage(number, limit: limit, now: Self.now + later)
        if isGreeted { places.greet(number) }
        return result
    }

    /// Adds pages, and returns how many of them were admitted.
    func addPages(_ numbers: Range<Int>, _ owner: Owner, limit: Int) -> Int {
        numbers.count { addPage($0, owner, limit: limit).isTaken }
    }
}

@Suite("Places for connections")
struct PlacesTests {
    private let greedy = Owner.user(1)
    private let other = Owner.user(2)
    private let stranger = Owner.address("127.0.0.1")
    private let places = TestPlaces()

    @Test("idle connections make room: the oldest of the owner with the most connections is closed")
    func idle() {
        for number in 0..<60 { #expect(places.add(number, greedy) == nil) }
        for number in 60..<64 { #expect(places.add(number, other) == nil) }
        #expect(places.add(100, other) == 0)
        #expect(places.add(101, stranger) == 1)
        #expect(places.add(102, greedy) == 2)
        #expect(places.count == 64)
        // Connections 3 and 4 are now running jobs, so they are not idle.
        #expect(places.takeJob(3) && places.takeJob(4))
        #expect(places.add(103, other) == 5)
        #expect(places.owner(of: 3) == greedy && places.owner(of: 5) == nil)
    }

    @Test("pages are not counted as connections, and are not closed for them")
    func pagesAreNotIdle() {
        #expect(places.addPages(0..<100, greedy, limit: 1000) == 100)
        for number in 100..<164 { #expect(places.add(number, greedy) == nil) }
        #expect(places.add(164, other) == 100)
        #expect(places.pageCount == 100)
        places.remove(0)
        places.remove(0)
        #expect(places.pageCount == 99)
    }

    @Test("one owner gets three of four jobs at most")
    func jobs() {
        for number in 0..<4 { #expect(places.add(number, greedy) == nil) }
        for number in 4..<6 { #expect(places.add(number, other) == nil) }
        #expect((0..<4).map { places.takeJob($0) } == [true, true, true, false])
        #expect((4..<6).map { places.takeJob($0) } == [true, false])
        places.remove(0)
        #expect(places.takeJob(5))
        #expect(!places.takeJob(99))
    }

    @Test("the owner with the most pages makes room for owners with fewer, until all have the same number")
    func shares() {
        #expect(places.addPages(0..<17, greedy, limit: 16) == 16)
        var victims: [Int] = []
        for number in 100..<110 {
            #expect(places.hasPlace(for: other, limit: 16) == (victims.count < 8))
            let (isTaken, victim) = places.addPage(number, other, limit: 16)
            #expect(isTaken == (victim != nil))
            if let victim { victims.append(victim) }
        }
        // The newest pages are closed first.
        #expect(victims == Array((8..<16).reversed()))
        #expect(places.pageCount == 16)
    }

    @Test("closing pages that have no place at the daemon would not help, so they are not closed")
    func newPages() {
        #expect(places.addPages(0..<4, greedy, limit: 64) == 4)
        for number in 4..<20 { #expect(places.addPage(number, greedy, limit: 64, isGreeted: false).isTaken) }
        #expect(places.makeRoom(for: other) == 3)
        #expect(places.makeRoom(for: other) == 2)
        #expect(places.pageCount == 18)
    }

    @Test("an owner that made room cannot come back at once")
    func pause() {
        #expect(places.addPages(0..<16, greedy, limit: 64) == 16)
        #expect(places.makeRoom(for: other) == 15)
        #expect(!places.addPage(20, greedy, limit: 64).isTaken)
        #expect(places.addPage(100, other, limit: 64).isTaken)
        #expect(places.addPage(21, greedy, limit: 64, later: Places<Int>.pause).isTaken)
        // An owner cannot make room by closing its own pages.
        #expect(places.makeRoom(for: greedy) == nil)
    }
}
#endif
