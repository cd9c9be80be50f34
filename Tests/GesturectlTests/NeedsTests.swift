// SPDX-License-Identifier: MIT
import ContactTracking
import Foundation
import GestureClient
import GestureConfiguration
import GestureEngine
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
        /// Other keys of each region.
        var regionKeys = ""
        /// Other tables.
        var tables = ""

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

        /// People with palms and fingers that rest, beside a list whose drag takes contacts.
        static func people(_ size: String) -> Self {
            var setting = strict(size)
            setting.testDescription = "people"
            setting.gestures += [
                ("button", "press", [:]), ("button", "tap", ["slop": "\"1mm\""]),
                ("button", "long_press", ["cancel_slop": "\"2mm\"", "delay": "\"300ms\""]),
                ("button", "repeat", ["delay": "\"300ms\"", "max_duration": "\"400ms\""]),
            ]
            setting.regionKeys = "rest_after = \"200ms\"\n"
            setting.tables = "[filter]\npalm = \"cancel\"\nmax_touch = \"15mm\"\n"
            return setting
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
                text += "[[region]]\nid = \"\(region)\"\n\(parent)\(regionKeys)shape = \(shape)\ngestures = [\n"
                text += tables.joined(separator: ",\n") + "\n]\n"
            }
            return text + tables
        }

        mutating func set(_ needs: [String: String], region: String, name: String) {
            for place in gestures.indices where (gestures[place].region, gestures[place].name) == (region, name) {
                gestures[place].keys.merge(needs) { $1 }
            }
        }
    }

    /// Checks the claims about a recording in a file. The proposed values are written into the configuration's text.
    static func check(_ recording: Recording, in file: String, _ setting: Setting) throws -> ExplainedClaims.Result {
        let folder = try ScratchFolder()
        let device = recording.description.name
        let config = try folder.write(setting.text(matching: device), to: "gestured.toml")
        var claims = try ExplainedClaims(recording, setting.text(matching: device))
        claims.changed = { needs, gesture, region in
            var cured = setting
            let values = needs.map { ($0.key, ExplainedClaims.text($0.value)) }
            cured.set(Dictionary(values) { $1 }, region: region, name: gesture)
            return ConfigurationReader.read(cured.text(matching: device)).configuration
        }
        return try claims.check([file, "-c", config])
    }

    /// `scripts/long needs` plays all recordings. Other runs play a part, because each proposal is checked with
    /// two replays of the whole recording.
    private static let playsAll = LongRuns["needs"] != nil
    private static func part(_ entries: [ManifestEntry], each step: Int) -> [ManifestEntry] {
        entries.enumerated().filter { $0.offset % step == step - 1 || playsAll }.map(\.element)
    }

    @Test(
        "are enough, for synthetic recordings and those of real panels",
        arguments: part(ManifestEntry.real, each: 16) + part(ManifestEntry.synthetic, each: 22))
    func recordings(entry: ManifestEntry) throws {
        let folder = try ScratchFolder()
        let file = try folder.write(entry.text, to: "recording.evemu")
        let recording = try EvemuReader.read(Array(entry.text.utf8))
        let settings = [Setting.defaults(entry.size), .strict(entry.size), .nested(entry.size), .people(entry.size)]
        for setting in settings {
            let result = try Self.check(recording, in: file, setting)
            #expect(result.wrong.isEmpty, "\(setting.testDescription)")
            print("needs: \(entry.name), \(setting.testDescription): \(result.needs), hopeless: \(result.hopeless)")
        }
    }

    @Test(
        "are enough for the recording of the demonstration",
        arguments: [Setting.defaults("332, 187"), .strict("332, 187")])
    func shipped(setting: Setting) throws {
        let file = BuildProducts.root + "/config/demo.evemu"
        let recording = try EvemuReader.read(Array(try Data(contentsOf: URL(fileURLWithPath: file))))
        let result = try Self.check(recording, in: file, setting)
        #expect(result.wrong.isEmpty)
        #expect(result.needs > 0)
    }

    @Test(
        "are enough for the recordings of defects, with their configurations",
        .enabled(if: SharedData.findings != nil, Comment(rawValue: SharedData.missing)), arguments: defects)
    func recordingsOfDefects(name: String) throws {
        let folder = try #require(SharedData.findings)
        let file = folder.appendingPathComponent(name + ".evemu")
        let recording = try EvemuReader.read(Array(try Data(contentsOf: file)))
        for config in [name, "all", "list", "slider"].map({ folder.appendingPathComponent($0 + ".toml") }) {
            guard let text = try? String(contentsOf: config, encoding: .utf8) else { continue }
            let result = try ExplainedClaims(recording, text).check([file.path, "-c", config.path])
            #expect(result.wrong.isEmpty, "\(config.lastPathComponent)")
        }
    }

    private static let defects: [String] = {
        let files = try? SharedData.findings.map { try FileManager.default.contentsOfDirectory(atPath: $0.path) }
        return (files ?? []).filter { $0.hasSuffix(".evemu") }.map { String($0.dropLast(6)) }.sorted()
    }()

    /// Explains events of a small panel with one gesture, and checks the claims.
    /// - Returns: what `explain` prints, and the result of the check.
    private static func explain(_ gesture: String, _ events: String) throws -> (String, ExplainedClaims.Result) {
        let folder = try ScratchFolder()
        let setting = Setting(testDescription: gesture, size: "100, 100", gestures: [("all", gesture, [:])])
        let config = try folder.write(setting.text(matching: "Small panel"), to: "gestured.toml")
        let text = RandomTouches.header + events
        let file = try folder.write(text, to: "recording.evemu")
        let outcome = try Tool.run(["explain", file, "-c", config])
        return (outcome.output, try check(try EvemuReader.read(Array(text.utf8)), in: file, setting))
    }

    @Test("are found if the contact is cancelled later")
    func cancelledLater() throws {
        let (output, result) = try Self.explain(
            "long_press",
            """
            E: 1.000000 0003 0039 1
            E: 1.000000 0003 0035 500
            E: 1.000000 0003 0036 500
            E: 1.000000 0000 0000 0
            E: 1.100000 0003 0035 554
            E: 1.100000 0000 0000 0
            E: 2.000000 0003 0037 2
            E: 2.000000 0000 0000 0
            E: 2.000000 0003 0039 -1
            E: 2.000000 0000 0000 0

            """)
        #expect(
            output.contains(
                "5.4 mm > slop 5 mm  needs slop = \"5.4mm\" (then cancelled: treated as a palm: reported by the panel, "
                    + "or larger than max_touch)\n"),
            "\(output)")
        #expect(result.wrong.isEmpty)
        #expect(result.needs == 1)
    }

    @Test("are found if a tap could also belong to the tap before it")
    func earlierTap() throws {
        // The last contact lands nearer to the second one than the first one does, but then moves.
        let (output, result) = try Self.explain(
            "double_tap",
            """
            E: 1.000000 0003 0039 1
            E: 1.000000 0003 0035 100
            E: 1.000000 0003 0036 500
            E: 1.000000 0000 0000 0
            E: 1.050000 0003 0039 -1
            E: 1.050000 0000 0000 0
            E: 1.200000 0003 0039 2
            E: 1.200000 0003 0035 320
            E: 1.200000 0000 0000 0
            E: 1.250000 0003 0039 -1
            E: 1.250000 0000 0000 0
            E: 1.400000 0003 0039 3
            E: 1.400000 0003 0036 690
            E: 1.400000 0000 0000 0
            E: 1.430000 0003 0036 890
            E: 1.430000 0000 0000 0
            E: 1.450000 0003 0039 -1
            E: 1.450000 0000 0000 0

            """)
        #expect(output.contains("19 mm > distance 16 mm  needs distance = \"22mm\"\n"), "\(output)")
        #expect(result.wrong.isEmpty)
        #expect(result.needs == 2)
    }

    @Test("are looked for among values of all kinds")
    func samples() throws {
        let required: [GestureKind: String] = [
            .chain: ", path = [\"up\", \"left\"]", .stroke: ", points = [[0, 0], [1, 2], [2, 0]]",
        ]
        for type in GestureType.all where type.kind != .pattern {
            let gesture = "{ type = \"\(type.name)\"\(required[type.kind] ?? "") }"
            let text = "version = 1\n[[region]]\nid = \"r\"\nshape = \"full\"\ngestures = [\(gesture)]\n"
            let configuration = try #require(ConfigurationReader.read(text).configuration)
            for key in configuration.keys(ofGesture: type.name, in: "r") where key.shape != .templates {
                func accepts(_ text: String) -> Bool {
                    guard let value = JSONValue(parsing: Array("[\(text)]".utf8))?.array?.first else { return false }
                    return configuration.setting(key.name, to: value, ofGesture: type.name, in: "r") != nil
                }
                let trials = key.trials.map(\.value)
                #expect(trials.count > 1 && trials.allSatisfy(accepts), "\(type.name) \(key.name)")
                let missing = GenerousValues.words.filter { accepts($0) && !trials.contains($0) }
                #expect(missing.isEmpty, "\(type.name) \(key.name)")
            }
        }
    }

    @Test("are enough for random touches", arguments: 0..<(playsAll ? 40 : 2) as Range<UInt64>)
    func random(seed: UInt64) throws {
        let folder = try ScratchFolder()
        let text = RandomTouches.recording(seed, touches: Self.playsAll ? 30 : 12)
        let file = try folder.write(text, to: "touches.evemu")
        let recording = try EvemuReader.read(Array(text.utf8))
        var said = 0
        let size = "100, 100"
        for setting in [Setting.defaults(size), .strict(size), .nested(size), .people(size)] {
            let result = try Self.check(recording, in: file, setting)
            #expect(result.wrong.isEmpty, "\(setting.testDescription)")
            said += result.needs
            print("needs: seed \(seed), \(setting.testDescription): \(result.needs), hopeless: \(result.hopeless)")
        }
        #expect(said > 10)
    }
}
