// SPDX-License-Identifier: MIT
#if Web
import NIOCore

/// The user to whom a connection belongs.
enum Owner: Hashable, Sendable {
    case user(UInt32)
    /// The user is unknown. All connections from one address are treated as those of one owner.
    case address(String)
}

/// The connections and their owners. When there are too many connections, one of the owner with the most connections is
/// closed to make room for another owner, so that no owner can shut out all others.
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

    /// The maximum number of connections that are not pages. These are requests that are answered immediately, and
    /// jobs.
    static var mostBrief: Int { 64 }
    /// The maximum number of simultaneous jobs, including those whose bodies are still arriving.
    static var mostJobs: Int { 4 }
    /// The maximum number of simultaneous jobs of one owner. It leaves one job for others.
    static var mostJobsOfOne: Int { 3 }
    /// After one of its pages was ended to make room, an owner may not open another page for this time.
    static var pause: TimeAmount { .seconds(1) }

    private var places: [ID: Place] = [:]
    private var lastNumber: UInt64 = 0
    /// Owners that may not open a page, and the time until which this applies.
    private var pausing: [Owner: NIODeadline] = [:]

    var count: Int { places.count }
    var pages: [ID] { places.filter { $0.value.use.isPage }.map { $0.key } }
    private(set) var pageCount = 0

    func owner(of id: ID) -> Owner? { places[id]?.owner }

    /// Admits a connection.
    /// - Returns: the connection that must be closed in exchange: the oldest unanswered one of the owner with the most
    ///   unanswered connections. `nil` if no connection must be closed.
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

    /// Registers a connection as a job.
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

    /// Registers a connection as a page.
    /// - Returns: whether the page is admitted, and the page that must be ended in exchange; `nil` if no page must be
    ///   ended.
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

    /// Records that the daemon has accepted this page.
    mutating func greet(_ id: ID) {
        if places[id]?.use == .newPage { places[id]?.use = .page }
    }

    private func mayOpen(_ owner: Owner, now: NIODeadline) -> Bool { pausing[owner].map { $0 <= now } ?? true }

    /// Whether another page of this owner would be admitted.
    func hasPlace(for owner: Owner, limit: Int, now: NIODeadline) -> Bool {
        mayOpen(owner, now: now) && (pageCount < limit || victim(for: owner) != nil)
    }

    /// Makes room for a page, or for a request to the daemon.
    /// - Returns: the page that must be ended: the newest page of the owner with the most pages, if that owner keeps
    ///   more pages than this owner has now; `nil` if there is none.
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

    /// Finds the owner with the most connections of this use. Returns the owner's connection whose number comes first.
    private func ofGreatest(_ use: Use, _ comesFirst: (UInt64, UInt64) -> Bool) -> ID? {
        var counts: [Owner: Int] = [:]
        for place in places.values where place.use == use { counts[place.owner, default: 0] += 1 }
        let most = counts.values.max() ?? 0
        return places.filter { $0.value.use == use && counts[$0.value.owner] == most }
            .min { comesFirst($0.value.number, $1.value.number) }?.key
    }
}
#endif
