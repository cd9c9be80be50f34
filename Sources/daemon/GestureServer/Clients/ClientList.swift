// SPDX-License-Identifier: MIT
package import GestureProtocol

/// Lines that are collected so that each client is sent all of them with one system call.
///
/// Only `GestureServer.broadcast` makes batches: it lends a batch to a closure and sends the lines when the closure
/// returns. A batch can be neither copied nor kept, so code that adds lines without sending them does not compile.
package struct LineBatch: ~Copyable {
    private let list: ClientList

    fileprivate init(_ list: ClientList) { self.list = list }

    /// Adds a copy of a line. Allocates memory only until the buffer is large enough.
    package func add(_ line: borrowing EventLine) { list.gather(line) }
}

extension GestureServer {
    /// Calls `make`, and then sends the lines that `make` added to the clients that have subscribed to them. Lines that
    /// a socket does not accept are queued.
    ///
    /// Never blocks. The batch is `inout`, because Swift 6.3 lets an escaping closure keep a value that is lent as
    /// `borrowing`.
    ///
    /// Calls neither the delegate nor `settle`, so panels may call this function.
    package func broadcast(_ make: (inout LineBatch) -> Void) {
        var batch = LineBatch(list)
        make(&batch)
        list.handOn()
    }

    /// Sends one line to each client that has subscribed to it.
    package func broadcast(_ line: borrowing EventLine) { broadcast { $0.add(line) } }
}

/// The clients, and the batch of lines for all of them. The memory of the batch is reused.
final class ClientList {
    /// The clients in the order in which they connected.
    private(set) var clients: [ClientConnection] = []
    var served = Served()
    /// The lines that at least one client has subscribed to.
    private(set) var interest = LineInterest()
    /// The number of lines that were lost by clients that have since disconnected. `open` excludes clients with access
    /// to private regions.
    private var droppedBefore = (all: Int64(0), open: Int64(0))

    /// The maximum number of lines in a batch. Ten contacts do not produce more lines in one frame.
    private static let batchSize = 32
    private let gathered: UnsafeMutablePointer<EventLine>
    private var count = 0
    /// The number of initialized lines in `gathered`.
    private var made = 0
    /// A buffer for the bytes sent to one client.
    private var text = JSONWriter()

    init() { gathered = .allocate(capacity: Self.batchSize) }

    deinit {
        gathered.deinitialize(count: made)
        gathered.deallocate()
    }

    fileprivate func gather(_ line: borrowing EventLine) {
        guard !clients.isEmpty else { return }
        if count == Self.batchSize { handOn() }
        if count == made {
            (gathered + made).initialize(to: EventLine())
            made += 1
        }
        gathered[count].copy(line)
        count += 1
    }

    fileprivate func handOn() {
        guard count > 0 else { return }
        let lines = UnsafeBufferPointer(start: gathered, count: count)
        let subjects = served.subjects
        for client in clients { client.send(lines, with: &text, among: subjects) }
        count = 0
    }

    func append(_ client: ClientConnection) { clients.append(client) }

    func removeClosed() -> [ClientConnection] {
        let closed = clients.filter { $0.state == .closed }
        if closed.isEmpty { return [] }
        clients = clients.filter { $0.state != .closed }
        for client in closed {
            droppedBefore.all += client.lines.dropped
            if !client.peer.seesPrivate { droppedBefore.open += client.lines.dropped }
        }
        return closed
    }

    /// Removes all clients, and clears `interest`.
    func removeAll() {
        clients = []
        interest = LineInterest()
    }

    /// The number of lines that clients have lost, including clients that have disconnected.
    /// - Parameter seesPrivate: `false` excludes clients with access to private regions.
    func droppedLines(seesPrivate: Bool) -> Int64 {
        let left = seesPrivate ? droppedBefore.all : droppedBefore.open
        return clients.reduce(left) { $0 + (seesPrivate || !$1.peer.seesPrivate ? $1.lines.dropped : 0) }
    }

    /// Updates `interest`.
    /// - Returns: whether `interest` has changed.
    func updateInterest() -> Bool {
        let before = interest
        interest = clients.reduce(into: LineInterest()) { $0.formUnion($1.filter.interest) }
        return interest != before
    }
}
