// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureProtocol

/// How large the definitions of clients may be, in bytes of compact JSON.
enum DefinitionSize {
    /// Of all clients together. 1 MiB: the daemon is to stay below 64 MB, and takes 16 MB without them. Regions of many
    /// short patterns, which take the most, need 23 times their text, 30 times beside private regions, and 43 times on two
    /// panels (measured).
    static let most = 1 << 20
    /// Of the leases of one user. Half of all: then others can define something too.
    static let mostOfUser = most / 2

    private static func bytes(_ rules: [RegionRule]) -> Int { rules.reduce(0) { $0 + Int($1.definitionBytes) } }

    private static func bytes(_ changes: [RegionChange]) -> Int {
        changes.reduce(0) { $0 + Int($1.rule?.definitionBytes ?? 0) }
    }

    /// - Parameters:
    ///   - place: what of the request is about them.
    ///   - changes: all definitions after the request.
    ///   - waiting: changes that wait, which take memory beside what they replace.
    ///   - user: whose lease has changed; `nil`: regions that stay.
    /// - Throws: if they are too large.
    static func check(
        _ place: String, _ changes: RuntimeChanges, waiting: [RegionChange], of user: UInt32?
    ) throws(RequestError) {
        if let user {
            let leased = changes.leases.reduce(0) { $0 + ($1.user == user ? bytes($1.rules) : 0) }
            let own = leased + bytes(waiting.filter { $0.lease?.user == user })
            if own > mostOfUser { throw tooLarge("\(place): the regions that uid \(user) leases", mostOfUser) }
        }
        let together = changes.leases.reduce(bytes(changes.lasting) + bytes(waiting)) { $0 + bytes($1.rules) }
        if together > most { throw tooLarge("\(place): the regions of all clients together", most) }
    }

    private static func tooLarge(_ what: String, _ limit: Int) -> RequestError {
        RequestError(
            .busy,
            "\(what) would take more than \(limit) bytes as compact JSON; remove some, or give them fewer gestures")
    }
}

extension Daemon {
    /// What waits once a set is defined: the changes of other sets, and `later` of this one.
    /// - Throws: if the definitions would be too large.
    func waiting(
        _ later: [RegionChange], after changes: RuntimeChanges, of lease: RuntimeChanges.Lease?
    ) throws(RequestError) -> [RegionChange] {
        let connection = lease?.connection
        let waiting = waitingChanges.filter { $0.set != connection } + later
        try DefinitionSize.check("regions", changes, waiting: waiting, of: lease?.user)
        return waiting
    }

    /// - Parameter waits: whether the region that is replaced may stay for a while.
    /// - Throws: if the definitions would be too large after a change of one region.
    func checkSize(after change: RegionChange, waits: Bool) throws(RequestError) {
        let place = "region \"\(change.id)\""
        let (id, set, user) = (change.id, change.set, change.lease?.user)
        let others = waitingChanges.filter { $0.id != id || $0.set != set }
        if waits {
            try DefinitionSize.check(place, store.changes, waiting: others + [change], of: user)
        } else {
            try DefinitionSize.check(place, store.changes.making(change), waiting: others, of: user)
        }
    }
}

extension RuntimeChanges {
    fileprivate func making(_ change: RegionChange) -> Self {
        var changes = self
        changes.make(change)
        return changes
    }
}
