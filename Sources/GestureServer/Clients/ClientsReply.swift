// SPDX-License-Identifier: MIT
import GestureProtocol
import LinuxSystem

/// Writes who is connected, and how well each of them keeps up.
enum ClientsReply {
    /// `,"clients":[…]`, in the order in which they came.
    ///
    /// - Parameter asker: it is told which regions others listen to only when it may control the daemon:
    ///   a private region must not be found out by asking.
    static func write(_ clients: [ClientConnection], for asker: ClientConnection, into line: inout LineBuffer) {
        line.appendKey("clients")
        line.append("[")
        for (i, client) in clients.enumerated() {
            line.append(i > 0 ? ",{\"uid\":" : "{\"uid\":")
            line.appendInteger(Int64(client.peer.credentials.user))
            line.appendKey("pid")
            line.appendInteger(Int64(client.peer.credentials.process))
            line.appendKey("events")
            line.appendList(client.subscription.events.map { "\($0.word)" })
            if let regions = client.subscription.regions, client === asker || asker.peer.mayControl {
                line.appendKey("regions")
                line.appendList(regions)
            }
            line.appendKey("queued_bytes")
            line.appendInteger(client.queue.byteCount)
            line.appendKey("dropped")
            line.appendInteger(client.linesDropped)
            line.appendKey("self")
            line.appendBool(client === asker)
            line.append("}")
        }
        line.append("]")
    }
}
