// SPDX-License-Identifier: MIT
import Foundation
import GestureClient
import GestureProtocol
import GestureTestSupport
import Testing

@testable import gesturectl

/// A recording and the gestures that are expected in it. A recording of a real panel has its expectations from the
/// manifest; the other recordings are synthetic.
struct ManifestEntry: CustomTestStringConvertible, Sendable {
    /// Gestures that must be recognized, and gestures that must not, in the whole recording or in a part of it.
    struct Expectation: Sendable {
        /// In milliseconds from the recording's first event; `nil` for the whole recording.
        var part: ClosedRange<Double>?
        var must: [String]
        var never: [String]
    }

    /// The expected numbers of contacts.
    struct Contacts: Equatable, Sendable {
        var all: Int64
        var atOnce: Int64
        var spans: Int64
        var downAtEnd: Int64
    }

    var name: String
    /// The content of the file.
    var text: String
    /// Width and height of the panel in mm.
    var size: String
    /// `A` (no slots), `B` (slots) or `ST` (single touch).
    var touchProtocol: String
    var isTouchpad: Bool
    /// The expectations that the manifest marks as certain or likely.
    var expectations: [Expectation]
    var contacts: Contacts?

    var testDescription: String { name }

    static let synthetic = SyntheticRecording.all.map { ManifestEntry($0) }

    /// The real recordings; empty if they are not available.
    static let real: [ManifestEntry] = {
        guard let folder = SharedData.recordings,
            let bytes = try? Data(contentsOf: folder.appendingPathComponent("manifest.json")),
            let manifest = JSONValue(parsing: Array(bytes))
        else { return [] }
        return (manifest.array ?? []).compactMap { ManifestEntry($0, in: folder) }
    }()

    private init(_ synthetic: SyntheticRecording) {
        name = synthetic.name
        text = synthetic.text
        size = "\(Int(synthetic.panel.width)), \(Int(synthetic.panel.height))"
        touchProtocol = "B"
        isTouchpad = synthetic.panel.isTouchpad
        expectations = synthetic.parts.map { Expectation(part: $0.milliseconds, must: $0.must, never: $0.never) }
        let made = synthetic.contacts
        contacts = Contacts(
            all: Int64(made.all), atOnce: Int64(made.atOnce), spans: Int64(made.spans), downAtEnd: 0)
    }

    private init?(_ json: JSONValue, in folder: URL) {
        guard let name = json["name"]?.string, let file = json["file"]?.string,
            let text = try? String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
        else { return nil }
        self.name = name
        self.text = text
        size = Self.size(name)
        touchProtocol = json["proto"]?.string ?? ""
        isTouchpad = file.contains("touchpads/") || name.hasPrefix("SynPS2")
        expectations = json.list("spans").filter(Self.isSaid).map { span in
            let start = span["t0"]?.number ?? 0
            // The manifest rounds times to 0.1 ms.
            return Self.expectation(span, start - 0.1...start + (span["dur"]?.number ?? 0) + 0.2)
        }
        if let whole = json["expected"], Self.isSaid(whole) { expectations.append(Self.expectation(whole, nil)) }
        if let level = json["contact_level"], Self.isSaid(level) {
            func number(_ key: String) -> Int64 { level[key]?.integer ?? -1 }
            contacts = Contacts(
                all: number("contacts"), atOnce: number("max_simultaneous"), spans: number("spans"),
                downAtEnd: number("down_at_end"))
        }
    }

    /// Whether the manifest marks the expectation as certain or likely. A likely one is, for example, that a wobbling
    /// two-finger drag is not a pinch.
    private static func isSaid(_ json: JSONValue) -> Bool {
        let sure = json["sure"]?.string ?? ""
        return sure.hasPrefix("certain") || sure.hasPrefix("likely")
    }

    private static func expectation(_ json: JSONValue, _ part: ClosedRange<Double>?) -> Expectation {
        Expectation(
            part: part, must: json.texts("must"),
            never: json.list("never").compactMap { $0.string == "rotation" ? "rotate" : $0.string })
    }

    /// The size of a real panel, which recordings do not contain. The phone is assumed to have a diagonal of 4 inches,
    /// and the tablet's size is the manufacturer's figure. A diagonal of 7 inches follows from the 32 mm that the
    /// manifest states for four fingers.
    private static func size(_ name: String) -> String {
        let sizes = [
            ("galaxy", "53, 88"), ("phone", "53, 88"), ("Wacom_Bamboo", "125, 85"), ("Wacom_Intuos5", "223, 140"),
            ("Atmel", "152, 91"), ("n4", "64, 107"),
        ]
        return sizes.first { name.hasPrefix($0.0) }?.1 ?? "100, 60"
    }
}
