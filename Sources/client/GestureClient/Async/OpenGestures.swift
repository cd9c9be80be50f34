// SPDX-License-Identifier: MIT
import GestureProtocol

/// The gestures of a stream that have begun and not ended, each with its last line.
struct OpenGestures {
    /// The gestures in the order in which they began. Their number is about the number of contacts.
    private(set) var gestures: [GestureClient.Gesture] = []
    /// Whether gestures are followed. This is impossible if the subscription lacks `end` or `cancel`.
    private let isFollowing: Bool
    private let hasGestures: Bool
    private let globs: GlobFilter

    /// - Parameter subscription: the subscription of the stream; `nil` if there is no stream.
    init(of subscription: GestureClient.Subscription? = nil) {
        hasGestures = subscription?.events.contains(.gesture) ?? false
        isFollowing = hasGestures && (subscription?.phases.isSuperset(of: [.end, .cancel]) ?? false)
        globs = GlobFilter(
            regions: subscription?.regions, devices: subscription?.devices, gestures: subscription?.gestures,
            names: subscription?.names)
    }

    /// Handles a `gesture` line from the daemon.
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

    /// Handles a `state`, and removes gestures from it that the subscription excludes.
    /// - Returns: `cancel` events for the gestures that are no longer active, because their ends were lost.
    mutating func reconcile(_ state: inout GestureClient.State) -> [GestureClient.Event] {
        state.active.removeAll { !covers($0) }
        guard isFollowing else { return [] }
        let active = state.active.map { GestureClient.Gesture($0) }
        let ended = gestures.filter { gesture in !active.contains { $0.isSame(as: gesture) } }
        gestures.removeAll { gesture in !active.contains { $0.isSame(as: gesture) } }
        gestures += active.filter { gesture in !gestures.contains { $0.isSame(as: gesture) } }
        return ended.map { Self.cancel($0, .lost) }
    }

    /// Stops following gestures whose `begin` event was dropped.
    mutating func remove(_ keys: Set<GestureKey>) { gestures.removeAll { keys.contains(GestureKey($0)) } }

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
        hasGestures && globs.passes(device: active.device)
            && globs.passes(region: active.region, gesture: active.kind.rawValue, name: active.name)
    }
}

extension GestureClient.Gesture {
    /// Whether both are lines of the same gesture.
    fileprivate func isSame(as other: Self) -> Bool {
        sequence == other.sequence && region == other.region && kind == other.kind && name == other.name
    }
}
