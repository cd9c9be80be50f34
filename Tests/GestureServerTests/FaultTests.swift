// SPDX-License-Identifier: MIT
import CLinux
import GestureProtocol
import GestureServerHarness
import LinuxSystem
import Testing

@testable import GestureServer

/// An invalid request and the expected error message.
struct Fault: CustomTestStringConvertible {
    let what: String
    let request: [UInt8]
    let code: ErrorCode
    let message: String
    var suggestion: String?
    /// The command and the id in the reply; `null` and no id if the request cannot be parsed.
    var command = "null"
    var id: String?

    init(
        _ what: String, _ request: String, _ code: ErrorCode, _ message: String, suggestion: String? = nil,
        command: String = "null", id: String? = nil
    ) {
        self.init(what, Array(request.utf8), code, message, suggestion: suggestion, command: command, id: id)
    }

    init(
        _ what: String, _ request: [UInt8], _ code: ErrorCode, _ message: String, suggestion: String? = nil,
        command: String = "null", id: String? = nil
    ) {
        self.what = what
        self.request = request
        self.code = code
        self.message = message
        self.suggestion = suggestion
        self.command = command
        self.id = id
    }

    var testDescription: String { what }

    var reply: String {
        let text = String(decoding: JSONWriter.bytes { $0.value(message) }, as: UTF8.self)
        var line = "{\"reply\":\(command)"
        if let id { line += ",\"id\":\(id)" }
        line += ",\"ok\":false,\"error\":{\"code\":\"\(code.rawValue)\",\"message\":\(text)"
        if let suggestion { line += ",\"suggestion\":\"\(suggestion)\"" }
        return line + "}}\n"
    }
}

@Suite("Faults of requests that the protocol lists")
struct FaultTests {
    private static func nested(_ levels: Int) -> String {
        #"{"cmd":"ping","x":"# + String(repeating: "[", count: levels - 1) + String(repeating: "]", count: levels - 1)
            + "}"
    }

    private static let noJSON = [
        Fault("no value", "{", .badJSON, "column 1: string or '}' expected"),
        Fault("no JSON", "reload", .badJSON, "column 6: invalid token"),
        Fault("a comma too many", #"{"cmd":"ping",}"#, .badJSON, "column 15: string or '}' expected"),
        Fault("two values", #"{"cmd":"ping"}{"cmd":"ping"}"#, .badJSON, "column 15: end of file expected"),
        Fault("a key twice", #"{"cmd":"ping","id":1,"id":2}"#, .badJSON, "column 25: duplicate object key"),
        Fault(
            "a key twice, further in", #"{"cmd":"define_regions","regions":[{"id":"a","id":"b"}]}"#, .badJSON,
            "column 49: duplicate object key"),
        Fault("nine levels", nested(9), .badJSON, "column 26: more than 8 levels"),
        Fault(
            "invalid UTF-8", Array(#"{"cmd":"pi"#.utf8) + [0xC3, 0x28] + Array("\"}".utf8), .badJSON,
            "column 10: unable to decode byte 0xc3"),
        Fault(
            "UTF-8 of a surrogate", Array(#"{"cmd":""#.utf8) + [0xED, 0xA0, 0x80] + Array("\"}".utf8), .badJSON,
            "column 8: unable to decode byte 0xed"),
        Fault(
            "a NUL", Array(#"{"cmd":"ping""#.utf8) + [0, UInt8(ascii: "}")], .badJSON, "column 14: expected '}'"),
        Fault("an escaped NUL", #"{"cmd":"\u0000"}"#, .badJSON, #"column 15: \u0000 is not allowed"#),
        Fault("NaN", #"{"cmd":"at","x":NaN,"y":1}"#, .badJSON, "column 19: invalid token"),
        Fault(
            "more than a double holds", #"{"cmd":"at","x":1e999,"y":1}"#, .badJSON, "column 21: real number overflow"),
        Fault(
            "more than 64 bits hold", #"{"cmd":"ping","id":99999999999999999999}"#, .badJSON,
            "column 39: too big integer"),
    ]

    private static let noRequest = [
        Fault("a list", #"["ping"]"#, .badRequest, #"a request must be an object: {"cmd":"ping"}"#),
        Fault("a number", "1", .badRequest, #"a request must be an object: {"cmd":"ping"}"#),
        Fault("no cmd", #"{"id":1}"#, .badRequest, "\"cmd\" is missing", id: "1"),
        Fault("no x", #"{"cmd":"at","id":"a","y":1}"#, .badRequest, "\"x\" is missing", command: "\"at\"", id: "\"a\""),
        Fault("no region", #"{"cmd":"cancel"}"#, .badRequest, "\"region\" is missing", command: "\"cancel\""),
        Fault(
            "no shape", #"{"cmd":"define_regions","regions":[{"id":"a","shape":"full"},{"id":"b"}]}"#, .badRequest,
            "\"regions[1].shape\" is missing", command: "\"define_regions\""),
    ]

    private static let unknown = [
        Fault(
            "an unknown command", #"{"cmd":"satus","id":14}"#, .unknownCommand, "unknown command \"satus\"",
            suggestion: "status", id: "14"),
        Fault(
            "one that is like no other", #"{"cmd":"make_coffee"}"#, .unknownCommand, "unknown command \"make_coffee\""),
        Fault("one in capitals", #"{"cmd":"PING"}"#, .unknownCommand, "unknown command \"PING\""),
        Fault(
            "an unknown key", #"{"cmd":"subscribe","id":13,"region":["a"]}"#, .unknownKey, "unknown key \"region\"",
            suggestion: "regions", command: "\"subscribe\"", id: "13"),
        Fault(
            "an unknown key beside one that is missing", #"{"cmd":"set_scene","scen":"a"}"#, .unknownKey,
            "unknown key \"scen\"", suggestion: "scene", command: "\"set_scene\""),
        Fault(
            "an unknown key, further in", #"{"cmd":"define_regions","regions":[{"id":"a","shpe":"full"}]}"#,
            .unknownKey,
            "unknown key \"shpe\"", suggestion: "shape", command: "\"define_regions\""),
        Fault(
            "a key that is only valid in files",
            #"{"cmd":"define_regions","regions":[{"id":"a","shape":"full","enabled":true}]}"#,
            .unknownKey, "unknown key \"enabled\"", command: "\"define_regions\""),
        Fault("eight levels", nested(8), .unknownKey, "unknown key \"x\"", command: "\"ping\""),
    ]

    private static let idWords = "\"id\" must be a string of at most 128 bytes or an integer below 2^53"
    private static let eventWords =
        #"unknown value "gestures" in "events": use one of gesture, failed, touches, idle, device, config, frame"#

    private static let wrong = [
        Fault("cmd no string", #"{"cmd":7,"id":"x"}"#, .badValue, "\"cmd\" must be a string", id: "\"x\""),
        Fault("an id that is true", #"{"cmd":"ping","id":true}"#, .badValue, idWords),
        Fault("an id with a fraction", #"{"cmd":"ping","id":1.0}"#, .badValue, idWords),
        Fault("an id of 2^53", #"{"cmd":"ping","id":9007199254740992}"#, .badValue, idWords),
        Fault("an id of -2^53", #"{"cmd":"ping","id":-9007199254740992}"#, .badValue, idWords),
        Fault(
            "an id of 129 bytes", "{\"cmd\":\"ping\",\"id\":\"\(String(repeating: "i", count: 129))\"}", .badValue,
            idWords),
        Fault(
            "a word that is no event", #"{"cmd":"subscribe","events":["gestures"]}"#, .badValue, eventWords,
            suggestion: "gesture", command: "\"subscribe\""),
        Fault(
            "a rate below 0.1", #"{"cmd":"subscribe","max_rate_hz":0.09}"#, .badValue,
            "\"max_rate_hz\" must be a number from 0.1 to 1000", command: "\"subscribe\""),
        Fault(
            "an age with a fraction", #"{"cmd":"subscribe","max_age_ms":1.5}"#, .badValue,
            "\"max_age_ms\" must be an integer from 0 (no limit) to 3600000", command: "\"subscribe\""),
        Fault(
            "a clock that is 1", #"{"cmd":"subscribe","wall_clock":1}"#, .badValue,
            "\"wall_clock\" must be true or false",
            command: "\"subscribe\""),
        Fault(
            "text for a list", #"{"cmd":"subscribe","phases":"begin"}"#, .badValue, "\"phases\" must be a list",
            command: "\"subscribe\""),
        Fault(
            "65 globs",
            "{\"cmd\":\"subscribe\",\"names\":[\(Array(repeating: "\"a\"", count: 65).joined(separator: ","))]}",
            .badValue,
            "\"names\" must be a list of at most 64", command: "\"subscribe\""),
        Fault(
            "a glob of 129 bytes", "{\"cmd\":\"subscribe\",\"regions\":[\"\(String(repeating: "*", count: 129))\"]}",
            .badValue,
            "\"regions\" must be a list of strings of at most 128 bytes", command: "\"subscribe\""),
        Fault(
            "an x that is a text", #"{"cmd":"at","x":"1","y":1}"#, .badValue, "\"x\" must be a number of pixels",
            command: "\"at\""),
        Fault(
            "an x beyond all panels", #"{"cmd":"at","x":1e10,"y":1}"#, .badValue, "\"x\" must be a number of pixels",
            command: "\"at\""),
        Fault(
            "no name", #"{"cmd":"set_scene","scene":""}"#, .badValue, "\"scene\" must be a non-empty string",
            command: "\"set_scene\""),
        Fault(
            "enabled null", #"{"cmd":"set_region","region":"a","enabled":null}"#, .badValue,
            "\"enabled\" must be true or false", command: "\"set_region\""),
        Fault(
            "257 regions",
            "{\"cmd\":\"define_regions\",\"regions\":[\(Array(repeating: "1", count: 257).joined(separator: ","))]}",
            .badValue,
            "\"regions\" must be a list of at most 256", command: "\"define_regions\""),
        Fault(
            "a region that is a text", #"{"cmd":"define_regions","regions":["a"]}"#, .badValue,
            "\"regions[0]\" must be an object", command: "\"define_regions\""),
        Fault(
            "a shape that is a list", #"{"cmd":"define_regions","regions":[{"id":"a","shape":[1]}]}"#, .badValue,
            "\"regions[0].shape\" must be \"full\" or an object", command: "\"define_regions\""),
    ]

    static let all = noJSON + noRequest + unknown + wrong

    @Test("a fault is answered with its message, has no effect, and keeps the connection", arguments: all)
    func refused(fault: Fault) throws {
        let harness = try ServerHarness()
        let client = try harness.connectSubscribed(#""gestures":["tap"],"phases":["end"]"#)
        for end in ["\n", "\r\n"] {
            client.send(fault.request + Array(end.utf8))
            harness.turn()
            #expect(client.read() == fault.reply)
        }
        #expect(harness.delegate.asked.isEmpty)
        // The client's subscription is unchanged.
        for subject in 0..<4 { harness.broadcast(subject: subject, note: subject) }
        harness.broadcast(subject: 1, phase: .begin, note: 9)
        #expect(client.read().documents.map { $0["n"]?.integer } == [1, 3])
        client.send("{\"cmd\":\"ping\",\"id\":9007199254740991}\n")
        harness.turn()
        #expect(client.read() == "{\"reply\":\"ping\",\"id\":9007199254740991,\"ok\":true}\n")
    }

    @Test("there is a fault for each code of a malformed request")
    func codes() {
        #expect(Set(Self.all.map { $0.code }) == [.badJSON, .badRequest, .unknownCommand, .unknownKey, .badValue])
    }

    @Test(
        "a refusal by the daemon has its code, and no output written before", arguments: ErrorCode.allCases
    )
    func refusedLater(code: ErrorCode) throws {
        let harness = try ServerHarness()
        harness.delegate.error = RequestError(
            code, "why", suggestion: "what", details: Array("\"diagnostics\":[]".utf8))
        let client = try harness.connectGreeted()
        client.send("{\"cmd\":\"status\",\"id\":\"ä\"}\n")
        harness.turn()
        let reply =
            #"{"reply":"status","id":"ä","ok":false,"error":{"code":"\#(code.rawValue)","message":"why","suggestion":"what","diagnostics":[]}}"#
        #expect(client.read() == reply + "\n")
    }

    @Test(
        "a request of 64 KiB with its line end is served; one byte more is the last request",
        arguments: [(65_535, true), (65_536, false)], ["\n", "\r\n"])
    func length(count: (bytes: Int, isDone: Bool), end: String) throws {
        let harness = try ServerHarness()
        let client = try harness.connectGreeted()
        let start = Array("{\"cmd\":\"ping\"".utf8)
        let blanks = count.bytes - start.count - 1 - (end.utf8.count - 1)
        let line = start + [UInt8](repeating: 0x20, count: blanks) + Array("}\(end)".utf8)
        #expect(line.count == count.bytes + 1)
        for place in stride(from: 0, to: line.count, by: 8192) where harness.server.clientCount == 1 {
            client.send(Array(line[place..<min(place + 8192, line.count)]))
            harness.turn()
        }
        let tooLong =
            #"{"reply":null,"ok":false,"error":{"code":"line_too_long","message":"a request must not be longer than 65536 bytes"}}"#
        #expect(client.read() == (count.isDone ? "{\"reply\":\"ping\",\"ok\":true}" : tooLong) + "\n")
        #expect(count.isDone ? !client.isAtEnd : client.reachesEnd())
        #expect(harness.server.clientCount == (count.isDone ? 1 : 0))
    }

    @Test("a comment has the same maximum length; many short comments and empty lines are allowed")
    func comments() throws {
        let harness = try ServerHarness()
        let client = try harness.connectGreeted()
        for _ in 0..<64 {
            client.send(String(repeating: "# {\"cmd\":\"reload\"}\n\r\n\n", count: 128))
            harness.turn()
        }
        client.send("#\n{\"cmd\":\"ping\"}\n")
        harness.turn()
        #expect(client.read() == "{\"reply\":\"ping\",\"ok\":true}\n")
        #expect(harness.delegate.asked.isEmpty)
        for _ in 0..<9 {
            guard harness.server.clientCount == 1 else { break }
            client.send("#" + String(repeating: "x", count: 8191))
            harness.turn()
        }
        #expect(client.read().contains("line_too_long"))
        #expect(client.reachesEnd())
    }

    @Test("a user's connection beyond the limit gets the reason, and is closed")
    func busy() throws {
        let harness = try ServerHarness()
        let clients = try (0..<16).map { _ in try harness.connectGreeted(as: 1000) }
        let last = try harness.connect(as: 1000)
        #expect(
            last.read()
                == #"{"reply":null,"ok":false,"error":{"code":"busy","message":"uid 1000 has 16 connections already"}}"#
                + "\n")
        #expect(last.reachesEnd())
        #expect(harness.server.clientCount == clients.count)
        // The limit applies to one user, so another user can connect.
        #expect(try harness.connect(as: 1001).read().documents.count == 2)
    }

    @Test(
        "a request without the right to it is refused before it is checked; the error names the file to change",
        arguments: [
            ([], "/etc/gestured/gestured.toml"), (["/tmp/d.toml"], "/tmp/d.toml"),
            (["/opt/share/gestured/gestured.toml"], "a new file /etc/gestured/conf.d/50-access.toml"),
            (["/usr/share/gestured/gestured.toml", "/tmp/e.toml"], "/tmp/e.toml"),
            (["/a", "/b"], "/a (or of the later file that sets the list)"),
        ])
    func permission(files: [String], place: String) throws {
        let harness = try ServerHarness()
        harness.delegate.configurationFiles = files
        let client = try harness.connectGreeted(as: 1000)
        client.send(#"{"cmd":"reload","id":9}"# + "\n")
        harness.turn()
        let message =
            #"uid 1000 may not control the daemon (\"reload\"); add this user to control_uids in [access] of "#
            + "\(place), then run, as root: gesturectl reload"
        #expect(
            client.read()
                == #"{"reply":"reload","id":9,"ok":false,"error":{"code":"permission_denied","message":"\#(message)"}}"#
                + "\n")
        #expect(harness.delegate.asked.isEmpty)
    }
}
