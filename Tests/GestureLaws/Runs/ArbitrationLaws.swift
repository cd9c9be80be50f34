// SPDX-License-Identifier: MIT
import GestureEngine

/// Checks the engine's decisions against the law of arbitration (`Candidate`): in each sequence, a gesture is
/// recognized or fails exactly once, unless it is tried again, and no contact belongs to two regions.
struct ArbitrationLaws {
    private typealias State = GestureTransition.State

    /// The gestures of one region in one sequence.
    private struct Record {
        let region: Region
        /// The last state of each gesture; `nil` if it has not changed since the sequence began.
        var states: [State?]
        /// Whether each gesture has been recognized or has failed.
        var decided: [Bool]
    }

    private var records: [SequenceID: Record] = [:]

    /// - Returns: a description of a transition that is not allowed; `nil` if it is allowed.
    mutating func check(_ transition: GestureTransition, _ regions: [Region]) -> String? {
        let region = regions[transition.region]
        var record =
            records[transition.sequence]
            ?? Record(
                region: region, states: Array(repeating: nil, count: region.gestures.count),
                decided: Array(repeating: false, count: region.gestures.count))
        let gesture = region.gestures[transition.gesture]
        let last = record.states[transition.gesture.raw]
        record.states[transition.gesture.raw] = transition.to
        if transition.to == .recognized || transition.to == .failed { record.decided[transition.gesture.raw] = true }
        records[transition.sequence] = record
        let isFirst = last == nil && (transition.from == .possible || transition.from == .dormant)
        // A gesture that ended or was cancelled leaves the state `recognized` only when it is tried again.
        let isAgain = transition.from == .recognized && (last == .ended || last == .cancelled)
        if isFirst || isAgain || last == transition.from, Self.isPossible(transition, gesture.settings.kind) {
            return nil
        }
        return "\(region.id).\(gesture.name) #\(transition.sequence.rawValue) went from "
            + "\(last.map { "\($0)" } ?? "the start") by \(transition.from) to \(transition.to)"
    }

    private static func isPossible(_ transition: GestureTransition, _ kind: GestureKind) -> Bool {
        switch (transition.from, transition.to) {
        case (.dormant, .possible), (.dormant, .failed): true
        case (.possible, .recognized), (.possible, .failed), (.possible, .deferred): true
        case (.deferred, .recognized), (.deferred, .failed): true
        case (.recognized, .ended), (.recognized, .cancelled): true
        // The gesture is tried again, because other regions own all remaining contacts.
        case (.failed, .possible), (.failed, .dormant): kind != .press && kind != .repeat
        case (.recognized, .possible), (.recognized, .dormant): kind != .press && kind != .repeat
        // The gesture begins again: another contact has landed, or the contacts are far enough apart again.
        case (.ended, .recognized): kind == .pinch || kind == .rotate
        // The gesture is tried again when a gesture listed in its `after` is not accepted any more.
        case (.possible, .dormant): [.tap, .swipe, .chain, .stroke].contains(kind)
        default: false
        }
    }

    /// Checks that every gesture was decided. Call it when nothing is pending any more.
    ///
    /// - Returns: a description of a gesture without a decision; `nil` if there is none.
    func checkEnd() -> String? {
        for (sequence, record) in records {
            for (gesture, isDecided) in zip(record.region.gestures, record.decided) {
                if isDecided || Self.mayStayOpen(gesture) { continue }
                return "\(record.region.id).\(gesture.name) #\(sequence.rawValue) was neither recognized nor failed"
            }
        }
        return nil
    }

    /// Whether a gesture may be undecided at the end of a sequence. A tap in a streak, and a swipe that waits for other
    /// gestures, may outlive their sequence, and a pattern does not belong to a single sequence.
    private static func mayStayOpen(_ gesture: Gesture) -> Bool {
        switch gesture.settings.kind {
        case .tap, .pattern: true
        case .swipe, .chain, .stroke: !gesture.unless.isEmpty
        case .press, .longPress, .repeat, .drag, .pinch, .rotate, .dial: false
        }
    }

    /// - Parameter contacts: the contacts that are down.
    /// - Returns: a description of regions that own the same contact; `nil` if there are none.
    static func checkClaims(_ engine: borrowing GestureEngine, contacts: Int) -> String? {
        var claimants: Set<RegionIndex> = []
        let regions = engine.regions
        engine.forEachActive { region, gesture, _ in
            guard !regions[region].pass else { return }
            switch regions[region].gestures[gesture].settings.kind {
            case .drag, .pinch, .rotate, .dial: claimants.insert(region)
            case .press, .tap, .longPress, .repeat, .swipe, .chain, .stroke, .pattern: break
            }
        }
        if claimants.count <= contacts { return nil }
        return "\(claimants.sorted().map { regions[$0].id }) have \(contacts) contacts"
    }
}
