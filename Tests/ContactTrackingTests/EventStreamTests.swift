// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine
import GestureTestSupport
import Testing

/// Event streams that other programs did not handle correctly, with the expected contacts.
@Suite("Event streams")
struct EventStreamTests {
    /// A row of `Tests/Cases/event-streams.txt`.
    struct Stream: Sendable, CustomTestStringConvertible {
        var name: String
        var device: DeviceDescription
        /// The events in the notation of `TrackerScript`.
        var events: String
        var expected: [Expectation]

        var testDescription: String { name }

        /// Returns `nil` if the row cannot be read.
        init?(_ row: [String]) {
            let terms = row[4] == "nothing" ? [] : CaseTable.list(row[4])
            expected = terms.compactMap(Expectation.init)
            guard let axes = DeviceNotation.axes(row[2]), expected.count == terms.count else { return nil }
            (name, device, events) = (row[0], TrackerScript.touchscreen(axes: axes), row[3])
        }
    }

    /// An expected change such as `1000 down 400,700`, `0 down 200%,120%`, `60 up` or `100 count 0`.
    struct Expectation: Sendable {
        var time: Int64
        var word: String
        /// The position in units of the device, or in percent of its axes.
        var position: [Double]
        var isPercent: Bool

        init?(_ text: String) {
            let words = text.split { $0 == " " || $0 == "," }
            guard words.count >= 2, let milliseconds = Double(words[0]) else { return nil }
            time = Int64((milliseconds * 1000).rounded())
            word = String(words[1])
            position = words.dropFirst(2).compactMap { Double($0.prefix { $0 != "%" }) }
            isPercent = text.contains("%")
        }
    }

    static let streams = CaseTable.rows("event-streams.txt", columns: 5).compactMap(Stream.init)

    @Test func countOfStreams() {
        #expect(Self.streams.count == 17)
    }

    @Test("have the expected contacts", arguments: streams)
    func contacts(stream: Stream) throws {
        var script = try TrackerScript(stream.device, filter: FilterSettings())
        try script.play(stream.events)
        let changes = script.changes
        if stream.expected.isEmpty { #expect(changes.isEmpty) }
        compareAll(changes, with: stream.expected)
        var next = 0
        for expectation in stream.expected {
            if expectation.word == "count" {
                let before = changes.filter { $0.time <= expectation.time }
                let count = before.count { $0.kind == .landed } - before.count(where: \.isGone)
                #expect([Double(count)] == expectation.position, "at \(expectation.time)")
                continue
            }
            // A row need not list every change, so this skips to the next change of this kind at this time.
            while next < changes.count, changes[next].time < expectation.time || !matches(changes[next], expectation) {
                next += 1
            }
            try #require(next < changes.count && changes[next].time == expectation.time, "\(expectation)")
            checkPosition(changes[next].position, expectation, stream.device)
            next += 1
        }
    }

    /// Checks that a row lists all landings and ends between the first and the last one that it lists.
    private func compareAll(_ changes: [TrackerScript.Change], with expected: [Expectation]) {
        let listed = expected.filter { ["down", "up", "cancel", "gone"].contains($0.word) }
        let times = listed.map(\.time)
        guard let first = times.min(), let last = times.max() else { return }
        let seen = changes.filter { ($0.kind == .landed || $0.isGone) && (first...last).contains($0.time) }
        #expect(seen.map(\.time) == times)
        for (change, expectation) in zip(seen, listed) { #expect(matches(change, expectation), "\(change)") }
    }

    private func matches(_ change: TrackerScript.Change, _ expectation: Expectation) -> Bool {
        switch expectation.word {
        case "down": change.kind == .landed
        case "move": change.kind == .moved
        case "up": change.kind == .lifted
        case "cancel": change.isGone && change.kind != .lifted
        case "gone": change.isGone
        default: false
        }
    }

    private func checkPosition(_ position: Point, _ expectation: Expectation, _ device: DeviceDescription) {
        let size = AxisMapping(device, output: OutputSettings()).panelSize
        #expect(size.bounds.contains(position))
        guard expectation.position.count == 2 else { return }
        let (u, v) = (position.x / size.widthMillimeters, position.y / size.heightMillimeters)
        let (x, y) = (expectation.position[0], expectation.position[1])
        if expectation.isPercent {
            #expect(abs(u * 100 - min(x, 100)) < 0.1 && abs(v * 100 - min(y, 100)) < 0.1, "\(u), \(v)")
        } else {
            #expect(abs(u * size.widthPixels - x) < 0.01 && abs(v * size.heightPixels - y) < 0.01, "\(u), \(v)")
        }
    }
}
