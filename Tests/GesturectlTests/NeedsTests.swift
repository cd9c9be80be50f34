// SPDX-License-Identifier: MIT
import ContactTracking
import Foundation
import GestureClient
import GestureConfiguration
import GesturePipeline
import GestureProtocol
import GestureTestSupport
import Recordings
import Testing

@testable import gesturectl

/// For each touch that failed, puts the values that `explain` proposes into the configuration and replays the
/// whole recording: the touch must then be recognized.
@Suite("The values that explain proposes")
struct NeedsTests {
    /// A region with gestures, or a list that contains a button.
    struct Setting: CustomTestStringConvertible, Sendable {
        var testDescription: String
        /// The panel's size in millimetres.
        var size: String
        /// The region, the name, and the other keys of each gesture's table.
        var gestures: [(region: String, name: String, keys: [String: String])]

        private static let plain: [(name: String, keys: [String: String])] = [
            ("press", [:]), ("tap", [:]), ("double_tap", [:]), ("two_finger_tap", [:]), ("long_press", [:]),
            ("drag", [:]), ("swipe", [:]), ("pinch", [:]), ("rotate", [:]),
            ("pan", ["type": "\"drag\"", "fingers": "2"]), ("flick", ["type": "\"swipe\"", "fingers": "2"]),
            ("straight", ["type": "\"swipe\"", "max_deviation": "10"]),
        ]

        static func defaults(_ size: String) -> Self {
            Self(
                testDescription: "defaults", size: size,
                gestures: plain.map { ("all", $0.name, $0.keys) })
        }

        /// A setting in which most touches narrowly fail.
        static func strict(_ size: String) -> Self {
            let limits: [String: [String: String]] = [
                "tap": ["slop": "\"0.3mm\"", "max_time": "\"50ms\""],
                "double_tap": ["distance": "\"2mm\"", "min_gap": "\"100ms\""],
                "two_finger_tap": ["group": "\"5ms\"", "slop": "\"1mm\"", "max_lift_spread": "\"4ms\""],
                "long_press": ["delay": "\"900ms\""],
                "drag": ["start": "\"30mm\""], "pan": ["start": "\"20mm\""],
                "swipe": ["min_distance": "\"30mm\"", "max_time": "\"150ms\"", "min_velocity": "\"400mm/s\""],
                "flick": ["min_distance": "\"20mm\"", "group": "\"5ms\""], "pinch": ["start": "\"12mm\""],
                "rotate": ["start": "30"],
            ]
            return Self(
                testDescription: "strict", size: size,
                gestures: plain.map { ("all", $0.name, $0.keys.merging(limits[$0.name] ?? [:]) { $1 }) })
        }

        static func nested(_ size: String) -> Self {
            Self(
                testDescription: "nested", size: size,
                gestures: [
                    ("all", "drag", ["axis": "\"vertical\"", "start": "\"8mm\""]), ("all", "swipe", [:]),
                    ("all", "pinch", [:]), ("all", "tap", ["slop": "\"1mm\""]), ("button", "press", [:]),
                    ("button", "tap", ["slop": "\"1mm\"", "max_time": "\"60ms\""]), ("button", "long_press", [:]),
                    ("button", "slide", ["type": "\"drag\"", "axis": "\"horizontal\"", "start": "\"12mm\""]),
                ])
        }

        func text(matching device: String) -> String {
            let quoted = device.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            var text = """
                version = 1
                [[device]]
                id = "panel"
                match = { name = "\(quoted)" }
                output = { size_mm = [\(size)] }

                """
            for region in ["all", "button"] where gestures.contains(where: { $0.region == region }) {
                let shape = region == "all" ? "\"full\"" : "{ rect = [\"20%\", \"20%\", \"60%\", \"60%\"] }"
                let parent = region == "all" ? "" : "parent = \"all\"\n"
                let tables = gestures.filter { $0.region == region }.map { gesture in
                    var keys = gesture.keys
                    if keys["type"] == nil { keys["type"] = "\"\(gesture.name)\"" }
                    keys["name"] = "\"\(gesture.name)\""
                    return "{ "
                        + keys.sorted { $0.key < $1.key }.map { "\($0.key) = \($0.value)" }.joined(separator: ", ")
                        + " }"
                }
                text += "[[region]]\nid = \"\(region)\"\n\(parent)shape = \(shape)\ngestures = [\n"
                text += tables.joined(separator: ",\n") + "\n]\n"
            }
            return text
        }

        mutating func set(_ needs: [String: String], region: String, name: String) {
            for place in gestures.indices where (gestures[place].region, gestures[place].name) == (region, name) {
                gestures[place].keys.merge(needs) { $1 }
            }
        }
    }

    /// For each gesture, as `region name`, the numbers of the sequences in which it was recognized and not
    /// cancelled.
    private static func recognized(_ recording: Recording, _ setting: Setting) throws -> [String: Set<Int64>] {
        let text = setting.text(matching: recording.description.name)
        let outcome = ConfigurationReader.read(text)
        let configuration = try #require(outcome.configuration, "\(outcome.diagnostics)\n\(text)")
        guard case .ready(let setup) = PanelDecision(recording.description, configuration, fallbackName: "x") else {
            throw TestFailure("not ready")
        }
        var pipeline = PanelPipeline(setup, identifiers: recording.identifiers)
        pipeline.interest = LineInterest(updates: false)
        var result: [String: Set<Int64>] = [:]
        var bytes = JSONWriter()
        RecordingReplay.run(recording, through: &pipeline) { line in
            bytes.removeAll()
            line.write(number: 0, into: &bytes)
            guard let event = JSONValue(parsing: Array(bytes.bytes.dropLast())),
                let region = event["region"]?.string, let name = event["name"]?.string,
                let sequence = event["sequence"]?.integer
            else { return }
            if event["phase"]?.string == "cancel" {
                result["\(region) \(name)"]?.remove(sequence)
            } else {
                result["\(region) \(name)", default: []].insert(sequence)
            }
        }
        return result
    }

    /// - Returns: the number of proposed values, how many touches they made succeed, and the touches that still
    /// failed.
    static func check(
        _ recording: Recording, in file: String, _ setting: Setting
    ) throws -> (said: Int, recognized: Int, wrong: [String]) {
        let folder = try ScratchFolder()
        let config = try folder.write(setting.text(matching: recording.description.name), to: "gestured.toml")
        let outcome = try Tool.run(["explain", file, "-c", config, "--json"])
        guard outcome.status == 0 else { throw TestFailure(outcome.errors) }
        let before = try recognized(recording, setting)
        var result = (said: 0, recognized: 0, wrong: [String]())
        for line in outcome.output.split(separator: "\n") {
            let explanation = try #require(JSONValue(parsing: Array(line.utf8)))
            for failure in explanation.list("failed") {
                guard let region = explanation["region"]?.string, let name = failure["name"]?.string,
                    let sequence = explanation["sequence"]?.integer, let needs = failure["needs"], !needs.keys.isEmpty
                else { continue }
                result.said += 1
                // A replay of a recording is always possible, so the tool must have verified the values.
                #expect(failure["verified"]?.bool == true, "\(line)")
                var cured = setting
                let values = needs.members.map { key, value in
                    (key, value.string.map { "\"\($0)\"" } ?? value.displayText)
                }
                cured.set(Dictionary(values) { $1 }, region: region, name: name)
                let after = try recognized(recording, cured)["\(region) \(name)"] ?? []
                let known = before["\(region) \(name)"] ?? []
                // With this code, the touch is the first of two taps that were too far apart, and the second tap
                // completes the gesture.
                let isStreak = failure["code"]?.string == "too_far_apart"
                let isCured =
                    isStreak ? after.subtracting(known).contains { $0 > sequence } : after.contains(sequence)
                // Two values may be proposed only if neither is enough without the other.
                for (key, value) in values where values.count > 1 {
                    var half = setting
                    half.set([key: value], region: region, name: name)
                    let alone = try recognized(recording, half)["\(region) \(name)"] ?? []
                    #expect(!alone.contains(sequence), "\(key) = \(value) does alone: \(line)")
                }
                if isCured { result.recognized += 1 } else { result.wrong.append("\(region) \(name): \(failure)") }
            }
        }
        return result
    }

    /// `scripts/long needs` plays all recordings. Other runs play a part, because each proposal is checked with
    /// two replays of the whole recording.
    private static let playsAll = LongRuns["needs"] != nil
    private static func part(_ entries: [ManifestEntry], each step: Int) -> [ManifestEntry] {
        entries.enumerated().filter { $0.offset % step == 0 || playsAll }.map(\.element)
    }

    @Test(
        "are enough, for synthetic recordings and those of real panels",
        arguments: part(ManifestEntry.synthetic, each: 11) + part(ManifestEntry.real, each: 16))
    func recordings(entry: ManifestEntry) throws {
        let folder = try ScratchFolder()
        let file = try folder.write(entry.text, to: "recording.evemu")
        let recording = try EvemuReader.read(Array(entry.text.utf8))
        for setting in [Setting.defaults(entry.size), .strict(entry.size), .nested(entry.size)] {
            let result = try Self.check(recording, in: file, setting)
            #expect(result.wrong.isEmpty, "\(setting.testDescription)")
            #expect(result.recognized == result.said)
            print("needs: \(entry.name), \(setting.testDescription): \(result.recognized) of \(result.said)")
        }
    }

    @Test(
        "are enough for the recording of the demonstration",
        arguments: [Setting.defaults("344, 194"), .strict("344, 194")])
    func shipped(setting: Setting) throws {
        let file = BuildProducts.root + "/config/demo.evemu"
        let recording = try EvemuReader.read(Array(try Data(contentsOf: URL(fileURLWithPath: file))))
        let result = try Self.check(recording, in: file, setting)
        #expect(result.wrong.isEmpty)
        #expect(result.said > 0)
    }

    @Test("are enough for random touches", arguments: 0..<(playsAll ? 20 : 3) as Range<UInt64>)
    func random(seed: UInt64) throws {
        let folder = try ScratchFolder()
        let text = RandomTouches.recording(seed, touches: Self.playsAll ? 30 : 12)
        let file = try folder.write(text, to: "touches.evemu")
        let recording = try EvemuReader.read(Array(text.utf8))
        var said = 0
        for setting in [Setting.defaults("100, 100"), .strict("100, 100"), .nested("100, 100")] {
            let result = try Self.check(recording, in: file, setting)
            #expect(result.wrong.isEmpty, "\(setting.testDescription)")
            said += result.said
        }
        #expect(said > 10)
    }
}

/// Recordings of strokes, taps and holds with one or two fingers on a panel of 100 mm.
enum RandomTouches {
    static func recording(_ seed: UInt64, touches: Int) -> String {
        var random = SeededRandom(seed)
        var text = ReplayTests.header
        var time = 1_000_000
        var id = 0
        func frame(_ events: [String]) {
            let stamp = "E: \(time / 1_000_000).\(String("\(time % 1_000_000 + 1_000_000)".dropFirst())) "
            for event in events + ["0000 0000 0"] { text += stamp + event + "\n" }
        }
        for _ in 0..<touches {
            let fingers = Int.random(in: 0..<4, using: &random) == 0 ? 2 : 1
            var places = (0..<fingers).map { _ in
                (x: Double.random(in: 200...800, using: &random), y: Double.random(in: 200...800, using: &random))
            }
            let speed = ([0, 0, 0.4, 3, 12] as [Double]).randomElement(using: &random) ?? 0
            let directions = (0..<fingers).map { _ in Double.random(in: 0...6.28, using: &random) }
            for slot in 0..<fingers {
                id += 1
                frame([
                    "0003 002f \(slot)", "0003 0039 \(id)", "0003 0035 \(Int(places[slot].x))",
                    "0003 0036 \(Int(places[slot].y))",
                ])
                time += Int.random(in: 1000...60_000, using: &random)
            }
            for _ in 0..<Int.random(in: 1...70, using: &random) {
                time += 10_000
                frame(
                    (0..<fingers).flatMap { slot -> [String] in
                        places[slot].x = min(990, max(10, places[slot].x + speed * cos(directions[slot])))
                        places[slot].y = min(990, max(10, places[slot].y + speed * sin(directions[slot])))
                        return [
                            "0003 002f \(slot)", "0003 0035 \(Int(places[slot].x))", "0003 0036 \(Int(places[slot].y))",
                        ]
                    })
            }
            for slot in 0..<fingers {
                time += Int.random(in: 1000...30_000, using: &random)
                frame(["0003 002f \(slot)", "0003 0039 -1"])
            }
            time += [30_000, 90_000, 200_000, 1_500_000].randomElement(using: &random) ?? 0
        }
        return text
    }
}
