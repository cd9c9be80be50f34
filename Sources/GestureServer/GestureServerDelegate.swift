// SPDX-License-Identifier: MIT
package import GestureProtocol
package import LinuxSystem

/// Knows devices, regions and the configuration.
///
/// Called on the loop's thread by `GestureServer`. It may call `broadcast`, `setSubjects` and `setAccess` then, but
/// not `stop`.
package protocol GestureServerDelegate: AnyObject {
    /// `config_generation` of `hello`.
    var configGeneration: Int64 { get }

    /// Writes the members of `state` after `seq`: `"devices":[…],"scene":"default","active":[…]`.
    /// For a peer that may not see private regions, as if there were none.
    func writeState(into json: inout JSONWriter, for peer: Peer)

    /// Answers every request but `subscribe`, `clients`, `state` and `ping`. Not called for a peer that lacks the right.
    ///
    /// `"reply"`, `"id"` and `"ok"` are written already: write the further members. Unless it is answered, nothing of
    /// what was written is sent.
    func respond(to request: Request, from peer: Peer, into json: inout JSONWriter) -> RequestAnswer

    /// `interest` has changed.
    func interestChanged()

    /// A connection (`Peer.connection`) has ended. May be called during a broadcast: note it and act later. Not called
    /// for connections that `stop` closes.
    func connectionEnded(_ connection: Int64)
}

/// What has become of a request.
package enum RequestAnswer: Hashable, Sendable {
    case complete
    case refused(RequestError)
    /// `GestureServer.answerPending` answers it later; until then the client's further requests wait.
    case pending
}

/// The other end of a connection.
package struct Peer: Hashable, Sendable {
    /// Read once, when the connection was accepted.
    package var credentials: PeerCredentials
    /// The number of the connection since the start; never reused.
    package var connection: Int64
    /// All for uid 0 and the daemon's own; for others what `[access]` gives them.
    package var rights: Rights

    package init(credentials: PeerCredentials, connection: Int64, rights: Rights) {
        self.credentials = credentials
        self.connection = connection
        self.rights = rights
    }

    package var seesPrivate: Bool { rights.contains(.seesPrivate) }
    package var mayControl: Bool { rights.contains(.control) }
}

/// One gesture of one region of one panel, or a panel as a whole: by these subscriptions select.
package struct Subject: Hashable, Sendable {
    /// The panel's name.
    package var device: String
    /// The region's id; `nil`: the panel as a whole.
    package var region: String?
    /// The kind's name on the wire.
    package var gesture: String
    /// The gesture's name on the wire.
    package var name: String
    /// Whether its events go only to peers that may see private regions.
    package var isPrivate: Bool

    package init(device: String = "", region: String, gesture: String, name: String, isPrivate: Bool) {
        self.device = device
        self.region = region
        self.gesture = gesture
        self.name = name
        self.isPrivate = isPrivate
    }
}

/// What the indices in `EventLine.subject` mean. A subject is made when it is first asked for.
package struct SubjectList {
    package let count: Int
    private let subject: (Int) -> Subject

    /// - Parameter subject: the same one for an index whenever it is called.
    package init(count: Int, subject: @escaping (Int) -> Subject) {
        self.count = count
        self.subject = subject
    }

    package init(_ subjects: [Subject]) {
        self.init(count: subjects.count) { subjects[$0] }
    }

    package subscript(index: Int) -> Subject { subject(index) }
}

extension Subject {
    /// What lines about the panel itself are about: `device`, `touches`, `frame`.
    package init(panel device: String) {
        self.device = device
        gesture = ""
        name = ""
        isPrivate = false
    }
}

/// What lines can be about.
struct Served {
    var subjects = SubjectList([])
    /// Whether there are private regions, with gestures or without.
    var hasPrivate = false
    /// Ids of the regions that peers which see private ones do not know of.
    var shadowed: Set<String> = []
    /// All regions, also those without gestures.
    var regions: () -> [ServedRegion] = { [] }
}

/// A region of the configuration, with gestures or without, on a connected panel or not.
package struct ServedRegion: Hashable, Sendable {
    package var id: String
    /// Whether only peers that may see private regions may know of it.
    package var isPrivate: Bool

    package init(_ id: String, isPrivate: Bool) {
        self.id = id
        self.isPrivate = isPrivate
    }
}
