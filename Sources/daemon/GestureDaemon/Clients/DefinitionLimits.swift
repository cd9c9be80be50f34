// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureEngine
import GestureProtocol
import GestureServer
import LinuxSystem

/// Limits the number of regions that clients define, and their size in bytes of compact JSON.
///
/// Clients without access to private regions are counted separately, because the errors that they receive must not
/// depend on definitions hidden from them.
struct DefinitionLimits {
    let store: ConfigurationStore

    /// The maximum size in bytes of all definitions by clients with access to private regions. The same limit applies
    /// separately to the definitions by clients without access. Regions with many short patterns take the most memory:
    /// 23 times the size of their text, 30 times if there are private regions as well, and 43 times on two panels. With
    /// this limit of 1 MiB, the daemon stays below 64 MB; it takes 16 MB without definitions.
    private static let most = 1 << 20
    /// The maximum size in bytes of the regions that one user leases: half of the total, which leaves room for other
    /// users.
    private static let mostOfUser = most / 2

    private static func bytes(_ rules: [RegionRule], _ seesPrivate: Bool) -> Int {
        rules.reduce(0) { $0 + (RegionID.isMarked($1.id) == seesPrivate ? 0 : $1.definition?.utf8.count ?? 0) }
    }

    private static func bytes(_ changes: [RegionChange], _ seesPrivate: Bool) -> Int {
        bytes(changes.compactMap { $0.rule }, seesPrivate)
    }

    /// Checks the size of the definitions.
    /// - Parameters:
    ///   - place: the name of the checked part of the request, for the error.
    ///   - changes: all definitions after the request.
    ///   - waiting: the waiting changes, which take memory in addition to the regions that they replace.
    ///   - user: the owner of the changed lease; `nil` for regions without a lease.
    ///   - seesPrivate: `true` counts the definitions by clients with access to private regions; `false` counts those
    ///     by clients without access.
    /// - Throws: if the definitions are too large.
    static func checkSize(
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

    /// The limits on the regions that a peer defines.
    /// - Throws: if there would be too many regions in total or too many defined by the peer's user.
    func definer(
        for peer: Peer, besides changes: RuntimeChanges, adding count: Int
    ) throws(RequestError) -> Definer {
        // The number in the error must depend only on regions defined by clients with the same access.
        let present = changes.state.definitions.count { $0.isOutsider != peer.seesPrivate }
        let most = RuntimeChanges.mostDefinitions
        if present + count > most {
            throw RequestError(
                .busy,
                "all clients together may define at most \(most) regions; \(max(0, most - present)) more are possible")
        }
        guard !peer.mayControl else { return Definer(seesPrivate: peer.seesPrivate) }
        let access = store.current.access
        let own = changes.ids(leasedBy: peer.credentials.user)
        if own.count + count > access.defineLimit {
            throw RequestError(
                .busy,
                "uid \(peer.credentials.user) may define at most \(access.defineLimit) regions (define_limit)")
        }
        let hidden = store.current.view(seesPrivate: peer.seesPrivate).hidden
        let names = own.filter { !hidden.contains($0) }.map { RegionID.name(of: $0) }
        return Definer(guest: GuestRules(access, own: Set(names)), seesPrivate: peer.seesPrivate)
    }
}

extension Peer {
    /// The lease of a request; `nil` if the request defines regions that stay when their client disconnects.
    /// - Parameter files: the paths of the configuration.
    /// - Throws: if the peer may not define regions without a lease.
    func lease(
        _ isLease: Bool, for command: CommandName, files: [String]
    ) throws(RequestError) -> RuntimeChanges.Lease? {
        if isLease { return RuntimeChanges.Lease(connection: connection, user: credentials.user) }
        guard mayControl else {
            throw Rights.control.denial(
                of: "\"\(command.rawValue)\" without \"lease\"", to: credentials.user, files: files)
        }
        return nil
    }
}
