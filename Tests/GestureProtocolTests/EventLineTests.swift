// SPDX-License-Identifier: MIT
import GestureProtocol
import Testing

@Suite("Event line")
struct EventLineTests {
    private func press() -> EventLine {
        var line = EventLine()
        line.start(.gesture, subject: 3, phase: .update, identity: 872)
        line.body.member("gesture", "press")
        line.writeTime(83_912_044_123)
        return line
    }

    private func text(_ line: borrowing EventLine, _ number: Int64, coalesced: Int64 = 0, wall: Int64? = nil) -> String
    {
        var buffer = JSONWriter()
        line.write(number: number, coalesced: coalesced, wallMilliseconds: wall, into: &buffer)
        return buffer.text
    }

    @Test("lines whose body ends with the time")
    func variants() {
        let line = press()
        #expect(text(line, 1) == "{\"event\":\"gesture\",\"seq\":1,\"gesture\":\"press\",\"time_us\":83912044123}\n")
        #expect(
            text(line, 7, coalesced: 2)
                == "{\"event\":\"gesture\",\"seq\":7,\"gesture\":\"press\",\"coalesced\":2,\"time_us\":83912044123}\n")
        #expect(
            text(line, 7, coalesced: 2, wall: 1_795_000_000_123)
                == "{\"event\":\"gesture\",\"seq\":7,\"gesture\":\"press\",\"coalesced\":2,\"time_us\":83912044123,"
                + "\"wall_ms\":1795000000123}\n")
    }

    @Test("lines whose body continues after the time")
    func touches() {
        var line = EventLine()
        line.start(.touches, identity: 1)
        line.body.member("device", "panel")
        line.writeTime(5)
        line.body.array("contacts") { _ in }
        #expect(line.isMergeable == true)
        line.isUnique = true
        var copy = EventLine()
        copy.copy(line)
        #expect(copy.isMergeable == false)
        copy.start(.touches, identity: 1)
        #expect(copy.isMergeable == true)
        #expect(
            text(line, 10, coalesced: 1)
                == "{\"event\":\"touches\",\"seq\":10,\"device\":\"panel\",\"coalesced\":1,\"time_us\":5,\"contacts\":[]}\n"
        )
    }

    @Test("a line without a time")
    func device() {
        var line = EventLine()
        line.start(.device)
        line.body.member("change", "added")
        #expect(text(line, 11) == "{\"event\":\"device\",\"seq\":11,\"change\":\"added\"}\n")
        #expect(line.isMergeable == false)
    }

    @Test("a reused line keeps nothing of the last one")
    func reuse() {
        var line = press()
        line.start(.config)
        line.body.member("change", "reloaded")
        #expect(line.subject == -1 && line.phase == .none && line.identity == 0 && line.timeMicroseconds == 0)
        #expect(text(line, 1, coalesced: 0) == "{\"event\":\"config\",\"seq\":1,\"change\":\"reloaded\"}\n")
    }

    @Test("every event opens with its own word", arguments: EventName.allCases)
    func openings(event: EventName) {
        var line = EventLine()
        line.start(event)
        #expect(text(line, 4) == "{\"event\":\"\(event.word)\",\"seq\":4}\n")
    }
}
