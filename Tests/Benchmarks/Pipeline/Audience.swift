// SPDX-License-Identifier: MIT
import CLinux
import GesturePipeline
import GestureProtocol
import GestureServer
import LinuxSystem

/// A real server. Its clients subscribe to everything and read all lines at once.
final class Audience {
    let server: GestureServer
    private let loop: EventLoop
    private let delegate = Answers()
    private var clients: [CInt] = []
    private let path: String
    private let request: [UInt8]
    private let bytes = UnsafeMutableRawPointer.allocate(byteCount: 64 * 1024, alignment: 16)
    /// The number of lines that the first client has read.
    private(set) var lines = 0

    /// - Parameter members: additional members for each client's `subscribe` request, such as
    ///   `"regions":["*"],`.
    init(clients count: Int, regions: Int, members: String = "") throws {
        var template = Array("/tmp/gestured-bench.XXXXXX".utf8CString)
        let folder = template.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
        }
        guard let folder else { throw BenchmarkError("mkdtemp failed") }
        path = folder + "/socket"
        loop = try EventLoop()
        var limits = ServerLimits()
        limits.clients = count + limits.reservedForRoot
        limits.clientsPerUser = count
        server = try GestureServer(
            listener: try ListenSockets.bind(path: path), loop: loop,
            identity: ServerIdentity(server: "gestured benchmark", instance: "0"), limits: limits, ownUser: geteuid(),
            log: { _, _ in })
        server.delegate = delegate
        let subjects = SubjectList(count: regions) {
            Subject(region: "r\($0)", gesture: "drag", name: "drag", isPrivate: false)
        }
        server.setSubjects(subjects, hasPrivate: false) {
            (0..<regions).map { ServedRegion("r\($0)", isPrivate: false) }
        }
        request = Array("{\"cmd\":\"subscribe\",\"id\":1,\(members)\"events\":[\"gesture\"]}\n".utf8)
        for _ in 0..<count {
            let client = try UnixSocket.connect(path: path, nonBlocking: true).release()
            clients.append(client)
            subscribe(client)
        }
        for _ in 0..<16 { listen() }
    }

    deinit {
        server.stop()
        for client in clients { close(client) }
        bytes.deallocate()
        unlink(path)
        rmdir(String(path.dropLast("/socket".count)))
    }

    /// Lets the first client subscribe again, which the server answers at once.
    func subscribe() {
        if let client = clients.first { subscribe(client) }
        _ = loop.turn(timeout: 0)
    }

    private func subscribe(_ client: CInt) {
        _ = request.withUnsafeBytes { linux_send(client, $0.baseAddress, $0.count) }
    }

    /// Runs one turn of the server and reads each client's lines.
    func listen() {
        server.endTurn()
        _ = loop.turn(timeout: 0)
        for (number, client) in clients.enumerated() {
            while true {
                let count = linux_receive(client, bytes, 64 * 1024)
                guard count > 0 else { break }
                if number == 0 { countLines(count) }
            }
        }
    }

    /// Moves the fingers on a panel. The clients read the lines of each frame.
    func hear(_ panel: inout PanelRun, frames: Int) -> Measurement {
        panel.move(
            frames: frames, batch: 1,
            feed: { pipeline, events in
                server.broadcast { batch in pipeline.feed(events) { batch.add($0) } }
                listen()
            })
    }

    private func countLines(_ count: Int) {
        let text = UnsafeRawBufferPointer(start: bytes, count: count)
        for byte in text where byte == UInt8(ascii: "\n") { lines += 1 }
    }
}

/// A delegate whose answers are as short as possible.
private final class Answers: GestureServerDelegate {
    let configGeneration: Int64 = 1
    let configurationFiles: [String] = []
    func writeState(into json: inout JSONWriter, for peer: Peer) {
        json.append(json: "\"devices\":[],\"scene\":\"default\",\"active\":[]")
    }
    func respond(to request: Request, from peer: Peer, into json: inout JSONWriter) -> RequestAnswer { .complete }
    func interestChanged() {}
    func connectionEnded(_ connection: Int64) {}
}
