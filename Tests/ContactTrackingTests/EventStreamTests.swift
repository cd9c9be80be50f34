// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine
import GestureTestSupport
import Testing

/// Event streams that broke other programs, with the expected contacts.
@Suite("Event streams")
struct EventStreamTests {
    @Test func everyStream() throws {
        guard let object = try SharedData.json("evdev-protocol.json") as? [String: Any] else { return }
        let cases = try #require(object["cases"] as? [[String: Any]])
        #expect(cases.count >= 17)
        for stream in cases { try check(stream) }
    }

    private func check(_ stream: [String: Any]) throws {
        let name = try #require(stream["id"] as? String)
        var axes = SharedData.axes(try #require(stream["device"] as? [String: Any]))
        // Some descriptions leave out the tracking ids that the kernel always has with slots.
        if axes[0x2f] != nil { axes[0x39] = AxisRange(minimum: 0, maximum: 65535) }
        let device = TrackerScript.touchscreen(axes: axes)
        guard case .accepted(let touchProtocol, _) = Admission.decide(device, matchedByConfiguration: false) else {
            Issue.record("\(name) was refused")
            return
        }
        #expect((touchProtocol == .unslotted) == name.hasPrefix("protocol-a"), "\(name)")
        var tracker = SlotTracker(
            device, protocol: touchProtocol, mapping: AxisMapping(device, output: OutputSettings()),
            filter: FilterSettings())
        let needs = stream["needs"] as? String ?? ""
        if needs.hasPrefix("initial slot") {
            let slot = SlotState(trackingID: needs.contains("id 5") ? 5 : -1, x: 400, y: 600)
            tracker.setInitial(SlotTable(slots: [slot]))
        }
        var changes: [Seen] = []
        for event in try #require(stream["events"] as? [[Any]]) {
            try feed(event, needs: needs, into: &tracker, &changes)
        }
        compare(changes, with: try #require(stream["expected"] as? [[String: Any]]), name, device)
    }

    struct Seen {
        var time: Int64
        var kind: ContactChange.Kind
        var position: Point
        var isDown: Bool { kind == .landed }
        var isGone: Bool {
            switch kind {
            case .lifted, .cancelled: true
            case .landed, .moved, .resynchronized: false
            }
        }
    }

    private func feed(
        _ event: [Any], needs: String, into tracker: inout SlotTracker, _ changes: inout [Seen]
    ) throws {
        let time = Timestamp(microseconds: microseconds(event[0]))
        let code = try #require(event[1] as? String)
        let value = Int32(clamping: try #require(event[2] as? Int))
        var hasFrame: Bool
        switch code {
        case "SYN_REPORT", "SYN_MT_REPORT":
            let number = code == "SYN_REPORT" ? EventCode.synReport : EventCode.synMTReport
            hasFrame = tracker.feed(KernelEvent(time: time, type: EventCode.evSyn, code: number, value: value))
        case "SYN_DROPPED":
            // As the reader of a device does it: the events are dropped and the table is fetched.
            let isReplaced = needs.contains("(200,700)")
            let slot = SlotState(trackingID: isReplaced ? 15 : -1, x: 200, y: 700)
            hasFrame = tracker.resynchronize(SlotTable(slots: [slot]), at: time)
        default:
            let number = UInt16(clamping: try #require(SharedData.codes[code], "\(code)"))
            let type = code.hasPrefix("BTN") ? EventCode.evKey : EventCode.evAbs
            hasFrame = tracker.feed(KernelEvent(time: time, type: type, code: number, value: value))
        }
        guard hasFrame else { return }
        for change in tracker.frame.changes {
            changes.append(Seen(time: time.microseconds, kind: change.kind, position: change.position))
        }
    }

    private func compare(
        _ changes: [Seen], with expected: [[String: Any]], _ name: String, _ device: DeviceDescription
    ) {
        if expected.isEmpty { #expect(changes.isEmpty, "\(name)") }
        compareAll(changes, with: expected, name)
        var next = 0
        for line in expected {
            let time = microseconds(line["t"])
            if let count = line["contacts_down"] as? Int {
                let before = changes.filter { $0.time <= time }
                #expect(before.filter(\.isDown).count - before.filter(\.isGone).count == count, "\(name) at \(time)")
                continue
            }
            guard let word = line["contact"] as? String else { continue }
            // Streams need not list every change: look for the next one at this time of this kind.
            while next < changes.count, changes[next].time < time || !matches(changes[next], word) { next += 1 }
            guard next < changes.count, changes[next].time == time else {
                Issue.record("\(name): no \(word) at \(time)")
                return
            }
            checkPosition(changes[next].position, line, name, device)
            next += 1
        }
    }

    /// Between the first and the last listed landing or end, all of them are listed.
    private func compareAll(_ changes: [Seen], with expected: [[String: Any]], _ name: String) {
        let listed = expected.filter {
            ["down", "up", "cancel", "up or cancel"].contains($0["contact"] as? String ?? "")
        }
        let times = listed.map { microseconds($0["t"]) }
        guard let first = times.min(), let last = times.max() else { return }
        let seen = changes.filter { ($0.isDown || $0.isGone) && (first...last).contains($0.time) }
        #expect(seen.map(\.time) == times, "\(name)")
        for (change, line) in zip(seen, listed) {
            #expect(matches(change, line["contact"] as? String ?? ""), "\(name) at \(change.time)")
        }
    }

    private func matches(_ change: Seen, _ word: String) -> Bool {
        switch word {
        case "down": change.isDown
        case "move": change.kind == .moved
        case "up": change.kind == .lifted
        case "cancel": change.isGone && change.kind != .lifted
        default: change.isGone
        }
    }

    private func checkPosition(_ position: Point, _ line: [String: Any], _ name: String, _ device: DeviceDescription) {
        let size = AxisMapping(device, output: OutputSettings()).panelSize
        let (u, v) = (position.x / size.widthMillimeters, position.y / size.heightMillimeters)
        #expect(size.bounds.contains(position), "\(name)")
        if let x = line["x"] as? Double { #expect(abs(u * size.widthPixels - x) < 0.01, "\(name)") }
        if let y = line["y"] as? Double { #expect(abs(v * size.heightPixels - y) < 0.01, "\(name)") }
        if let percent = line["x_percent"] as? Double { #expect(abs(u * 100 - min(percent, 100)) < 0.1, "\(name)") }
        if let percent = line["y_percent"] as? Double { #expect(abs(v * 100 - min(percent, 100)) < 0.1, "\(name)") }
    }

    private func microseconds(_ milliseconds: Any?) -> Int64 {
        Int64(((milliseconds as? Double ?? 0) * 1000).rounded())
    }
}
