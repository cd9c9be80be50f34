// SPDX-License-Identifier: MIT
import GestureClient
import GestureConfiguration
import GestureEngine
import GesturePipeline
import GestureProtocol
import Recordings

/// Finds the values with which gestures would have been recognized, by replaying their touches with different values.
struct CureSearch {
    /// One gesture that was not recognized, with its sequence numbers in the replay.
    private struct Target {
        var region: String
        var gesture: String
        /// The sequence in which it failed.
        var sequence = 0
        /// The sequence in which it should be recognized: the same, or the next one if the first of several
        /// taps failed.
        var wanted = 0
    }

    /// The result of a replay for the gesture.
    private struct Outcome {
        var failures: [GestureClient.Failure] = []
        /// The sequences in which it was recognized and not cancelled.
        var recognized: Set<Int> = []
        /// All sequences of its region.
        var sequences: Set<Int> = []
    }

    /// The pause after which a touch no longer affects later ones, in milliseconds.
    private static let pause: Int64 = 300
    /// The length of the time after a touch that is replayed together with it, in microseconds.
    private static let silence: Int64 = 1_500_000

    private let configuration: Configuration
    private let whole: Recording
    private let parts: [Recording]

    /// - Parameters:
    ///   - setup: the recording's panel, as the daemon would set it up with the configuration.
    init(_ recording: Recording, _ configuration: Configuration, _ setup: PanelSetup) {
        (self.configuration, whole) = (configuration, recording)
        parts = RecordingReplay.parts(of: recording, setup, pause: .milliseconds(Self.pause))
    }

    /// - Parameters:
    ///   - start, end: the times of the touch's first and last event, in microseconds.
    /// - Returns: `nil` if the failure depends on no key, or if the measured value is far from the key's limit.
    func remedy(for failure: GestureClient.Failure, from start: Int64, to end: Int64) -> Remedy? {
        guard let cure = FailureCure(failure), cure.mayHelp else { return nil }
        let measured = cure.measured.map { Remedy.measured($0, cure.limit?.side ?? .above) }
        guard var target = target(failure) else { return measured }
        let part = parts.last { ($0.entries.first?.time?.microseconds ?? 0) <= start } ?? whole
        for recording in [part, whole] {
            let touch = recording.upTo(end + Self.silence)
            // Without the same failure the replay differs from the original, and its results would be wrong.
            guard let before = outcome(touch, [], target),
                let same = before.failures.first(where: { $0.isSame(as: failure) })
            else { continue }
            target.sequence = same.sequence
            target.wanted = same.sequence
            if GestureFailure.Code(word: failure.code) == .tooFarApart {
                guard let next = before.sequences.filter({ $0 > same.sequence }).min() else { return measured }
                target.wanted = next
            }
            let found = search(cure, touch, target, duration: end - start)
            guard case .verified(let needs)? = found else { return found }
            // The search stops soon after the touch; later events may change the result after all.
            return isRecognized(recording, needs, target) ? found : measured
        }
        return measured
    }

    /// Finds the gesture of a failure. The failure contains names in printable form, the result as configured.
    private func target(_ failure: GestureClient.Failure) -> Target? {
        guard let region = configuration.regions.first(where: { $0.id.safe == failure.region }),
            let gesture = region.gestures.first(where: { $0.name.safe == failure.name })
        else { return nil }
        return Target(region: region.id, gesture: gesture.name)
    }

    // MARK: Search

    private func search(_ cure: FailureCure, _ touch: Recording, _ target: Target, duration: Int64) -> Remedy? {
        guard let lenient = lenient(cure, duration) else { return nil }
        if let need = least(cure, from: lenient, touch, target, with: []) { return .verified([need]) }
        // With a lenient value of the first key, another failure may remain.
        guard let first = cure.need(lenient),
            let failure = outcome(touch, [first], target)?.failures.first(where: { $0.sequence == target.sequence }),
            let other = FailureCure(failure), other.key != cure.key, let furthest = self.lenient(other, duration)
        else { return .nothing }
        // Changing only the other key may suffice: a long press that begins earlier has not moved by then.
        if let need = least(other, from: furthest, touch, target, with: []) { return .verified([need]) }
        guard let second = other.need(furthest), isRecognized(touch, [first, second], target),
            let one = least(cure, from: lenient, touch, target, with: [second]),
            let two = least(other, from: furthest, touch, target, with: [one])
        else { return .nothing }
        return .verified([one, two])
    }

    /// Returns the value nearest to the current limit for which the gesture is recognized.
    /// - Parameter lenient: the value to try if the measured one does not suffice.
    private func least(
        _ cure: FailureCure, from lenient: Int, _ touch: Recording, _ target: Target, with others: [Remedy.Need]
    ) -> Remedy.Need? {
        func helps(_ steps: Int) -> Bool {
            guard let need = cure.need(steps) else { return false }
            return isRecognized(touch, others + [need], target)
        }
        guard let limit = cure.limit else { return helps(0) ? cure.need(0) : nil }
        let step = limit.side == .above ? 1 : -1
        var bad = limit.steps(limit.limit)
        var good = lenient
        let measured = limit.steps(limit.value)
        for steps in [measured, measured + step] where steps >= 0 && (steps - bad) * step > 0 {
            guard helps(steps) else {
                bad = steps
                continue
            }
            good = steps
            break
        }
        if good == lenient, !helps(lenient) { return nil }
        while abs(good - bad) > 1 {
            let middle = bad + (good - bad) / 2
            if helps(middle) { good = middle } else { bad = middle }
        }
        return cure.need(good)
    }

    /// Returns a value, in steps, that is so lenient that the key hardly affects a touch of this duration.
    /// - Parameter duration: in microseconds.
    private func lenient(_ cure: FailureCure, _ duration: Int64) -> Int? {
        guard let limit = cure.limit else { return cure.word == nil ? nil : 0 }
        guard limit.side == .above else {
            // A value of 0 for `start` or `delay` would change the kind of gesture.
            return ["min_velocity", "min_gap"].contains(cure.key) ? 0 : 1
        }
        return switch limit.unit {
        case "ms": limit.steps(2 * max(limit.limit, limit.value) + Double(duration) / 1000)
        case "deg": limit.steps(90)
        default: limit.steps(max(2000, 2 * limit.limit))
        }
    }

    // MARK: Replay

    private func isRecognized(_ recording: Recording, _ needs: [Remedy.Need], _ target: Target) -> Bool {
        outcome(recording, needs, target)?.recognized.contains(target.wanted) == true
    }

    /// - Returns: `nil` if the configuration rejects the values.
    private func outcome(_ recording: Recording, _ needs: [Remedy.Need], _ target: Target) -> Outcome? {
        var changed = configuration
        for need in needs {
            guard let value = JSONValue(parsing: Array("{\"value\":\(need.value)}".utf8))?["value"],
                let next = changed.setting(need.key, to: value, ofGesture: target.gesture, in: target.region)
            else { return nil }
            changed = next
        }
        guard
            case .ready(let setup) = PanelDecision(
                recording.description, changed, fallbackName: recording.device ?? PanelSetup.fallbackName)
        else { return nil }
        var pipeline = PanelPipeline(setup, identifiers: recording.identifiers)
        pipeline.interest = LineInterest(updates: false, failures: true)
        var outcome = Outcome()
        var bytes = JSONWriter()
        RecordingReplay.run(recording, through: &pipeline) { line in
            bytes.removeAll()
            line.write(number: 0, into: &bytes)
            if let event = JSONValue(parsing: Array(bytes.bytes.dropLast())) {
                Self.add(event, to: &outcome, target)
            }
        }
        return outcome
    }

    private static func add(_ event: JSONValue, to outcome: inout Outcome, _ target: Target) {
        guard event["region"]?.string == target.region, let sequence = event["sequence"]?.integer.map(Int.init)
        else { return }
        outcome.sequences.insert(sequence)
        guard event["name"]?.string == target.gesture else { return }
        if event["event"]?.string == "failed" {
            outcome.failures.append(GestureClient.Failure(event).safe)
        } else if event["phase"]?.string == "cancel" {
            outcome.recognized.remove(sequence)
        } else {
            outcome.recognized.insert(sequence)
        }
    }
}

extension GestureClient.Failure {
    /// Whether both are the same failure of the same touch. Sequence numbers are not compared: panels share them, so
    /// those of a replay may differ.
    fileprivate func isSame(as other: Self) -> Bool {
        (code, value, limit, time) == (other.code, other.value, other.limit, other.time)
    }
}

extension Recording {
    /// Returns the recording without events after a time in microseconds.
    fileprivate func upTo(_ time: Int64) -> Recording {
        var part = self
        part.entries = Array(entries.prefix { ($0.time?.microseconds ?? 0) <= time })
        return part
    }
}
