// SPDX-License-Identifier: MIT
import GestureProtocol

/// The gestures of a stream that have begun and not ended, each with its last line.
struct OpenGestures {
    /// In the order in which they began. There are about as many as contacts.
    private(set) var gestures: [GestureClient.Gesture] = []
    /// A subscription without ends and cancels is not followed.
    private let isFollowing: Bool
    private let hasGestures: Bool
    private let regions: [Glob]?
    private let kinds: [Glob]?
    private let names: [Glob]?

    /// - Parameter subscription: `nil`: there is no stream.
    init(of subscription: GestureClient.Subscription? = nil) {
        hasGestures = subscription?.events.contains(.gesture) ?? false
        isFollowing = hasGestures && (subscription?.phases.isSuperset(of: [.end, .cancel]) ?? false)
        regions = subscription?.regions?.map { Glob($0) }
        kinds = subscription?.gestures?.map { Glob($0) }
        names = subscription?.names?.map { Glob($0) }
    }

    /// Handles a line of the daemon.
    mutating func follow(_ gesture: GestureClient.Gesture) {
        guard isFollowing, let phase = gesture.phase else { return }
        let place = gestures.firstIndex { $0.isSame(as: gesture) }
        switch (phase, place) {
        case (.begin, let place?), (.update, let place?): gestures[place] = gesture
        case (.begin, nil), (.update, nil): gestures.append(gesture)
        case (.end, let place?), (.cancel, let place?): gestures.remove(at: place)
        case (.end, nil), (.cancel, nil): break
        }
    }

    /// Handles a `state`, and removes from it what the subscription leaves out.
    /// - Returns: cancels of the gestures that are no longer active: their ends were lost.
    mutating func reconcile(_ state: inout GestureClient.State) -> [GestureClient.Event] {
        state.active.removeAll { !covers($0) }
        guard isFollowing else { return [] }
        let active = state.active.map { GestureClient.Gesture($0) }
        let ended = gestures.filter { gesture in !active.contains { $0.isSame(as: gesture) } }
        gestures.removeAll { gesture in !active.contains { $0.isSame(as: gesture) } }
        gestures += active.filter { gesture in !gestures.contains { $0.isSame(as: gesture) } }
        return ended.map { Self.cancel($0, .lost) }
    }

    /// Cancels all open gestures.
    mutating func cancelAll(_ reason: GestureClient.Gesture.CancelReason) -> [GestureClient.Event] {
        defer { gestures.removeAll() }
        return gestures.map { Self.cancel($0, reason) }
    }

    private static func cancel(
        _ gesture: GestureClient.Gesture, _ reason: GestureClient.Gesture.CancelReason
    ) -> GestureClient.Event {
        var gesture = gesture
        gesture.phase = .cancel
        gesture.reason = reason
        gesture.coalesced = 0
        return .gesture(gesture)
    }

    private func covers(_ active: GestureClient.Active) -> Bool {
        func passes(_ globs: [Glob]?, _ text: String) -> Bool { globs?.contains { $0.matches(text) } ?? true }
        return hasGestures && passes(regions, active.region) && passes(kinds, active.kind.rawValue)
            && passes(names, active.name)
    }
}

extension GestureClient.Gesture {
    /// Whether both are lines of one gesture.
    fileprivate func isSame(as other: Self) -> Bool {
        sequence == other.sequence && region == other.region && kind == other.kind && name == other.name
    }
}
