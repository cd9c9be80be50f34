// SPDX-License-Identifier: MIT
import ContactTracking
import Foundation
import GestureClient
import GesturePipeline
import GestureProtocol
import GestureTestSupport
import Recordings
import Testing

@testable import gesturectl

@Suite("Recording")
struct RecordTests {
    static let subscribed = #"{"reply":"subscribe","id":1,"ok":true}"#
    static let devices =
        #"{"reply":"devices","id":2,"ok":true,"devices":[{"device":"old","state":"refused"},{"device":"panel","state":"ready"}]}"#
    static let twoPanels =
        #"{"reply":"devices","id":2,"ok":true,"devices":[{"device":"left","node":"/dev/input/event4","name":"Goodix","state":"ready"},{"device":"right","node":"/dev/input/event5","name":"Elo","state":"ready"}]}"#
    static let frames = [
        #"{"event":"frame","seq":1,"device":"panel","time_us":1000001,"events":[[3,47,0],[3,57,12],[0,0,0]]}"#,
        #"{"event":"frame","seq":2,"device":"other","time_us":1000002,"events":[[0,0,0]]}"#,
        #"{"event":"frame","seq":3,"device":"panel","time_us":1000003,"events":[[3,47,0],[3,57,-1],[0,0,0]],"resync":true}"#,
        #"{"event":"frame","seq":4,"device":"panel","time_us":1000003,"events":[],"suspended":true}"#,
        #"{"event":"frame","seq":5,"device":"panel","time_us":1000004,"events":[],"removed":true}"#,
    ]
    static let events = """
        E: 1.000001 0003 002f 0
        E: 1.000001 0003 0039 12
        E: 1.000001 0000 0000 0
        # gestured: resync
        E: 1.000003 0003 002f 0
        E: 1.000003 0003 0039 -1
        E: 1.000003 0000 0000 0
        # gestured: suspended 1.000003
        # gestured: removed 1.000004

        """

    static func description(idle: Bool) -> String {
        #"{"reply":"describe","id":3,"ok":true,"idle":\#(idle),"next_contact":91,"next_sequence":871,"description":{"name":"Goodix","phys":"p","id":[24,1046,911,256],"properties":[1],"keys":[330],"axes":[[53,0,1919,1,2,10,7],[54,0,1079,0,0,10,0]],"slots":[[512,300]],"udev":{"ID_PATH":"platform-x"}}}"#
    }

    /// A daemon whose first reply to `describe` reports a contact, and whose second reply reports none. It then sends
    /// the lines in `after`.
    static func daemon(after: [String] = frames, hangsUp: Bool = false) throws -> FakeDaemon {
        let busy = Countdown(1)
        return try FakeDaemon { request in
            if request.contains("subscribe") { return .init(subscribed) }
            if request.contains("devices") { return .init(devices) }
            // After an interrupt, the tool sends a ping. A frame that is already on its way arrives before the reply.
            if request.contains("ping") { return .init(frames[0], #"{"reply":"ping","id":4,"ok":true}"#) }
            if busy.tick() { return .init(frames[0], description(idle: false)) }
            var answer = FakeDaemon.Answer(description(idle: true))
            answer.lines += after
            answer.hangsUp = hangsUp
            return answer
        }
    }

    @Test("an unwritable file is reported before anything is recorded")
    func unwritable() throws {
        let outcome = try Tool.run(["record", "-o", "/nonexistent/r.evemu", "--socket", try Self.daemon().path])
        #expect(outcome.status == 73)
        #expect(outcome.errors == "gesturectl: /nonexistent/r.evemu: No such file or directory\n")
    }

    @Test("waits until nothing touches the panel, then records until its removal")
    func whole() throws {
        let daemon = try Self.daemon()
        let folder = try ScratchFolder()
        let outcome = try Tool.run(["record", "-o", folder.path + "/r.evemu", "--socket", daemon.path])
        #expect(outcome.status == 0)
        #expect(outcome.output.isEmpty)
        #expect(
            outcome.errors == """
                gesturectl: waiting until nothing touches the panel
                gesturectl: recording "panel"; end with Ctrl-C
                gesturectl: 4 frames in \(folder.path)/r.evemu

                """)
        let text = try String(contentsOfFile: folder.path + "/r.evemu", encoding: .utf8)
        #expect(text.hasSuffix(Self.events))
        #expect(
            text.hasPrefix(
                """
                # EVEMU 1.3
                # gestured: format 1
                # gestured: device panel
                # gestured: phys p
                # gestured: udev ID_PATH platform-x
                # gestured: next_contact 91
                # gestured: next_sequence 871
                # gestured: slot 0 512 300
                N: Goodix
                I: 0018 0416 038f 0100
                P: 02 00 00 00 00 00 00 00

                """))
        #expect(text.contains("\nA: 35 0 1919 1 2 10\n"))
        #expect(text.contains("\n# gestured: value 35 7\n"))
        #expect(
            daemon.requests == [
                #"{"cmd":"devices","id":2}"#, #"{"cmd":"subscribe","id":1,"events":["frame"]}"#,
                #"{"cmd":"describe","id":3,"device":"panel"}"#, #"{"cmd":"describe","id":3,"device":"panel"}"#,
            ])
    }

    @Test("a serial number is not recorded, even if a daemon sends it")
    func serialNumber() throws {
        let told = Self.description(idle: true).replacing("\"phys\"", with: "\"uniq\":\"s/n 7\",\"phys\"")
        let recording = try #require(
            JSONValue(parsing: Array(told.utf8)).flatMap { Recording(describing: $0, device: "panel") })
        #expect(recording.description.phys == "p")
        #expect(recording.description.uniq.isEmpty)
    }

    @Test("without a file it writes to the standard output; it ends with the daemon")
    func standardOutput() throws {
        let daemon = try Self.daemon(after: [Self.frames[0]], hangsUp: true)
        let outcome = try Tool.run(["record", "--device", "panel", "--socket", daemon.path])
        #expect(outcome.status == 0)
        #expect(outcome.output.hasSuffix("E: 1.000001 0003 0039 12\nE: 1.000001 0000 0000 0\n"))
        #expect(outcome.errors.hasSuffix("the daemon has gone; the recording ends here\ngesturectl: 1 frame\n"))
    }

    @Test("lost frames end it before the gap")
    func overflow() throws {
        let lost = #"{"event":"overflow","seq":9,"dropped":1,"since_ms":1}"#
        let daemon = try Self.daemon(after: [Self.frames[0], lost, Self.frames[2]])
        let outcome = try Tool.run(["record", "--socket", daemon.path])
        #expect(outcome.status == 0)
        #expect(outcome.output.hasSuffix("E: 1.000001 0000 0000 0\n"))
        #expect(outcome.errors.contains("frames were lost here"))
    }

    @Test("the duration and an interrupt end it regularly")
    func ends() throws {
        let timed = try Tool.run(
            ["record", "--duration", "50ms", "--socket", try Self.daemon(after: [Self.frames[0]]).path])
        #expect(timed.status == 0)
        #expect(timed.errors.hasSuffix("gesturectl: 1 frame\n"))
        let daemon = try Self.daemon(after: [Self.frames[0]])
        let interrupted = try Tool.run(["record", "--socket", daemon.path], interruptAt: "Ctrl-C")
        #expect(interrupted.status == 0)
        #expect(interrupted.errors.hasSuffix("gesturectl: 2 frames\n"))
        #expect(interrupted.output.contains("E: 1.000001 0000 0000 0\n"))
    }

    @Test("no panel, or several, is an error with a remedy")
    func panels() throws {
        let none = try FakeDaemon { _ in .init(#"{"reply":"devices","id":2,"ok":true,"devices":[]}"#) }
        let outcome = try Tool.run(["record", "--socket", none.path])
        #expect(outcome.status == 1)
        #expect(outcome.errors == "gesturectl: no panel is ready; see gesturectl devices\n")
        let two = try FakeDaemon(connections: 3) { _ in
            .init(
                #"{"reply":"devices","id":2,"ok":true,"devices":[{"device":"a","state":"ready"},{"device":"b","state":"ready"}]}"#
            )
        }
        for command in [["record"], ["at", "1", "2"], ["measure", "tap"]] {
            let choice = try Tool.run(command + ["--socket", two.path])
            #expect(choice.status == 64)
            #expect(choice.errors == "gesturectl: several panels are ready; choose one with --device: a, b\n")
        }
    }

    @Test(
        "a panel is named by its id, node or name",
        arguments: [
            ("right", "right"), ("/dev/input/event5", "right"), ("event5", "right"), ("Elo", "right"),
            ("rigth", #"no panel "rigth"; did you mean "right"?"#),
            ("event9", #"no panel "event9"; see gesturectl devices"#),
        ])
    func names(name: String, expected: String) throws {
        let daemon = try FakeDaemon { request in
            if request.contains("devices") { return .init(Self.twoPanels) }
            return .init(#"{"reply":"at","id":1,"ok":true,"owner":null,"chain":[],"pass":[]}"#)
        }
        let outcome = try Tool.run(["at", "1", "2", "--device", name, "--socket", daemon.path])
        if expected == "right" {
            #expect(daemon.requests.last == #"{"cmd":"at","id":1,"x":1,"y":2,"device":"right"}"#)
        } else {
            #expect(outcome.status == 1)
            #expect(outcome.errors == "gesturectl: \(expected)\n")
        }
    }

    @Test("two panels of the same name are not confused")
    func sameName() throws {
        let daemon = try FakeDaemon { _ in .init(Self.twoPanels.replacing("Elo", with: "Goodix")) }
        let outcome = try Tool.run(["record", "--device", "Goodix", "--socket", daemon.path])
        #expect(outcome.status == 64)
        #expect(
            outcome.errors
                == "gesturectl: several panels are called \"Goodix\"; choose one with --device: left, right\n")
    }
}

/// Returns true for the first `count` calls, then false.
final class Countdown: @unchecked Sendable {
    private let lock = NSLock()
    private var left: Int

    init(_ count: Int) {
        left = count
    }

    func tick() -> Bool {
        lock.withLock {
            left -= 1
            return left >= 0
        }
    }
}
