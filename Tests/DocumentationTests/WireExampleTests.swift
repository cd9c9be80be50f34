// SPDX-License-Identifier: MIT
import GestureEngine
import GesturePipeline
import GestureProtocol
import GestureTestSupport
import Testing

/// The protocol lines that the documentation shows as examples.
@Suite("Examples of lines in the documentation")
struct WireExampleTests {
    private static let lines: [Document.Block] = Document.blocks(in: "json").flatMap { block in
        block.lines.enumerated().filter { !$0.element.isEmpty }.map { offset, line in
            Document.Block(path: block.path, line: block.line + offset, language: "json", lines: [line])
        }
    }

    @Test("are JSON of events, replies or requests", arguments: lines)
    func parse(line: Document.Block) throws {
        for object in objects(line.text) {
            let value = try JSONDocument.read(object).root
            #expect(value.keys.filter { ["event", "reply", "cmd"].contains($0) }.count == 1, "\(object)")
        }
    }

    @Test("have the keys that the daemon writes, in its order", arguments: lines)
    func keyOrder(line: Document.Block) throws {
        for object in objects(line.text) {
            let value = try JSONDocument.read(object).root
            guard value["event"]?.string == "gesture" else { continue }
            let known = try #require(detail(value), "unknown gesture")
            let written = try JSONDocument.read(self.line(known, of: value))
            #expect(value.keys == written.root.keys)
        }
    }

    @Test("include one for each kind of gesture")
    func kinds() throws {
        let gestures = try Self.lines.filter { $0.text.hasPrefix("{\"event\":\"gesture\"") }
            .map { try JSONDocument.read($0.text).root["gesture"]?.string }
        let words = [
            "press", "tap", "long_press", "repeat", "drag", "swipe", "pinch", "rotate", "dial", "chain", "stroke",
            "pattern",
        ]
        #expect(Set(gestures).isSuperset(of: words))
        #expect(words.count == GestureKind.allCases.count)
    }

    @Test("exist")
    func some() {
        #expect(Self.lines.count { $0.text.hasPrefix("{\"event\":\"gesture\"") } >= 5)
    }

    /// A line on the page may contain several requests, separated by two spaces.
    private func objects(_ line: String) -> [String] {
        line.split(separator: "}  {").enumerated().map { index, part in
            (index > 0 ? "{" : "") + part + (part.hasSuffix("}") ? "" : "}")
        }
    }

    private func phase(_ value: JSONValue) -> GestureEvent.Phase? {
        switch value["phase"]?.string {
        case "begin": .begin
        case "update": .update
        case "end": .end
        case "cancel": .cancel(.claimed)
        default: nil
        }
    }

    /// A detail for the event in a line: the optional keys are those of the line, and the numbers are
    /// arbitrary.
    private func detail(_ value: JSONValue) -> GestureEvent.Detail? {
        let held: Interval? = value["held_ms"] == nil ? nil : .zero
        switch value["gesture"]?.string {
        case "press": return .press(inside: true, held: held)
        case "tap", "double_tap", "two_finger_tap": return .tap(count: 1, duration: .zero)
        case "long_press": return .longPress(held: held)
        case "repeat": return .repeat(n: 1, held: .zero)
        case "drag":
            return .drag(
                translation: .zero, velocity: .zero, start: .zero, predicted: value["predicted"] == nil ? nil : .zero,
                scale: value["scale"]?.number)
        case "swipe":
            return .swipe(
                SwipeDetail(direction: .left, angle: 180, distance: 1, speed: 1, duration: .zero, start: .zero))
        case "pinch": return .pinch(scale: 1)
        case "rotate": return .rotate(rotation: 1)
        case "dial":
            return .dial(rotation: 1, steps: value["steps"] == nil ? nil : 1, velocity: 1)
        case "chain": return .chain(duration: .zero, start: .zero)
        case "stroke": return .stroke(score: 1, duration: .zero, start: .zero)
        case "pattern": return .pattern(steps: 1, duration: .zero)
        default: return nil
        }
    }

    /// Returns the line that the daemon writes for a detail, with the optional keys of `value`.
    private func line(_ detail: GestureEvent.Detail, of value: JSONValue) -> String {
        let event = GestureEvent(
            time: Timestamp(microseconds: 1), region: 0, gesture: GestureIndex(raw: 0), phase: phase(value),
            sequence: SequenceID(1),
            fingers: 1, position: .zero, detail: detail)
        var regions = ReadmeExample.regions
        regions[0].gestures[0].action = value["action"]?.string
        regions[0].isLeased = value["leased"]?.bool ?? false
        var encoder = ExampleEncoder(regions, size: ReadmeExample.size)
        return encoder.line(event, coalesced: value["coalesced"] == nil ? 0 : 2)
    }
}
