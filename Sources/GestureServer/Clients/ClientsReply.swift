// SPDX-License-Identifier: MIT
import GestureProtocol
import LinuxSystem

/// Writes who is connected, and how well each of them keeps up.
enum ClientsReply {
    /// Writes `"clients":[…]`, in the order in which they connected.
    ///
    /// - Parameter asker: sees who others are only when it may control the daemon. Which regions they subscribed to, and
    ///   how many bytes wait for them, may be about private regions.
    static func write(_ clients: [ClientConnection], for asker: ClientConnection, into json: inout JSONWriter) {
        json.array("clients") { json in
            for client in clients {
                json.object { write(client, for: asker, into: &$0) }
            }
        }
    }

    private static func write(_ client: ClientConnection, for asker: ClientConnection, into json: inout JSONWriter) {
        let isKnown = client === asker || asker.peer.mayControl
        if isKnown {
            json.member("uid", Int64(client.peer.credentials.user))
            json.member("pid", Int64(client.peer.credentials.process))
        }
        let isTold = isKnown && (client === asker || asker.peer.seesPrivate || !client.peer.seesPrivate)
        json.member("events", EventName.allCases.filter { client.subscription.events.contains($0) }.map { $0.word })
        if let regions = client.subscription.regions, isTold { json.member("regions", regions) }
        if isTold {
            json.member("queued_bytes", client.queue.byteCount)
            json.member("dropped", client.linesDropped)
        }
        json.member("self", client === asker)
    }
}
