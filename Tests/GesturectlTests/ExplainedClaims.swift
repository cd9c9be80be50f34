// SPDX-License-Identifier: MIT
import Foundation
import GestureClient
import GestureConfiguration
import GestureEngine
import GesturePipeline
import GestureProtocol
import GestureTestSupport
import Recordings
import Testing

/// Checks what `explain` claims about the touches of a recording, by replays of the whole recording: with the values that a
/// touch needs, the gesture is recognized; and if no value of one key helps, it is recognized with none of many values.
struct ExplainedClaims {
    struct Result {
        /// The number of touches for which values are proposed.
        var needs = 0
        /// The number of touches for which no value helps.
        var hopeless = 0
        var wrong: [String] = []
    }

    /// The lines about one gesture in one sequence.
    private struct Lines {
        var begun = 0
        var cancelled = 0
        var reason: String?
        var completed: Int { begun - cancelled }
    }

    private struct Place: Hashable {
        var region: String
        var gesture: String
        var sequence: Int64
    }

    let recording: Recording
    let configuration: Configuration
    /// Returns the configuration with other values for keys of a gesture.
    var changed: ([Need], _ gesture: String, _ region: String) throws -> Configuration?

    /// A key, and its value as JSON.
    typealias Need = (key: String, value: JSONValue)

    /// - Parameter text: the configuration.
    init(_ recording: Recording, _ text: String) throws {
        let outcome = ConfigurationReader.read(text)
        let configuration = try #require(outcome.configuration, "\(outcome.diagnostics)\n\(text)")
        (self.recording, self.configuration) = (recording, configuration)
        changed = { needs, gesture, region in
            needs.reduce(configuration) { $0?.setting($1.key, to: $1.value, ofGesture: gesture, in: region) }
        }
    }

    /// - Parameter options: the recording and the configuration.
    func check(_ options: [String]) throws -> Result {
        let outcome = try Tool.run(["explain", "--json"] + options)
        guard outcome.status == 0 else { throw TestFailure(outcome.errors) }
        let before = try lines(configuration)
        var result = Result()
        for line in outcome.output.split(separator: "\n") {
            let explanation = try #require(JSONValue(parsing: Array(line.utf8)))
            for failure in explanation.list("failed") {
                guard let region = explanation["region"]?.string, let gesture = failure["name"]?.string,
                    let sequence = explanation["sequence"]?.integer, let needs = failure["needs"]
                else { continue }
                // A recording can always be replayed.
                #expect(failure["verified"]?.bool == true, "\(line)")
                let place = Place(region: region, gesture: gesture, sequence: sequence)
                if needs.members.isEmpty {
                    result.hopeless += 1
                    // Each of these checks takes many replays.
                    guard LongRuns["needs"] != nil || result.hopeless <= 4 else { continue }
                    result.wrong += try cures(failure, at: place, before)
                } else {
                    result.needs += 1
                    result.wrong += try mistakes(needs.members, failure, at: place, before)
                }
            }
        }
        return result
    }

    // MARK: Claims

    /// Returns why these values are not what the gesture needed.
    private func mistakes(
        _ needs: [Need], _ failure: JSONValue, at place: Place, _ before: [Place: Lines]
    ) throws -> [String] {
        let text = "\(place.region) \(place.gesture) of sequence \(place.sequence): \(Self.text(needs))"
        let claimed = failure["cancelled"]?.string
        let after = try lines(needs, place)
        // One of two taps that were too far apart: the second completes them, or the first completes earlier taps.
        let isStreak = failure["code"]?.string == "too_far_apart"
        let places =
            isStreak
            ? after.keys.filter {
                ($0.region, $0.gesture) == (place.region, place.gesture) && abs($0.sequence) >= abs(place.sequence)
            } : [place]
        let isTrue = places.contains { place in
            let (old, new) = (before[place] ?? Lines(), after[place] ?? Lines())
            guard let claimed else { return new.completed > old.completed }
            return new.begun > old.begun && new.completed == old.completed && new.reason == claimed
        }
        guard isTrue else { return [text + " do not help"] }
        // Two values are proposed only if neither helps alone.
        return try needs.filter { need in
            guard needs.count > 1, let alone = try lines([need], place)[place] else { return false }
            return alone.completed > (before[place]?.completed ?? 0)
        }.map { text + ", but \($0.key) helps alone" }
    }

    /// Returns a message for each key that, changed alone, makes the gesture begin.
    private func cures(_ failure: JSONValue, at place: Place, _ before: [Place: Lines]) throws -> [String] {
        var found: [String] = []
        for key in configuration.keys(ofGesture: place.gesture, in: place.region).map(\.name) {
            for value in GenerousValues.some(for: failure, at: Int(place.sequence), of: recording) {
                let changed = configuration.setting(key, to: value, ofGesture: place.gesture, in: place.region)
                guard let after = try changed.map(lines) else { continue }
                guard after[place]?.begun ?? 0 > before[place]?.begun ?? 0 else { continue }
                found.append("\(place) is not hopeless: \(Self.text([(key, value)]))")
                break
            }
        }
        return found
    }

    /// Values in the syntax of the configuration.
    static func text(_ value: JSONValue) -> String {
        if let string = value.string { return "\"\(string)\"" }
        if let items = value.array { return "[" + items.map(text).joined(separator: ", ") + "]" }
        if let flag = value.bool { return "\(flag)" }
        return value.integer.map { "\($0)" } ?? "\(value.number ?? 0)"
    }

    static func text(_ needs: [Need]) -> String {
        needs.map { "\($0.key) = \(text($0.value))" }.joined(separator: " and ")
    }

    // MARK: Replays

    private func lines(_ needs: [Need], _ place: Place) throws -> [Place: Lines] {
        try lines(#require(try changed(needs, place.gesture, place.region), "rejected: \(Self.text(needs))"))
    }

    private func lines(_ configuration: Configuration) throws -> [Place: Lines] {
        let name = recording.device ?? "panel"
        guard case .ready(let setup) = PanelDecision(recording.description, configuration, fallbackName: name) else {
            throw TestFailure("not ready")
        }
        var result: [Place: Lines] = [:]
        let observer = { (output: PanelOutput) in
            guard case .gesture(let event, let region) = output else { return }
            let name = region.gestures[event.gesture].name
            let place = Place(region: region.id, gesture: name, sequence: event.sequence.rawValue)
            switch (event.detail, event.phase) {
            case (.failed, _), (_, .update), (_, .end): break
            case (_, nil), (_, .begin): result[place, default: Lines()].begun += 1
            case (_, .cancel(let reason)):
                result[place, default: Lines()].cancelled += 1
                result[place]?.reason = reason.word
            }
        }
        RecordingReplay.run(recording, configuration, setup, LineInterest(), observer: observer) { _ in }
        return result
    }
}

/// Values of all kinds, from strict to generous. A key accepts only those of its own kind.
enum GenerousValues {
    private static let plain: [String] = {
        let numbers = (0...10).map { "\($0)" } + ["0.1", "0.9", "20", "45", "89.9", "120", "180"]
        let times = [0, 1, 5, 10, 30, 60, 80, 120, 150, 250, 350, 450, 600, 900, 1300, 3000, 10_000, 3_600_000]
        let lengths = [0, 0.2, 0.5, 1, 1.5, 2.5, 4, 6, 8, 12, 15, 25, 50, 80, 150, 500, 3000]
        let ranges = (1...3).flatMap { low in (low...4).map { "\"\(low)..\($0)\"" } }
        let quoted: [[String]] = [
            times.map { "\"\($0)ms\"" }, lengths.map { "\"\($0)mm\"" },
            [0, 5, 20, 60, 150, 2000].map { "\"\($0)mm/s\"" },
        ]
        return numbers + ["true", "false"] + ranges + quoted.flatMap { $0 } + words
    }()

    /// Every word of the schema, alone, as a list, and together with the others.
    static let words: [String] = {
        let schema = try? Data(contentsOf: URL(fileURLWithPath: BuildProducts.root + "/config/config.schema.json"))
        guard let schema, let json = JSONValue(parsing: Array(schema)) else { return [] }
        var lists: Set<[String]> = [["off"]]
        func collect(_ value: JSONValue) {
            let words = value.texts("enum") + [value["const"]?.string].compactMap(\.self)
            if !words.isEmpty { lists.insert(words) }
            for member in value.members { collect(member.value) }
            for item in value.array ?? [] { collect(item) }
        }
        collect(json["definitions"] ?? json)
        return lists.sorted { $0.joined() < $1.joined() }.flatMap { words in
            let quoted = words.map { "\"\($0)\"" }
            return quoted + quoted.map { "[\($0)]" } + ["[\(quoted.joined(separator: ", "))]"]
        }
    }()

    /// - Parameters:
    ///   - failure: what `explain` says, whose measured value is tried, too.
    ///   - number: a number of the touch, so that different values are tried for different touches.
    /// - Returns: all values in `scripts/long needs`, otherwise one of seven, and fewer for a long recording.
    static func some(for failure: JSONValue, at number: Int, of recording: Recording) -> [JSONValue] {
        let isLong = LongRuns["needs"] != nil
        let step = LongRuns.count("needs") ?? (isLong ? 1 : 7 + recording.entries.count / 100)
        var texts = plain
        if let value = failure["value"]?.number, let unit = failure["unit"]?.string {
            for near in [value - 1, value - 0.1, value, value + 0.1, value + 1, value * 1.5] where near >= 0 {
                let number = (near * 10).rounded() / 10
                texts += ["\(number)", "\"\(number)\(unit)\""]
            }
        }
        let sorted = Set(texts).sorted().enumerated()
        let some = sorted.filter { ($0.offset + abs(number)) % step == 0 }.map(\.element)
        return some.compactMap { JSONValue(parsing: Array("[\($0)]".utf8))?.array?.first }
    }
}
