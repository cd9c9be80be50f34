// SPDX-License-Identifier: MIT
import CLinux
import Foundation
import GestureConfiguration
import GesturePipeline
import GestureProtocol
import GestureTestSupport
import LinuxSystem
import Testing

@testable import gesturectl

/// Another user has prepared files, links or pipes for a tool that root runs, or runs a program that listens on
/// the socket of the daemon or the bridge.
@Suite("Files of another user", .timeLimit(.minutes(3)))
struct ForeignFileTests {
    private static let other: uid_t = 65534

    private let folder: ScratchFolder
    /// A recording in the tool's own format.
    private let recording: String
    private let victim: String

    init() throws {
        folder = try ScratchFolder()
        victim = try folder.write("kept\n", to: "victim")
        let source = try folder.write(ReplayTests.header + ReplayTests.tap, to: "source.evemu")
        recording = try Tool.run(["convert", source]).output
        try #require(recording.hasPrefix("# EVEMU"))
    }

    private func convert(to path: String) throws -> Tool.Outcome {
        try Tool.run(["convert", folder("source.evemu"), "-o", path])
    }

    private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    private func link(_ name: String, to target: String, owner: uid_t = other) throws -> String {
        try #require(symlink(target, folder(name)) == 0)
        try #require(lchown(folder(name), owner, owner) == 0)
        return folder(name)
    }

    @Test("root writes through no link of another user", .enabled(if: getuid() == 0, "only root may give files away"))
    func links() throws {
        try #require(mkdir(folder("etc"), 0o755) == 0)
        let paths = [
            try link("out.evemu", to: victim), try link("dangling.evemu", to: folder("etc/dangling")),
            try link("folder", to: folder("etc")) + "/new.evemu",
            // A link owned by root that points to a link of the other user.
            try link("first.evemu", to: "out.evemu", owner: 0),
        ]
        for path in paths {
            let outcome = try convert(to: path)
            #expect(outcome.status == 73)
            #expect(outcome.errors.contains("leads through a symbolic link of another user"))
            let read = try Tool.run(["convert", path])
            #expect(read.status == 66 && read.errors.contains("leads through a symbolic link of another user"))
            // The tool fails before it records anything.
            let daemon = try FakeDaemon { _ in .init(hangsUp: true) }
            let recorded = try Tool.run(["record", "-o", path, "--socket", daemon.path])
            #expect(recorded.status == 73 && daemon.requests.isEmpty)
        }
        #expect(try text(victim) == "kept\n")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder("etc")) == [])
    }

    @Test("links of this user are followed, in every part of a path, and so are those of proc(5)")
    func ownLinks() throws {
        try #require(mkdir(folder("real"), 0o755) == 0)
        _ = try link("way", to: "./real//../real", owner: getuid())
        _ = try link("latest", to: "way/a.evemu", owner: getuid())
        #expect(try convert(to: folder("latest")).status == 0)
        #expect(try text(folder("real/a.evemu")) == recording)
        #expect(try convert(to: folder("way/b.evemu")).status == 0)
        #expect(access(folder("real/b.evemu"), F_OK) == 0)
        #expect(try convert(to: "/dev/stdout").output == recording)
        #expect(try convert(to: "/dev/null").status == 0)
        for wrong in ["", "/", "\(folder.path)/missing/a", folder("victim/a"), folder("real/")] {
            #expect(try convert(to: wrong).status == 73, "\(wrong)")
        }
        _ = try link("circle", to: "circle", owner: getuid())
        #expect(try convert(to: folder("circle/a")).status == 73)
    }

    @Test("root replaces a file, so its other names and readers keep the old one")
    func hardLinks() throws {
        let path = folder("out.evemu")
        try #require(Glibc.link(victim, path) == 0)
        let outcome = try convert(to: path)
        #expect(outcome.status == 0)
        #expect(try text(path) == recording)
        if getuid() == 0 { #expect(try text(victim) == "kept\n") }
    }

    @Test("root does not wait for a FIFO of another user", .enabled(if: getuid() == 0, "only root may give files away"))
    func pipes() throws {
        let path = folder("pipe")
        try #require(mkfifo(path, 0o666) == 0 && chown(path, Self.other, Self.other) == 0)
        let written = try convert(to: path)
        #expect(written.status == 73 && written.errors.contains("this FIFO belongs to another user"))
        let config = try folder.write(ReplayTests.configuration, to: "gestured.toml")
        for command in ["replay", "explain"] {
            let read = try Tool.run([command, path, "--config", config])
            #expect(read.status == 66)
            #expect(read.errors.contains("this FIFO belongs to another user"))
        }
    }

    @Test("a FIFO of this user and a pipe are waited for")
    func ownPipes() throws {
        let outcome = try ShellScript.run(
            """
            cd \(folder.path) && mkfifo pipe && { "$TOOL" convert pipe & cat source.evemu > pipe; wait $!; } &&
            cat source.evemu | "$TOOL" convert /dev/stdin && mkfifo out &&
            { cat out & "$TOOL" convert source.evemu -o out; wait; }
            """)
        #expect(outcome.status == 0 && outcome.errors.isEmpty)
        #expect(outcome.output == recording + recording + recording)
    }

    @Test("only this user may read a bundle, even if it replaces another file")
    func bundle() throws {
        let path = try folder.write("", to: "bundle")
        try #require(chmod(path, 0o644) == 0)
        let before = try #require(FileHandle(forReadingAtPath: path))
        #expect(try Tool.run(["doctor", "--quick", "--socket", "/nowhere", "--bundle", path]).status == 1)
        var status = stat()
        try #require(stat(path, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600 && status.st_size > 0)
        let read = try before.readToEnd() ?? Data()
        #expect(read.isEmpty)
    }

    @Test("doctor executes nothing that a daemon sends")
    func deviceNode() throws {
        let target = folder("made")
        let node = "/dev/input/event4>\(target)"
        let daemon = try FakeDaemon { request in
            let isDevices = request.contains("\"devices\"")
            return .init(
                #"{"reply":"\#(isDevices ? "devices" : "status")","id":1,"ok":true,"devices":[{"device":"p","node":"\#(node)","name":"P","state":"ready","contacts":0}]}"#
            )
        }
        #expect(try Tool.run(["doctor", "--quick", "--json", "--socket", daemon.path]).output.contains("panel p"))
        #expect(access(target, F_OK) != 0)
    }

    @Test("explain reads no more of the daemon's files than the daemon would")
    func configurationFiles() throws {
        try #require(mkfifo(folder("fifo"), 0o644) == 0)
        for path in [folder("fifo"), "/dev/zero", folder("missing")] {
            let status = try #require(JSONValue(parsing: Array(#"{"config":{"files":["\#(path)"]}}"#.utf8)))
            #expect(Configuration(status: status, regions: []) == nil)
        }
        let file = try folder.write(ReplayTests.configuration, to: "gestured.toml")
        let status = try #require(JSONValue(parsing: Array(#"{"config":{"files":["\#(file)"]}}"#.utf8)))
        #expect(Configuration(status: status, regions: []) != nil)
    }

    @Test("web does not wait for a server that answers slowly")
    func slowBridge() throws {
        let listener = OwnedDescriptor(adopting: linux_listen_internet("127.0.0.1", 0))
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let named = withUnsafeMutableBytes(of: &address) { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) { getsockname(listener.rawValue, $0.baseAddress, &size) }
        }
        try #require(named == 0)
        let raw = listener.rawValue
        Thread.detachNewThread {
            var ready = pollfd(fd: raw, events: Int16(POLLIN), revents: 0)
            guard poll(&ready, 1, 20_000) == 1 else { return }
            let connection = OwnedDescriptor(adopting: linux_accept(raw))
            // Sends for a minute, or until the other end closes the connection.
            for _ in 0..<600 where linux_send(connection.rawValue, "x", 1) == 1 { poll(nil, 0, 100) }
        }
        let start = MonotonicClock.now()
        let outcome = try Tool.run(["web", "--address", "127.0.0.1:\(UInt16(bigEndian: address.sin_port))"])
        #expect(outcome.status == 69 && outcome.errors.contains("this is not gestured-web"))
        #expect(MonotonicClock.now() - start < 20_000_000)
        withExtendedLifetime(listener.rawValue) {}
    }
}
