// SPDX-License-Identifier: MIT
package import GestureProtocol
package import LinuxSystem

/// Provides devices, regions and the configuration to the server.
///
/// `GestureServer` calls its delegate on the thread of the loop. The delegate may call `broadcast`, `setSubjects` and
/// `setAccess`, but not `stop`.
package protocol GestureServerDelegate: AnyObject {
    /// The value of `config_generation` in `hello`.
    var configGeneration: Int64 { get }

    /// The paths of the configuration, which the error for a missing right names.
    var configurationFiles: [String] { get }

    /// Writes the members of `state` after `seq`: `"devices":[…],"scene":"default","active":[…]`. If the peer has no
    /// access to private regions, writes a state as if there were none.
    func writeState(into json: inout JSONWriter, for peer: Peer)

    /// Answers every request except `subscribe`, `clients`, `state` and `ping`. Not called for a peer that lacks the
    /// right to make the request.
    ///
    /// `"reply"`, `"id"` and `"ok"` are already written; the delegate adds more members. These are sent only if it
    /// returns `complete`.
    func respond(to request: Request, from peer: Peer, into json: inout JSONWriter) -> RequestAnswer

    func interestChanged()

    /// Called when a connection (`Peer.connection`) has ended. This may happen during a broadcast, so the delegate
    /// should only record it and act later. Not called for connections that `stop` closes.
    func connectionEnded(_ connection: Int64)
}

/// The outcome of a request.
package enum RequestAnswer: Hashable, Sendable {
    case complete
    case refused(RequestError)
    /// `GestureServer.answerPending` will answer the request. Until then, later requests of the client wait.
    case pending
}

/// The other end of a connection.
package struct Peer: Hashable, Sendable {
    /// Read once, when the connection was accepted.
    package var credentials: PeerCredentials
    /// The number of the connection, counted from the start of the daemon and never reused.
    package var connection: Int64
    /// The rights: all of them for uid 0 and the daemon's own user; for others, those given in `[access]`.
    package var rights: Rights

    package init(credentials: PeerCredentials, connection: Int64, rights: Rights) {
        self.credentials = credentials
        self.connection = connection
        self.rights = rights
    }

    /// Whether the peer has access to private regions.
    package var seesPrivate: Bool { rights.contains(.seesPrivate) }
    /// Whether the peer may control the daemon.
    package var mayControl: Bool { rights.contains(.control) }
}

/// The unit of subscription: one gesture of one region of one panel, or a panel as a whole.
package struct Subject: Hashable, Sendable {
    /// The name of the panel.
    package var device: String
    /// The id of the region; `nil` for the panel as a whole.
    package var region: String?
    /// The name of the gesture's kind in the protocol.
    package var gesture: String
    /// The name of the gesture in the protocol.
    package var name: String
    /// Whether events of this subject are sent only to peers with access to private regions.
    package var isPrivate: Bool

    package init(device: String = "", region: String, gesture: String, name: String, isPrivate: Bool) {
        self.device = device
        self.region = region
        self.gesture = gesture
        self.name = name
        self.isPrivate = isPrivate
    }
}

/// The subjects that `EventLine.subject` refers to. A subject is made on first use.
package struct SubjectList {
    /// The number of subjects.
    package let count: Int
    private let subject: (Int) -> Subject

    /// Creates a list.
    /// - Parameter subject: returns the subject with an index; must always return the same subject for the same index.
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
    /// The subject of lines about the panel itself: `device`, `touches`, `frame`.
    package init(panel device: String) {
        self.device = device
        gesture = ""
        name = ""
        isPrivate = false
    }
}

/// The subjects and regions to which lines and subscriptions refer.
struct Served {
    var subjects = SubjectList([])
    /// Whether there are private regions, with or without gestures.
    var hasPrivate = false
    /// Ids of regions that are hidden from peers with access to private ones.
    var shadowed: Set<String> = []
    /// Returns all regions, including those without gestures.
    var regions: () -> [ServedRegion] = { [] }
}

/// A region of the configuration, with or without gestures, whether or not its panel is connected.
package struct ServedRegion: Hashable, Sendable {
    package var id: String
    /// Whether the region is only visible to peers with access to private regions.
    package var isPrivate: Bool

    package init(_ id: String, isPrivate: Bool) {
        self.id = id
        self.isPrivate = isPrivate
    }
}
