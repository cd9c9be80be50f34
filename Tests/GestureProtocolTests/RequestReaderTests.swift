// SPDX-License-Identifier: MIT
import GestureEngine
import GestureProtocol
import GestureTestSupport
import Testing

@Suite("Request reader")
struct RequestReaderTests {
    private static func reply(_ outcome: RequestOutcome) -> String {
        guard case .refused(let command, let id, let error) = outcome else { return "\(outcome)" }
        var line = JSONWriter()
        ReplyLine.failure(error, command: command, id: id, into: &line)
        return line.text
    }

    private static func error(_ outcome: RequestOutcome) -> RequestError? {
        guard case .refused(_, _, let error) = outcome else { return nil }
        return error
    }

    @Test("globs, on both sides of the limits", arguments: [(64, 128), (64, 129), (65, 128)])
    func globs(count: Int, bytes: Int) {
        let glob = String(repeating: "?", count: bytes - 2) + "ä"
        let list = Array(repeating: glob, count: count)
        for key in ["regions", "gestures", "names"] {
            let line = "{\"cmd\":\"subscribe\",\"\(key)\":[\"\(list.joined(separator: "\",\""))\"]}"
            let words =
                count > 64 ? "a list of at most 64" : bytes > 128 ? "a list of strings of at most 128 bytes" : nil
            switch RequestReader.read(line) {
            case .request: #expect(words == nil)
            case .refused(_, _, let error):
                #expect(words != nil)
                #expect(error.message == "\"\(key)\" must be \(words ?? "")")
            }
        }
    }

    private static func json(_ text: String) -> JSONValue {
        guard let document = try? JSONDocument.read(text) else { preconditionFailure("no JSON: \(text)") }
        return document.root
    }

    @Test(
        "commands and their arguments",
        arguments: [
            (#"{"cmd":"ping"}"#, Request(.ping)),
            (#"{"cmd":"status","id":2}"#, Request(.status, id: .integer(2))),
            (#" { "id" : "a\"b" , "cmd" : "devices" } "#, Request(.devices, id: .string("a\"b"))),
            (#"{"cmd":"regions","id":4,"region":"ok"}"#, Request(.regions(region: "ok"), id: .integer(4))),
            (#"{"cmd":"regions"}"#, Request(.regions(region: nil))),
            (#"{"cmd":"state","id":-5}"#, Request(.state, id: .integer(-5))),
            (#"{"cmd":"at","id":7,"x":100,"y":40.5}"#, Request(.at(x: 100, y: 40.5, device: nil), id: .integer(7))),
            (#"{"cmd":"at","x":1,"y":2,"device":"left"}"#, Request(.at(x: 1, y: 2, device: "left"))),
            (#"{"cmd":"describe","device":"panel"}"#, Request(.describe(device: "panel"))),
            (#"{"cmd":"reload","id":9007199254740991}"#, Request(.reload, id: .integer(9_007_199_254_740_991))),
            (#"{"cmd":"cancel","id":8,"region":"map"}"#, Request(.cancel(region: "map"), id: .integer(8))),
            (
                #"{"cmd":"set_region","region":"admin","enabled":false}"#,
                Request(.setRegion(regions: ["admin"], enabled: false))
            ),
            (
                #"{"cmd":"set_region","region":["a","b.*"],"enabled":true}"#,
                Request(.setRegion(regions: ["a", "b.*"], enabled: true))
            ),
            (#"{"cmd":"set_scene","scene":"checkout"}"#, Request(.setScene(scene: "checkout", milliseconds: nil))),
            (
                #"{"cmd":"set_scene","scene":"cleaning","for_ms":60000}"#,
                Request(.setScene(scene: "cleaning", milliseconds: 60000))
            ),
            (#"{"cmd":"set_profile","profile":"steady"}"#, Request(.setProfile(profile: "steady", lease: false))),
            (
                #"{"cmd":"set_profile","profile":"slow","lease":true}"#,
                Request(.setProfile(profile: "slow", lease: true))
            ),
            (#"{"cmd":"set_output"}"#, Request(.setOutput(device: nil, rotation: nil, size: nil))),
            (
                #"{"cmd":"set_output","device":"panel","rotation":90,"size":[1080,1920]}"#,
                Request(.setOutput(device: "panel", rotation: "90", size: [1080, 1920]))
            ),
            (
                #"{"cmd":"set_output","rotation":"flipped-270"}"#,
                Request(.setOutput(device: nil, rotation: "flipped-270", size: nil))
            ),
            (
                #"{"cmd":"define_regions","lease":true,"regions":[{"id":"a","shape":{"rect":[1,2,3,4]},"gestures":["tap"]}]}"#,
                Request(
                    .defineRegions(
                        lease: true, regions: [json(#"{"id":"a","shape":{"rect":[1,2,3,4]},"gestures":["tap"]}"#)],
                        waits: false))
            ),
            (
                #"{"cmd":"put_region","lease":true,"region":{"id":"a","shape":"full","contacts":"each"},"below":"b","wait":true}"#,
                Request(
                    .putRegion(
                        lease: true, region: json(#"{"id":"a","shape":"full","contacts":"each"}"#), below: "b",
                        waits: true))
            ),
            (
                #"{"cmd":"define_regions","regions":[],"wait":true}"#,
                Request(.defineRegions(lease: false, regions: [], waits: true))
            ),
            (
                #"{"cmd":"remove_region","region":"a"}"#,
                Request(.removeRegion(lease: false, region: "a", waits: false))
            ),
            (#"{"cmd":"subscribe"}"#, Request(.subscribe(SubscriptionRequest()))),
            (
                #"{"cmd":"subscribe","id":1,"events":["gesture","touches"],"regions":["map","kiosk.*"],"devices":["left"],"gestures":["swipe"],"names":[],"phases":["end"],"max_rate_hz":60,"max_age_ms":0,"wall_clock":true}"#,
                Request(
                    .subscribe(
                        {
                            var request = SubscriptionRequest()
                            (request.events, request.phases) = ([.gesture, .touches], [.end])
                            (request.regions, request.gestures, request.names) = (["map", "kiosk.*"], ["swipe"], [])
                            request.devices = ["left"]
                            (request.maxRate, request.maxAge, request.wallClock) = (60, 0, true)
                            return request
                        }()),
                    id: .integer(1))
            ),
        ])
    func accepts(line: String, request: Request) {
        #expect(RequestReader.read(line) == .request(request))
    }

    @Test(
        "mistakes are reported with the nearest valid word",
        arguments: [
            (
                #"{"cmd":"subscribe","id":13,"region":["a"]}"#,
                #"{"reply":"subscribe","id":13,"ok":false,"error":{"code":"unknown_key","message":"unknown key \"region\"","suggestion":"regions"}}"#
            ),
            (
                #"{"cmd":"subscibe","id":1}"#,
                #"{"reply":null,"id":1,"ok":false,"error":{"code":"unknown_command","message":"unknown command \"subscibe\"","suggestion":"subscribe"}}"#
            ),
            (
                #"{"cmd":"make_coffee"}"#,
                #"{"reply":null,"ok":false,"error":{"code":"unknown_command","message":"unknown command \"make_coffee\""}}"#
            ),
            (
                #"{"cmd":"ping","id":true}"#,
                #"{"reply":null,"ok":false,"error":{"code":"bad_value","message":"\"id\" must be a string of at most 128 bytes or an integer below 2^53"}}"#
            ),
            (
                #"{"cmd":"ping","id":9007199254740992}"#,
                #"{"reply":null,"ok":false,"error":{"code":"bad_value","message":"\"id\" must be a string of at most 128 bytes or an integer below 2^53"}}"#
            ),
            (
                #"{"cmd":7,"id":"x"}"#,
                #"{"reply":null,"id":"x","ok":false,"error":{"code":"bad_value","message":"\"cmd\" must be a string"}}"#
            ),
            (
                #"{"id":1}"#,
                #"{"reply":null,"id":1,"ok":false,"error":{"code":"bad_request","message":"\"cmd\" is missing"}}"#
            ),
            (
                #"["ping"]"#,
                #"{"reply":null,"ok":false,"error":{"code":"bad_request","message":"a request must be an object: {\"cmd\":\"ping\"}"}}"#
            ),
            (
                #"{"cmd":"at","id":7,"x":100}"#,
                #"{"reply":"at","id":7,"ok":false,"error":{"code":"bad_request","message":"\"y\" is missing"}}"#
            ),
            (
                #"{"cmd":"at","x":"100","y":1}"#,
                #"{"reply":"at","ok":false,"error":{"code":"bad_value","message":"\"x\" must be a number of pixels"}}"#
            ),
            (
                #"{"cmd":"set_region","region":"a","enabled":1}"#,
                #"{"reply":"set_region","ok":false,"error":{"code":"bad_value","message":"\"enabled\" must be true or false"}}"#
            ),
            (
                #"{"cmd":"cancel","region":""}"#,
                #"{"reply":"cancel","ok":false,"error":{"code":"bad_value","message":"\"region\" must be a non-empty string"}}"#
            ),
            (
                #"{"cmd":"subscribe","events":["gestures"]}"#,
                #"{"reply":"subscribe","ok":false,"error":{"code":"bad_value","message":"unknown value \"gestures\" in \"events\": use one of gesture, failed, touches, idle, device, config, frame","suggestion":"gesture"}}"#
            ),
            (
                #"{"cmd":"subscribe","phases":"begin"}"#,
                #"{"reply":"subscribe","ok":false,"error":{"code":"bad_value","message":"\"phases\" must be a list"}}"#
            ),
            (
                #"{"cmd":"subscribe","regions":[1]}"#,
                #"{"reply":"subscribe","ok":false,"error":{"code":"bad_value","message":"\"regions\" must be a list of strings of at most 128 bytes"}}"#
            ),
            (
                #"{"cmd":"define_regions","regions":[{"id":"a","shape":"full"},{"id":"b"}]}"#,
                #"{"reply":"define_regions","ok":false,"error":{"code":"bad_request","message":"\"regions[1].shape\" is missing"}}"#
            ),
            (
                #"{"cmd":"put_region"}"#,
                #"{"reply":"put_region","ok":false,"error":{"code":"bad_request","message":"\"region\" is missing"}}"#
            ),
            (
                #"{"cmd":"put_region","region":{"id":"b"}}"#,
                #"{"reply":"put_region","ok":false,"error":{"code":"bad_request","message":"\"region.shape\" is missing"}}"#
            ),
            (
                #"{"cmd":"define_regions","regions":[{"id":"a","shpe":"full"}]}"#,
                #"{"reply":"define_regions","ok":false,"error":{"code":"unknown_key","message":"unknown key \"shpe\"","suggestion":"shape"}}"#
            ),
        ])
    func refuses(line: String, answer: String) {
        #expect(Self.reply(RequestReader.read(line)) == answer + "\n")
    }

    @Test(
        "malformed JSON is refused with its column",
        arguments: [
            (#"{"cmd":"ping" 1}"#, "column 15: expected '}'"),
            (#"{"cmd" 1}"#, "column 8: expected ':'"),
            (#"{"cmd":"ping","cmd":"ping"}"#, "column 19: duplicate object key"),
            (#"{"cmd":"ping"} x"#, "column 16: end of file expected"),
            (#"{"cmd":"ping","id":1e999}"#, "column 24: real number overflow"),
            (#"{"cmd":"ping","id":99999999999999999999}"#, "column 39: too big integer"),
            (#"{"cmd":"\u0000"}"#, #"column 15: \u0000 is not allowed"#),
            ("{\"cmd\":\"p\ting\"}", "column 9: control character 0x9"),
            ("{\"cmd\":NaN}", "column 10: invalid token"),
            ("", "unexpected token"),
        ])
    func badJSON(line: String, message: String) {
        guard case .refused(nil, nil, let error) = RequestReader.read(line) else {
            Issue.record("accepted \(line)")
            return
        }
        #expect(error.code == .badJSON)
        #expect(error.message == message)
    }

    @Test("invalid UTF-8 is refused")
    func invalidUTF8() {
        let bytes = Array(#"{"cmd":"pi"#.utf8) + [0xC3, 0x28] + Array(#""}"#.utf8)
        guard case .refused(nil, nil, let error) = bytes.withUnsafeBufferPointer({ RequestReader.read($0) }) else {
            Issue.record("accepted")
            return
        }
        #expect(error.code == .badJSON)
    }

    @Test("eight levels are read, nine are not")
    func depth() throws {
        func nested(_ levels: Int) -> String {
            let inner = levels - 1
            return #"{"cmd":"ping","x":"# + String(repeating: "[", count: inner) + String(repeating: "]", count: inner)
                + "}"
        }
        let eight = try #require(Self.error(RequestReader.read(nested(8))))
        #expect(eight.code == .unknownKey)
        let nine = try #require(Self.error(RequestReader.read(nested(9))))
        #expect(nine == RequestError(.badJSON, "column 26: more than 8 levels"))
        let brackets = #"{"cmd":"ping","id":"[[[[[[[[[[\"[[[[["}"#
        #expect(RequestReader.read(brackets) == .request(Request(.ping, id: .string("[[[[[[[[[[\"[[[[["))))
    }

    @Test(
        "numbers at their limits",
        arguments: [
            (#""max_rate_hz":0.1"#, true), (#""max_rate_hz":0.09"#, false), (#""max_rate_hz":1000"#, true),
            (#""max_rate_hz":1000.5"#, false), (#""max_age_ms":0"#, true), (#""max_age_ms":-1"#, false),
            (#""max_age_ms":3600000"#, true), (#""max_age_ms":3600001"#, false), (#""max_age_ms":1.5"#, false),
        ])
    func borders(argument: String, isAccepted: Bool) {
        let outcome = RequestReader.read("{\"cmd\":\"subscribe\",\(argument)}")
        if case .request = outcome { #expect(isAccepted) } else { #expect(!isAccepted) }
    }

    @Test(
        "the time of a scene has limits",
        arguments: [
            ("100", true), ("99", false), ("604800000", true), ("604800001", false), ("1e3", false), ("150.5", false),
            ("\"100\"", false), ("null", false), ("-9223372036854775808", false), ("9223372036854775807", false),
        ])
    func sceneTimes(time: String, isAccepted: Bool) {
        let outcome = RequestReader.read("{\"cmd\":\"set_scene\",\"scene\":\"a\",\"for_ms\":\(time)}")
        if case .request = outcome { #expect(isAccepted) } else { #expect(!isAccepted) }
    }

    @Test("lists have a limit", arguments: [(64, true), (65, false)])
    func longLists(count: Int, isAccepted: Bool) {
        let globs = Array(repeating: "\"a\"", count: count).joined(separator: ",")
        let outcome = RequestReader.read("{\"cmd\":\"subscribe\",\"regions\":[\(globs)]}")
        if case .request = outcome { #expect(isAccepted) } else { #expect(!isAccepted) }
    }

    @Test("no bytes make it trap, and every refusal can be sent")
    func anyBytes() {
        var generator = SeededRandom(7)
        let seeds = [
            #"{"cmd":"subscribe","id":1,"events":["gesture"],"regions":["map","kiosk.*"],"max_rate_hz":60}"#,
            #"{"cmd":"define_regions","regions":[{"id":"a","shape":{"rect":[1,2,3,4]},"gestures":["tap"]}]}"#,
        ]
        for round in 0..<20_000 {
            var bytes = Array(seeds[round % seeds.count].utf8)
            for _ in 0..<(1 + generator.next() % 4) {
                let place = Int(generator.next() % UInt64(bytes.count))
                switch generator.next() % 3 {
                case 0: bytes[place] = UInt8(truncatingIfNeeded: generator.next())
                case 1: bytes.remove(at: place)
                default: bytes.insert(UInt8(ascii: "\"{}[],:x"[generator.next() % 8]), at: place)
                }
            }
            let outcome = bytes.withUnsafeBufferPointer { RequestReader.read($0) }
            if case .refused = outcome {
                let answer = Self.reply(outcome)
                #expect((try? JSONDocument.read(answer)) != nil, "\(answer)")
                #expect(answer.utf8.count <= ProtocolLimits.eventBytes)
            }
        }
    }
}

extension String {
    fileprivate subscript(index: UInt64) -> Unicode.Scalar { Array(unicodeScalars)[Int(index)] }
}
