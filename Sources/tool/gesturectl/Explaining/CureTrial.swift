// SPDX-License-Identifier: MIT
import GestureClient
import GestureConfiguration
import GestureEngine
import GesturePipeline
import GestureProtocol
import Recordings

/// Replays one recording with other values for the keys of one gesture, to see whether it is then recognized where it had
/// failed.
final class CureTrial {
    /// The effect of values on the gesture, from the worst to the best.
    enum Success: Int, Comparable {
        case none
        /// It begins, but is cancelled.
        case cancelled
        case complete

        static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
    }

    struct Result {
        var success = Success.none
        /// The reason for the cancellation.
        var reason: String?
        /// The reason why it still fails.
        var failure: GestureClient.Failure?
    }

    /// The events of a replay about the gesture.
    private struct Outcome {
        var failures: [GestureClient.Failure] = []
        /// The number of times that the gesture began, by sequence; a gesture without phases begins with its only line.
        var begun: [Int: Int] = [:]
        var cancelled: [Int: Int] = [:]
        /// The latest reason for a cancellation, by sequence.
        var reasons: [Int: String] = [:]
        /// All sequences of its region.
        var sequences: Set<Int> = []

        func completed(_ sequence: Int) -> Int { begun[sequence, default: 0] - cancelled[sequence, default: 0] }
    }

    /// The maximum number of entries that all replays of a trial may read, which takes one or two seconds.
    private static let mostEntries = 2_000_000
    /// The maximum number of events of one replay. A contact that is still down at the end of a recording may repeat a
    /// gesture until the replay ends an hour later.
    private static let mostEvents = 20_000

    private let recording: Recording
    private let configuration: Configuration
    private let region: String
    private let name: String
    private var before = Outcome()
    /// The sequence in which it failed.
    private var failed = 0
    /// The sequences in which it should be recognized: the same, and also the next one if the next of several taps was
    /// too far away.
    private var wanted: [Int] = []
    /// The sequences that may complete a streak of taps which begins with this one.
    private var later: [Int] = []
    private var entriesLeft = CureTrial.mostEntries
    private var results: [[Remedy.Need]: Result] = [:]
    /// Whether some values were not tried, because too many entries had been read.
    private(set) var isExhausted = false
    /// Whether with some values a later touch of the same streak was recognized instead.
    private(set) var helpsLater = false

    /// - Parameter gesture: the gesture that failed, and its region, on the recording's panel.
    /// - Returns: `nil` if the recording does not contain the failure. Replays of it would say nothing about the touch.
    init?(
        _ recording: Recording, _ configuration: Configuration, _ gesture: (region: Region, settings: Gesture),
        _ failure: GestureClient.Failure
    ) {
        (self.recording, self.configuration) = (recording, configuration)
        (region, name) = (gesture.region.id, gesture.settings.name)
        guard let before = outcome([]) else { return nil }
        self.before = before
        let same = before.failures.filter { $0.isSame(as: failure) }
        // Panels share sequence numbers, so those of a replay may differ.
        guard let match = same.first(where: { $0.sequence == failure.sequence }) ?? same.first else { return nil }
        (failed, wanted) = (match.sequence, [match.sequence])
        guard case .tap(let tap) = gesture.settings.settings, tap.count > 1 else { return }
        // Sequences of private regions count down.
        let following = before.sequences.filter { abs($0) > abs(failed) }.sorted { abs($0) < abs($1) }
        later = Array(following.prefix(tap.count - 1))
        guard GestureFailure.Code(word: failure.code) == .tooFarApart else { return }
        guard let next = later.first else { return nil }
        wanted.append(next)
    }

    /// The keys of the gesture.
    var keys: [Setting] { configuration.keys(ofGesture: name, in: region) }

    /// Replays the recording with these values.
    func result(_ needs: [Remedy.Need]) -> Result {
        if let known = results[needs] { return known }
        var result = Result()
        if let after = outcome(needs) {
            func begins(_ sequence: Int) -> Bool {
                after.begun[sequence, default: 0] > before.begun[sequence, default: 0]
            }
            if wanted.contains(where: { after.completed($0) > before.completed($0) }) {
                result.success = .complete
            } else if let begun = wanted.first(where: begins) {
                (result.success, result.reason) = (.cancelled, after.reasons[begun])
            } else if later.contains(where: begins) {
                helpsLater = true
            }
            result.failure = after.failures.first { $0.sequence == failed }
        }
        results[needs] = result
        return result
    }

    /// - Returns: `nil` if the configuration rejects the values, or if too many entries have been read.
    private func outcome(_ needs: [Remedy.Need]) -> Outcome? {
        guard let changed = configuration.applying(needs, to: name, in: region),
            case .ready(let setup) = PanelDecision(
                recording.description, changed, fallbackName: recording.device ?? PanelSetup.fallbackName)
        else { return nil }
        guard entriesLeft >= recording.entries.count else {
            isExhausted = true
            return nil
        }
        entriesLeft -= recording.entries.count
        var outcome = Outcome()
        var count = 0
        RecordingReplay.run(
            recording, changed, setup, LineInterest(failures: true), while: { count < Self.mostEvents },
            observer: { output in
                guard case .gesture(let event, let region) = output else { return }
                count += 1
                if region.id == self.region { self.add(event, of: region, setup, to: &outcome) }
            }
        ) { _ in }
        return outcome
    }

    private func add(_ event: GestureEvent, of region: Region, _ setup: PanelSetup, to outcome: inout Outcome) {
        let sequence = Int(event.sequence.rawValue)
        outcome.sequences.insert(sequence)
        guard region.gestures[event.gesture].name == name else { return }
        switch (event.detail, event.phase) {
        case (.failed, _):
            let failure = GestureClient.Failure(event, of: region, device: setup.device)
            if let failure { outcome.failures.append(failure) }
        case (_, nil), (_, .begin): outcome.begun[sequence, default: 0] += 1
        case (_, .cancel(let reason)):
            outcome.cancelled[sequence, default: 0] += 1
            outcome.reasons[sequence] = reason.word
        case (_, .update), (_, .end): break
        }
    }
}

extension Configuration {
    /// - Returns: `nil` if a key does not accept its value.
    func applying(_ needs: [Remedy.Need], to gesture: String, in region: String) -> Configuration? {
        var changed = self
        for need in needs {
            guard let value = JSONValue(parsing: Array("{\"value\":\(need.value)}".utf8))?["value"],
                let next = changed.setting(need.key, to: value, ofGesture: gesture, in: region)
            else { return nil }
            changed = next
        }
        return changed
    }
}

extension GestureClient.Failure {
    /// Whether both are the same failure of the same touch, except for the sequence number.
    fileprivate func isSame(as other: Self) -> Bool {
        (code, value, limit, time) == (other.code, other.value, other.limit, other.time)
    }
}
