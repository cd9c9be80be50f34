// SPDX-License-Identifier: MIT
package import GestureProtocol

/// The daemon behind the socket: knows devices, regions and the configuration.
///
/// Called on the loop's thread, from inside `GestureServer`. It may call `broadcast`, `setSubjects`
/// and `setControlUsers` from here; not `stop`.
package protocol GestureServerDelegate: AnyObject {
    /// `config_generation` of `hello`.
    var configGeneration: Int64 { get }

    /// Writes the members of `state` after `seq`: `"devices":[…],"scene":"default","active":[…]`.
    /// Private regions only for a peer that may control.
    func writeState(into json: inout JSONWriter, for peer: Peer)

    /// Answers everything but `subscribe`, `state` and `ping`. (A peer that may not do what it asks for
    /// does not come here.)
    ///
    /// `"reply"`, `"id"` and `"ok"` are written already: write the further members and return `nil`; or return an
    /// error, and nothing of what was written is sent.
    func respond(to request: Request, from peer: Peer, into json: inout JSONWriter) -> RequestError?

    /// `interest` has changed.
    func interestChanged()

    /// A connection has ended: `Peer.connection`. Called while others may be in the middle of a
    /// broadcast: to be noted, and acted upon later. Not for those that `stop` closes.
    func connectionEnded(_ connection: Int64)
}
