// SPDX-License-Identifier: MIT
import GestureProtocol
import Testing

@Suite("Server lines and replies")
struct ServerLineTests {
    private func text(_ write: (inout JSONWriter) -> Void) -> String {
        var line = JSONWriter()
        write(&line)
        return line.text
    }

    @Test("the start, the gaps and the end of a stream")
    func stream() {
        #expect(
            text {
                ServerLine.hello(
                    server: "gestured 0.1.0", instance: "b1946ac9", capabilities: ["subscribe", "touches"],
                    rights: [.seesPrivate, .define], configGeneration: 3, into: &$0)
            }
                == #"{"event":"hello","protocol":1,"server":"gestured 0.1.0","instance":"b1946ac9","capabilities":["subscribe","touches"],"rights":["define","private"],"config_generation":3}"#
                + "\n")
        #expect(
            text { ServerLine.state(number: 7, into: &$0) { $0.append(json: "\"active\":[]") } }
                == "{\"event\":\"state\",\"seq\":7,\"active\":[]}\n")
        #expect(
            text { ServerLine.overflow(number: 50, dropped: 37, sinceMilliseconds: 2210, into: &$0) }
                == "{\"event\":\"overflow\",\"seq\":50,\"dropped\":37,\"since_ms\":2210}\n")
        #expect(
            text { ServerLine.bye(reason: "shutdown", into: &$0) } == "{\"event\":\"bye\",\"reason\":\"shutdown\"}\n")
    }

    @Test("replies echo the id")
    func replies() {
        #expect(
            text {
                ReplyLine.success(.status, id: .string("ä\""), into: &$0) { $0.member("clients", 1) }
            } == #"{"reply":"status","id":"ä\"","ok":true,"clients":1}"# + "\n")
        let error = RequestError(
            .configInvalid, "2 errors", details: Array("\"diagnostics\":[]".utf8))
        #expect(
            text { ReplyLine.failure(error, command: .reload, id: .integer(9), into: &$0) }
                == #"{"reply":"reload","id":9,"ok":false,"error":{"code":"config_invalid","message":"2 errors","diagnostics":[]}}"#
                + "\n")
        #expect(
            text { ReplyLine.failure(RequestError(.badJSON, "x"), command: nil, id: nil, into: &$0) }
                == #"{"reply":null,"ok":false,"error":{"code":"bad_json","message":"x"}}"# + "\n")
    }

    @Test("the reader of lines finds the written values")
    func document() throws {
        let root = try JSONDocument.read(
            #"{"event":"gesture","x":1210.5,"n":7,"start":{"x":1},"list":[1,"b",null],"inside":true,"t":"a\nb"}"#
        ).root
        #expect(root["event"]?.string == "gesture")
        #expect(root["x"]?.number == 1210.5)
        #expect(root["x"]?.integer == nil)
        #expect(root["n"]?.integer == 7)
        #expect(root["n"]?.number == 7)
        #expect(root["start"]?["x"]?.number == 1)
        #expect(root["list"]?.array?.count == 3)
        #expect(root["list"]?.array?[2].isNull == true)
        #expect(root["inside"]?.bool == true)
        #expect(root["t"]?.string == "a\nb")
        #expect(root["none"] == nil)
        #expect(root["event"]?["x"] == nil)
        #expect(root.keys == ["event", "x", "n", "start", "list", "inside", "t"])
        #expect(root["list"]?.json == #"[1,"b",null]"#)
    }
}
