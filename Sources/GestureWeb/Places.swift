// SPDX-License-Identifier: MIT
#if Web
import NIOCore

/// The user that a connection belongs to.
enum Owner: Hashable, Sendable {
    case user(UInt32)
    /// The user is not known: everybody at one address counts as one.
    case address(String)
}

/// Who has the places that there are for connections. Whoever has most of them makes room for others, so that nobody can
/// keep everybody out.
struct Places<ID: Hashable & Sendable>: Sendable {
    /// The purpose of a connection.
    private enum Use {
        case brief, job
        /// One that the daemon has not greeted yet.
        case newPage
        case page

        var isPage: Bool { self == .newPage || self == .page }
    }

    private struct Place {
        let owner: Owner
        /// Rises with each connection.
        var number: UInt64
        var use = Use.brief
    }

    /// Requests that are answered at once, and jobs.
    static var mostBrief: Int { 64 }
    /// Jobs at a time, those included whose bodies are still coming.
    static var mostJobs: Int { 4 }
    /// One place is kept for others.
    static var mostJobsOfOne: Int { 3 }
    /// How long those whose page made room for others may open no other one.
    static var pause: TimeAmount { .seconds(1) }

    private var places: [ID: Place] = [:]
    private var lastNumber: UInt64 = 0
    /// Who may open no page before this time.
    private var pausing: [Owner: NIODeadline] = [:]

    var count: Int { places.count }
    var pages: [ID] { places.filter { $0.value.use.isPage }.map { $0.key } }
    private(set) var pageCount = 0

    func owner(of id: ID) -> Owner? { places[id]?.owner }

    /// Admits a connection.
    /// - Returns: one that must be closed for it: the oldest whose request is not answered yet, of whoever has most of those.
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

    /// Makes a connection one of a job.
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
    /// - Returns: whether there is a place for it; and a page that must be ended for it.
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

    /// The daemon has a place for this page.
    mutating func greet(_ id: ID) {
        if places[id]?.use == .newPage { places[id]?.use = .page }
    }

    private func mayOpen(_ owner: Owner, now: NIODeadline) -> Bool { pausing[owner].map { $0 <= now } ?? true }

    /// Whether a page of this owner would get a place.
    func hasPlace(for owner: Owner, limit: Int, now: NIODeadline) -> Bool {
        mayOpen(owner, now: now) && (pageCount < limit || victim(for: owner) != nil)
    }

    /// Makes room for a page, or for a question to the daemon.
    /// - Returns: the page that must be ended: the newest of whoever has most pages, and would still have as many as the
    ///   owner; `nil` if nobody has so many.
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

    /// Among the places of whoever has most of this use, the one whose number comes first.
    private func ofGreatest(_ use: Use, _ comesFirst: (UInt64, UInt64) -> Bool) -> ID? {
        var counts: [Owner: Int] = [:]
        for place in places.values where place.use == use { counts[place.owner, default: 0] += 1 }
        let most = counts.values.max() ?? 0
        return places.filter { $0.value.use == use && counts[$0.value.owner] == most }
            .min { comesFirst($0.value.number, $1.value.number) }?.key
    }
}
#endif
