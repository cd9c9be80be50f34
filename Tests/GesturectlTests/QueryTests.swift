// SPDX-License-Identifier: MIT
import Glibc
import Testing

@Suite("Queries")
struct QueryTests {
    static let devices =
        #"{"reply":"devices","id":1,"ok":true,"devices":[{"device":"panel","node":"/dev/input/event4","name":"Goodix","state":"ready","output":{"width":1920,"height":1080,"width_mm":344.0,"height_mm":193.5,"rotation":90,"corners":[{"x":1920.0,"y":0.0,"x_mm":344.0,"y_mm":0.0},{"x":1920.0,"y":1080.0,"x_mm":344.0,"y_mm":193.5},{"x":0.0,"y":1080.0,"x_mm":0.0,"y_mm":193.5},{"x":-19.2,"y":0.0,"x_mm":-3.4,"y_mm":0.0}]},"contacts":2},{"device":"event5","node":"/dev/input/event5","name":"Touch\u001bPad","state":"refused","reason":"touchpad","contacts":0}]}"#

    private func run(_ arguments: [String], _ answers: String...) throws -> (Tool.Outcome, FakeDaemon) {
        let daemon = try FakeDaemon { request in
            FakeDaemon.Answer(request.contains("\"id\":2") ? answers[min(1, answers.count - 1)] : answers[0])
        }
        return (try Tool.run(arguments + ["--socket", daemon.path]), daemon)
    }

    @Test("devices are a table")
    func devices() throws {
        let (outcome, daemon) = try run(["devices"], Self.devices)
        #expect(outcome.status == 0)
        #expect(
            outcome.output == """
                DEVICE  STATE    NODE               OUTPUT     SIZE          ROTATION  CORNERS                          CONTACTS  NAME
                panel   ready    /dev/input/event4  1920x1080  344x193.5 mm  90        1920,0 1920,1080 0,1080 -19.2,0  2         Goodix
                event5  refused  /dev/input/event5  -          -             -         -                                0         Touch\u{FFFD}Pad: touchpad

                """)
        #expect(daemon.requests == [#"{"cmd":"devices","id":1}"#])
    }

    @Test(
        "the receiver of a panel's touches, unless every program gets them",
        arguments: [
            ("held", "grabbed"), ("waiting", "waiting for fingers to lift before grabbing"),
            ("given_back", "given back by a five-finger hold, until a scene is set or a reload"),
            ("other", "grabbed by another process"),
            ("else", "else"),
        ])
    func grab(word: String, text: String) throws {
        let reply = Self.devices.replacing(#""contacts":2"#, with: #""grab":"\#(word)","contacts":2"#)
        let row = try run(["devices", "--no-legend"], reply).0.output.split(separator: "\n").first
        #expect(row?.hasSuffix(" Goodix: \(text)") == true)
    }

    @Test("the device that applications read in place of a panel, and the number of contacts they got")
    func twin() throws {
        let shared = Self.devices.replacing(
            #""contacts":2"#,
            with:
                #""share":"forward","grab":"held","twin":{"node":"/dev/input/event9","forwarded":12,"captured":3,"held":2,"cancelled":1,"kept":{"min_gap":5}},"contacts":2"#
        )
        let row = try run(["devices", "--no-legend"], shared).0.output.split(separator: "\n").first
        #expect(
            row?.hasSuffix(
                " Goodix: shared as /dev/input/event9 (12 forwarded, 3 captured, 2 held, 1 cancelled, 5 kept by min_gap)"
            ) == true)
    }

    static let clients =
        #"{"reply":"clients","id":2,"ok":true,"clients":[{"uid":1000,"pid":731,"events":["gesture","failed"],"regions":["map","kiosk.*"],"queued_bytes":512,"dropped":7,"self":false},{"uid":0,"pid":912,"events":["gesture"],"queued_bytes":0,"dropped":0,"self":true}]}"#

    @Test("a user who may not see the other clients is told what is missing")
    func hiddenClients() throws {
        let hidden = Self.clients.replacing(#""uid":1000,"pid":731,"#, with: "")
        let status = #"{"reply":"status","id":3,"ok":true,"config":{"files":["/a","/b"]}}"#
        let outcome = try run(["status", "--clients"], status, hidden).0
        #expect(outcome.status == 0)
        let user = try #require(getpwuid(getuid()).map { String(cString: $0.pointee.pw_name) })
        #expect(
            outcome.errors == """
                gesturectl: the users and processes of other clients are hidden; add "\(user)" to control_uids in [access] \
                of /a (or of the later file that sets the list), then run, as root: gesturectl reload

                """)
    }

    @Test("--clients shows only the clients; an old daemon without clients has a status")
    func clients() throws {
        let (outcome, daemon) = try run(["status", "--clients", "--no-legend"], Self.clients)
        #expect(outcome.output.hasPrefix("731         1000  gesture,failed  "))
        #expect(daemon.requests == [#"{"cmd":"clients","id":2}"#])
        #expect(try run(["status", "--clients", "--json"], Self.clients).0.output == Self.clients + "\n")
        let old = try run(
            ["status"], #"{"reply":"status","id":1,"ok":true,"version":"0"}"#,
            #"{"reply":null,"id":2,"ok":false,"error":{"code":"unknown_command","message":"unknown command"}}"#)
        #expect(old.0.status == 0)
        #expect(old.0.output == "version  0\n")
    }

    @Test("--json prints the reply verbatim, --no-legend omits column names")
    func forms() throws {
        #expect(try run(["devices", "--json"], Self.devices).0.output == Self.devices + "\n")
        #expect(try run(["devices", "--no-legend"], Self.devices).0.output.hasPrefix("panel "))
    }

    @Test("an empty list of devices is reported, but is not an error")
    func noDevice() throws {
        let (outcome, _) = try run(["devices"], #"{"reply":"devices","id":1,"ok":true,"devices":[]}"#)
        #expect(outcome.status == 0)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors == "gesturectl: no touch device\n")
    }

    @Test(
        "a point has an owner, ancestors and pass regions",
        arguments: [
            (#""owner":"buy","chain":["buy","carousel"],"pass":["screen"]"#, "buy, in carousel; also seen by screen\n"),
            (#""owner":"buy","chain":["buy"],"pass":[]"#, "buy\n"),
            (#""owner":null,"chain":[],"pass":[]"#, "no region\n"),
        ])
    func at(keys: String, text: String) throws {
        let (outcome, daemon) = try run(
            ["at", "100", "40.5", "--device", "pa\"nel"],
            #"{"reply":"at","id":1,"ok":true,"device":"panel","x":100.0,"y":40.5,\#(keys)}"#,
            #"{"reply":"devices","id":2,"ok":true,"devices":[{"device":"pa\"nel","state":"ready"}]}"#)
        #expect(outcome.status == 0)
        #expect(outcome.output == text)
        #expect(
            daemon.requests == [
                #"{"cmd":"devices","id":2}"#, #"{"cmd":"at","id":1,"x":100,"y":40.5,"device":"pa\"nel"}"#,
            ])
    }

    @Test("the status has one row for each key and each client")
    func status() throws {
        let (outcome, daemon) = try run(
            ["status"],
            #"{"reply":"status","id":1,"ok":true,"version":"0.1.0","pid":0,"uptime_ms":90061000,"config":{"files":["/a","/b"],"generation":3,"state":"ok","errors":0,"warnings":1},"devices":{"ready":1,"refused":0},"scene":"night","scene_for_ms":61500,"scenes":["default","night","day"],"clients":2,"novelty":{"a":1}}"#,
            Self.clients)
        #expect(daemon.requests == [#"{"cmd":"status","id":1}"#, #"{"cmd":"clients","id":2}"#])
        #expect(
            outcome.output == """
                version  0.1.0
                pid      0
                uptime   1 d 1 h
                config   ok, generation 3, 1 warning: /a /b
                devices  1 ready
                scene    night for another 1 min 1 s; there are also default, day
                clients  2
                novelty  a 1

                PID         UID   EVENTS          REGIONS      QUEUED  DROPPED
                731         1000  gesture,failed  map,kiosk.*  512 B   7
                912 (this)  0     gesture         all          0 B     0

                """)
    }

    @Test(
        "a refusal becomes a message and an exit status",
        arguments: [
            ("permission_denied", "not you", Int32(77)), ("not_found", "no panel is ready", 1), ("busy", "64", 75),
            ("bad_value", "outside", 64), ("internal", "oh", 70), ("unknown_command", "at", 70),
        ])
    func refusals(code: String, message: String, status: Int32) throws {
        let (outcome, _) = try run(
            ["at", "1", "2"],
            #"{"reply":"at","id":1,"ok":false,"error":{"code":"\#(code)","message":"\#(message)","suggestion":"x"}}"#,
            RecordTests.devices)
        #expect(outcome.status == status)
        #expect(outcome.errors == "gesturectl: \(message); did you mean \"x\"?\n")
        #expect(outcome.output.isEmpty)
    }

    @Test("a region that does not exist is an error, with the nearest name")
    func unknownRegion() throws {
        let all =
            #"{"reply":"regions","id":3,"ok":true,"regions":[{"region":"buttons","device":"panel","gestures":[]}]}"#
        let none = #"{"reply":"regions","id":1,"ok":true,"regions":[]}"#
        for options in [[], ["--json"], ["--tree"]] {
            let daemon = try FakeDaemon { request in
                request.contains("\"region\"") ? .init(none) : .init(all)
            }
            let outcome = try Tool.run(["regions", "botton", "--socket", daemon.path] + options)
            #expect(outcome.status == 1)
            #expect(
                outcome.errors
                    == "gesturectl: no region \"botton\" on a panel; did you mean \"buttons\"?\n")
            #expect(outcome.output == (options == ["--json"] ? none + "\n" : ""))
        }
    }

    @Test("a rejected reload prints its diagnostics and ends with 78")
    func reload() throws {
        let (outcome, _) = try run(
            ["reload"],
            #"{"reply":"reload","id":1,"ok":false,"error":{"code":"config_invalid","message":"1 error","diagnostics":[{"severity":"error","file":"/etc/g.toml","line":41,"column":21,"message":"unknown key"}]}}"#
        )
        #expect(outcome.status == 78)
        #expect(outcome.errors == "gesturectl: 1 error\n/etc/g.toml:41:21: error: unknown key\n")
        let good = try run(
            ["reload"],
            #"{"reply":"reload","id":1,"ok":true,"config_generation":4,"warnings":1,"diagnostics":[{"severity":"warning","file":"/etc/g.toml","line":2,"column":3,"message":"late"}]}"#
        ).0
        #expect(good.status == 0)
        #expect(good.output == "configuration 4 in use, 1 warning\n")
        #expect(good.errors == "/etc/g.toml:2:3: warning: late\n")
        let refused = #"{"reply":"reload","id":1,"ok":false,"error":{"code":"config_invalid","message":"1 error"}}"#
        let json = try run(["reload", "--json"], refused).0
        #expect(json.status == 78)
        #expect(json.output == refused + "\n")
    }

    @Test("a daemon that disconnects or sends nonsense is reported")
    func strange() throws {
        let hanging = try FakeDaemon { _ in .init(hangsUp: true) }
        let outcome = try Tool.run(["status", "--socket", hanging.path])
        #expect(outcome.status == 69)
        #expect(outcome.errors.contains("the daemon has closed the connection"))
        let strange = try Tool.run(["status", "--socket", try FakeDaemon { _ in .init("hello") }.path])
        #expect(strange.status == 70)
        #expect(strange.errors.contains("this is not a gesture daemon"))
        let newer = try FakeDaemon(greeting: [FakeDaemon.hello.replacing("\"protocol\":1", with: "\"protocol\":2")]) {
            _ in
            .init()
        }
        let other = try Tool.run(["status", "--socket", newer.path])
        #expect(other.status == 76)
        #expect(
            other.errors == """
                gesturectl: \(newer.path): gestured 0.1.0 speaks protocol 2; this gesturectl speaks protocol 1; \
                use the gesturectl that came with the daemon

                """)
        let busy = try FakeDaemon { _ in
            .init(#"{"reply":null,"ok":false,"error":{"code":"busy","message":"64 clients"}}"#)
        }
        #expect(try Tool.run(["status", "--socket", busy.path]).status == 75)
    }
}
