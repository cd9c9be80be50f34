// SPDX-License-Identifier: MIT
import ContactTracking
import Foundation
import GestureEngine
import GestureTestSupport
import Testing

/// Each recording has the number of contacts that is stated in the manifest (for real recordings) or in the synthetic
/// recording itself.
@Suite("Contacts in recordings")
struct RecordingTests {
    @Test("of synthetic panels", arguments: SyntheticRecording.all.indices)
    func contactsOfSyntheticRecording(index: Int) throws {
        let synthetic = SyntheticRecording.all[index]
        let recording = Evemu(synthetic.text)
        guard case .accepted(let touch, _) = Admission.decide(recording.device, matchedByConfiguration: true) else {
            Issue.record("\(synthetic.name) was refused")
            return
        }
        let seen = count(recording, touch)
        #expect(touch == .slots(count: synthetic.panel.slots), "\(synthetic.name)")
        #expect(seen.contacts == synthetic.contacts.all, "\(synthetic.name)")
        #expect(seen.atOnce == synthetic.contacts.atOnce, "\(synthetic.name)")
        #expect(seen.atEnd == 0, "\(synthetic.name)")
    }

    @Test(.enabled(if: SharedData.recordings != nil, Comment(rawValue: SharedData.missing)))
    func contactsOfEveryRealRecording() throws {
        let folder = try #require(SharedData.recordings)
        let bytes = try Data(contentsOf: folder.appendingPathComponent("manifest.json"))
        let manifest = try #require(try JSONSerialization.jsonObject(with: bytes) as? [[String: Any]])
        var compared = 0
        for entry in manifest {
            guard let file = entry["file"] as? String, let counts = entry["contact_level"] as? [String: Any] else {
                continue
            }
            let text = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
            let recording = Evemu(text)
            guard case .accepted(let touch, _) = Admission.decide(recording.device, matchedByConfiguration: true) else {
                Issue.record("\(file) was refused")
                continue
            }
            // Two recordings in protocol B have only one finger, and the headers assumed for them have no slots.
            if touch == .unslotted, entry["proto"] as? String == "B" { continue }
            let seen = count(recording, touch)
            compared += 1
            #expect(seen.contacts == counts["contacts"] as? Int, "\(file)")
            #expect(seen.atOnce == counts["max_simultaneous"] as? Int, "\(file)")
            #expect(seen.atEnd == counts["down_at_end"] as? Int, "\(file)")
        }
        #expect(compared >= 40)
    }

    private func count(_ recording: Evemu, _ touch: TouchProtocol) -> (contacts: Int, atOnce: Int, atEnd: Int) {
        let filter = FilterSettings(palmCancels: false, maxTouch: nil, maxContactAge: nil, storm: nil)
        let mapping = AxisMapping(recording.device, output: OutputSettings())
        var tracker = SlotTracker(recording.device, protocol: touch, mapping: mapping, filter: filter)
        var (contacts, atOnce) = (0, 0)
        for event in recording.events where tracker.feed(event) {
            contacts += tracker.frame.changes.count { $0.kind == .landed }
            atOnce = max(atOnce, tracker.contacts.count)
        }
        return (contacts, atOnce, tracker.contacts.count)
    }
}

/// The parts of an evemu file that these tests need.
private struct Evemu {
    var device = DeviceDescription()
    var events: [KernelEvent] = []
    private var bytes: [Int: [Int]] = [:]

    init(_ text: String) {
        for line in text.split(separator: "\n") { read(line.split(separator: " ").map { String($0) }) }
        device.properties = bits(-1)
        device.keys = bits(1)
    }

    private mutating func read(_ words: [String]) {
        switch words.first {
        case "P:": bytes[-1, default: []] += words.dropFirst().compactMap { Int($0, radix: 16) }
        case "B:" where words.count > 2:
            bytes[Int(words[1], radix: 16) ?? -2, default: []] += words.dropFirst(2).compactMap { Int($0, radix: 16) }
        case "A:" where words.count > 5:
            let numbers: [Int32] = words.dropFirst(2).map { Int32($0) ?? 0 } + [0]
            device.axes[Int(words[1], radix: 16) ?? 0x3f] = AxisRange(
                minimum: numbers[0], maximum: numbers[1], fuzz: numbers[2], flat: numbers[3], resolution: numbers[4])
        case "E:" where words.count > 4:
            let time = Timestamp(microseconds: Int64((Double(words[1]) ?? 0) * 1_000_000))
            events.append(
                KernelEvent(
                    time: time, type: UInt16(words[2], radix: 16) ?? 0, code: UInt16(words[3], radix: 16) ?? 0,
                    value: Int32(words[4]) ?? 0))
        default: break
        }
    }

    private func bits(_ key: Int) -> Set<Int> {
        var result: Set<Int> = []
        for (index, byte) in (bytes[key] ?? []).enumerated() {
            for bit in 0..<8 where byte >> bit & 1 == 1 { result.insert(index * 8 + bit) }
        }
        return result
    }
}
