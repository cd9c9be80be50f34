// SPDX-License-Identifier: MIT
import GestureClient
import GestureConfiguration
import GestureEngine
import GesturePipeline
import Recordings

/// Finds the values with which gestures would have been recognized, by replaying their touches with different values.
struct CureSearch {
    /// The pause after which a touch no longer affects later ones, in milliseconds.
    private static let pause: Int64 = 300
    /// The length of the time before and after a touch that is replayed together with it, in microseconds.
    private static let silence: Int64 = 1_500_000
    /// The number of entries up to which the whole recording is replayed to confirm a result.
    private static let longest = 20_000

    private let configuration: Configuration
    private let setup: PanelSetup
    private let whole: Recording
    private let parts: [Recording]

    /// - Parameters:
    ///   - setup: the recording's panel, as the daemon would set it up with the configuration.
    init(_ recording: Recording, _ configuration: Configuration, _ setup: PanelSetup) {
        (self.configuration, self.setup, whole) = (configuration, setup, recording)
        // The scene may depend on the idle time since the start of the recording.
        parts =
            configuration.idle.isEmpty
            ? RecordingReplay.parts(of: recording, setup, pause: .milliseconds(Self.pause)) : []
    }

    /// - Parameters:
    ///   - start, end: the times of the touch's first and last event, in microseconds.
    /// - Returns: `nil` if the failure depends on no key, if the measured value is far from the key's limit, or if the
    ///   search has no certain result.
    func remedy(for failure: GestureClient.Failure, from start: Int64, to end: Int64) -> Remedy? {
        guard let cure = FailureCure(failure), cure.mayHelp, let gesture = gesture(of: failure) else { return nil }
        for recording in [touch(from: start, to: end), whole.upTo(end + Self.silence)].compactMap(\.self) {
            // Without the same failure the replay differs from the original, and its results would be wrong.
            guard let trial = CureTrial(recording, configuration, gesture, failure) else { continue }
            let found = search(cure, trial, duration: end - start)
            guard case .verified(let needs, let cancelled)? = found else { return found }
            // The replays end soon after the touch; later events may change the result after all.
            guard whole.entries.count <= Self.longest else { return found }
            let result = CureTrial(whole, configuration, gesture, failure)?.result(needs)
            if let result, result.success != .none, result.reason == cancelled { return found }
        }
        return nil
    }

    /// Finds the gesture of a failure. The failure contains names in printable form, the result as configured.
    private func gesture(of failure: GestureClient.Failure) -> (region: Region, settings: Gesture)? {
        guard let region = setup.regions.first(where: { $0.id.safe == failure.region }),
            let gesture = region.gestures.first(where: { $0.name.safe == failure.name })
        else { return nil }
        return (region, gesture)
    }

    /// Returns the part of the recording around a touch; `nil`: the recording has no parts.
    private func touch(from start: Int64, to end: Int64) -> Recording? {
        guard !parts.isEmpty else { return nil }
        func begin(_ part: Recording) -> Int64 { part.entries.first?.time?.microseconds ?? 0 }
        let first = parts.lastIndex { begin($0) <= start - Self.silence } ?? 0
        var touch = parts[first]
        for part in parts[(first + 1)...] {
            guard begin(part) <= end + Self.silence else { break }
            touch.entries += part.entries
        }
        return touch.upTo(end + Self.silence)
    }

    // MARK: Search

    private func search(_ cure: FailureCure, _ trial: CureTrial, duration: Int64) -> Remedy? {
        if let limit = cure.limit, limit.unit == .score {
            if let need = leastRotation(trial) { return verified([need], trial) }
            guard limit.isNear else { return nil }
        }
        for success in [CureTrial.Success.complete, .cancelled] {
            let search = LimitSearch(trial: trial, success: success, duration: duration)
            if let needs = search.needs(cure) { return verified(needs, trial) }
        }
        let (first, rest) = (trial.keys.filter { $0.name == cure.key }, trial.keys.filter { $0.name != cure.key })
        let others = (first + rest).flatMap(\.trials)
        if let need = others.first(where: { trial.result([$0]).success == .complete }) {
            return verified([need], trial)
        }
        if let need = others.first(where: { trial.result([$0]).success == .cancelled }) {
            return verified([need], trial)
        }
        return trial.isExhausted || trial.helpsLater ? nil : .nothing
    }

    /// Returns the least `rotation` with which a shape would have been recognized.
    private func leastRotation(_ trial: CureTrial) -> Remedy.Need? {
        func need(_ degrees: Int) -> Remedy.Need { Remedy.Need(key: "rotation", value: "\(degrees)") }
        func helps(_ degrees: Int) -> Bool { trial.result([need(degrees)]).success == .complete }
        var (bad, good) = (0, 180)
        guard helps(good) else { return nil }
        while good - bad > 1 {
            let middle = (bad + good) / 2
            if helps(middle) { good = middle } else { bad = middle }
        }
        return need(good)
    }

    private func verified(_ needs: [Remedy.Need], _ trial: CureTrial) -> Remedy {
        .verified(needs, cancelled: trial.result(needs).reason)
    }
}

/// Searches the values of the keys whose limits a gesture missed: of one key, or of two if neither suffices alone.
private struct LimitSearch {
    let trial: CureTrial
    /// The least success that is sought.
    let success: CureTrial.Success
    /// The duration of the touch, in microseconds.
    let duration: Int64

    func needs(_ cure: FailureCure) -> [Remedy.Need]? {
        guard let lenient = lenient(cure) else { return nil }
        if let need = least(cure, from: lenient, with: []) { return [need] }
        // With a lenient value of the first key, another failure may remain.
        guard let first = cure.need(lenient), let failure = trial.result([first]).failure,
            let other = FailureCure(failure), other.key != cure.key, let furthest = self.lenient(other)
        else { return nil }
        // Changing only the other key may suffice: a long press that begins earlier has not moved by then.
        if let need = least(other, from: furthest, with: []) { return [need] }
        guard let second = other.need(furthest), helps([first, second]),
            let one = least(cure, from: lenient, with: [second]),
            let two = least(other, from: furthest, with: [one])
        else { return nil }
        return [one, two]
    }

    private func helps(_ needs: [Remedy.Need]) -> Bool { trial.result(needs).success >= success }

    /// Returns the value nearest to the current limit for which the gesture is recognized.
    /// - Parameter lenient: the value to try if none near the measured one suffices.
    private func least(_ cure: FailureCure, from lenient: Int, with others: [Remedy.Need]) -> Remedy.Need? {
        func helps(_ steps: Int) -> Bool { cure.need(steps).map { self.helps(others + [$0]) } ?? false }
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
        if good == lenient, !helps(lenient) {
            // With a value that is too lenient another gesture may take the contacts.
            guard let between = limit.between.first(where: helps) else { return nil }
            good = between
        }
        while abs(good - bad) > 1 {
            let middle = bad + (good - bad) / 2
            if helps(middle) { good = middle } else { bad = middle }
        }
        return cure.need(good)
    }

    /// Returns a value, in steps, that is so lenient that the key hardly affects a touch of this duration.
    private func lenient(_ cure: FailureCure) -> Int? {
        guard let limit = cure.limit else { return cure.word == nil ? nil : 0 }
        guard limit.side == .above else {
            // A value of 0 for `start` or `delay` would change the kind of gesture.
            return limit.side == .downToZero ? 0 : 1
        }
        return switch limit.unit {
        case .milliseconds: limit.steps(2 * max(limit.limit, limit.value) + Double(duration) / 1000)
        case .degrees: limit.steps(90)
        default: limit.steps(max(2000, 2 * limit.limit))
        }
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
