// SPDX-License-Identifier: MIT
#if Web
import NIOCore

/// The user that a connection belongs to.
enum Owner: Hashable, Sendable {
    case user(UInt32)
    /// The user is unknown: all connections from one address count as one owner.
    case address(String)
}

/// The owners of the places for connections. The owner with most places makes room for others, so that no owner
/// can keep all others out.
struct Places<ID: Hashable & Sendable>: Sendable {
    /// The purpose of a connection.
    private enum Use {
        case brief, job
        /// A page that the daemon has not greeted yet.
        case newPage
        case page

        var isPage: Bool { self == .newPage || self == .page }
    }

    private struct Place {
        let owner: Owner
        /// A number that increases with each connection.
        var number: UInt64
        var use = Use.brief
    }

    /// The limit of requests that are answered immediately, and of jobs.
    static var mostBrief: Int { 64 }
    /// The limit of simultaneous jobs, including those whose bodies are still arriving.
    static var mostJobs: Int { 4 }
    /// The limit of jobs of one owner, which leaves one place for others.
    static var mostJobsOfOne: Int { 3 }
    /// The time for which an owner whose page made room may not open another page.
    static var pause: TimeAmount { .seconds(1) }

    private var places: [ID: Place] = [:]
    private var lastNumber: UInt64 = 0
    /// The times before which owners may not open a page.
    private var pausing: [Owner: NIODeadline] = [:]

    var count: Int { places.count }
    var pages: [ID] { places.filter { $0.value.use.isPage }.map { $0.key } }
    private(set) var pageCount = 0

    func owner(of id: ID) -> Owner? { places[id]?.owner }

    /// Admits a connection.
    /// - Returns: a connection that must be closed in exchange: the oldest unanswered one of the owner with
    ///   most of these.
    mutating func add(_ id: ID, _ owner: Owner) -> ID? {
        let victim = places.count - pageCount < Self.mostBrief ? nil : ofGreatest(.brief) { $0 < $1 }
        if let victim { remove(victim) }
        lastNumber += 1
        places[id] = Place(owner: owner, number: lastNumber)
        return victim
    }

    mutating func remove(_ id: ID) {
        guard let place = places.removeValue(forKey: id) else { return }
        if place.use.isPage { pageCount -= 1 }
    }

    /// Makes a connection the connection of a job.
    /// - Returns: `false` if there are too many.
    mutating func takeJob(_ id: ID) -> Bool {
        guard let owner = owner(of: id) else { return false }
        let jobs = places.values.filter { $0.use == .job }
        guard jobs.count < Self.mostJobs, jobs.count(where: { $0.owner == owner }) < Self.mostJobsOfOne else {
            return false
        }
        places[id]?.use = .job
        return true
    }

    /// Makes a connection a page.
    /// - Returns: whether there is a place for it; and a page that must be ended in exchange.
    mutating func takePage(_ id: ID, limit: Int, now: NIODeadline) -> (isTaken: Bool, victim: ID?) {
        guard let owner = owner(of: id), mayOpen(owner, now: now) else { return (false, nil) }
        var victim: ID?
        if pageCount >= limit {
            victim = makeRoom(for: owner, now: now)
            guard victim != nil else { return (false, nil) }
        }
        lastNumber += 1
        places[id]?.use = .newPage
        places[id]?.number = lastNumber
        pageCount += 1
        return (true, victim)
    }

    /// Notes that the daemon has accepted this page.
    mutating func greet(_ id: ID) {
        if places[id]?.use == .newPage { places[id]?.use = .page }
    }

    private func mayOpen(_ owner: Owner, now: NIODeadline) -> Bool { pausing[owner].map { $0 <= now } ?? true }

    /// Whether a page of this owner would get a place.
    func hasPlace(for owner: Owner, limit: Int, now: NIODeadline) -> Bool {
        mayOpen(owner, now: now) && (pageCount < limit || victim(for: owner) != nil)
    }

    /// Makes room for a page, or for a request to the daemon.
    /// - Returns: the page that must be ended: the newest page of the owner with most pages, which must then
    ///   still have at least as many as this owner; `nil` if there is none.
    mutating func makeRoom(for owner: Owner, now: NIODeadline) -> ID? {
        guard let victim = victim(for: owner), let other = self.owner(of: victim) else { return nil }
        pausing = pausing.filter { $0.value > now }
        pausing[other] = now + Self.pause
        remove(victim)
        return victim
    }

    private func victim(for owner: Owner) -> ID? {
        let own = places.values.count { $0.use == .page && $0.owner == owner }
        guard let victim = ofGreatest(.page, { $0 > $1 }), let other = self.owner(of: victim), other != owner,
            places.values.count(where: { $0.use == .page && $0.owner == other }) >= own + 2
        else { return nil }
        return victim
    }

    /// Returns the first place, by number, of the owner with most places of this use.
    private func ofGreatest(_ use: Use, _ comesFirst: (UInt64, UInt64) -> Bool) -> ID? {
        var counts: [Owner: Int] = [:]
        for place in places.values where place.use == use { counts[place.owner, default: 0] += 1 }
        let most = counts.values.max() ?? 0
        return places.filter { $0.value.use == use && counts[$0.value.owner] == most }
            .min { comesFirst($0.value.number, $1.value.number) }?.key
    }
}
#endif
