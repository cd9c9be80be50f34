// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureEngine
import GestureProtocol
import GestureServer

/// How large the definitions of clients may be, in bytes of compact JSON.
///
/// Clients without the right `private` are counted apart from those with it: what they are told must not depend on
/// definitions that they may not see.
enum DefinitionSize {
    /// The limit for all clients of one side together. Regions of many short patterns take the most memory: measured 23
    /// times their text, 30 times beside private regions, and 43 times on two panels. With 1 MiB the daemon, which takes
    /// 16 MB without them, stays below 64 MB.
    static let most = 1 << 20
    /// The limit for the leases of one user: half of all, so that others can define something too.
    static let mostOfUser = most / 2

    private static func bytes(_ rules: [RegionRule], _ seesPrivate: Bool) -> Int {
        rules.reduce(0) { $0 + (RegionID.isMarked($1.id) == seesPrivate ? 0 : Int($1.definitionBytes)) }
    }

    private static func bytes(_ changes: [RegionChange], _ seesPrivate: Bool) -> Int {
        bytes(changes.compactMap { $0.rule }, seesPrivate)
    }

    /// - Parameters:
    ///   - place: the part of the request to name in the error.
    ///   - changes: all definitions after the request.
    ///   - waiting: changes that wait, which take memory beside what they replace.
    ///   - user: whose lease has changed; `nil`: regions that stay.
    ///   - seesPrivate: the side that is counted.
    /// - Throws: if they are too large.
    static func check(
        _ place: String, _ changes: RuntimeChanges, waiting: [RegionChange], of user: UInt32?, seesPrivate: Bool
    ) throws(RequestError) {
        if let user {
            let leased = changes.leases.reduce(0) { $0 + ($1.user == user ? bytes($1.rules, seesPrivate) : 0) }
            let own = leased + bytes(waiting.filter { $0.lease?.user == user }, seesPrivate)
            if own > mostOfUser { throw tooLarge("\(place): the regions that uid \(user) leases", mostOfUser) }
        }
        let lasting = bytes(changes.lasting, seesPrivate) + bytes(waiting, seesPrivate)
        let together = changes.leases.reduce(lasting) { $0 + bytes($1.rules, seesPrivate) }
        if together > most { throw tooLarge("\(place): the regions of all clients together", most) }
    }

    private static func tooLarge(_ what: String, _ limit: Int) -> RequestError {
        RequestError(
            .busy,
            "\(what) would take more than \(limit) bytes as compact JSON; remove some, or give them fewer gestures")
    }
}

extension Daemon {
    /// The changes that wait once a set is defined: those of other sets and of the other side, and `later` of this one.
    /// - Throws: if the definitions would be too large.
    func waiting(
        _ later: [RegionChange], after changes: RuntimeChanges, of lease: RuntimeChanges.Lease?, for peer: Peer
    ) throws(RequestError) -> [RegionChange] {
        let connection = lease?.connection
        let others = waitingChanges.filter {
            $0.set != connection || !(peer.seesPrivate || RegionID.isMarked($0.id))
        }
        let waiting = others + later
        try DefinitionSize.check(
            "regions", changes, waiting: waiting, of: lease?.user, seesPrivate: peer.seesPrivate)
        return waiting
    }

    /// - Parameter waits: whether the region that is replaced may stay for a while.
    /// - Throws: if the definitions would be too large after a change of one region.
    func checkSize(after change: RegionChange, waits: Bool, for peer: Peer) throws(RequestError) {
        let place = "region \"\(RegionID.name(of: change.id))\""
        let (id, set) = (change.id, change.set)
        let others = waitingChanges.filter { $0.id != id || $0.set != set }
        let changes = waits ? store.changes : store.changes.making(change)
        try DefinitionSize.check(
            place, changes, waiting: waits ? others + [change] : others, of: change.lease?.user,
            seesPrivate: peer.seesPrivate)
    }
}

extension RuntimeChanges {
    fileprivate func making(_ change: RegionChange) -> Self {
        var changes = self
        changes.make(change)
        return changes
    }
}
