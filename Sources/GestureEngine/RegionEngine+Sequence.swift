// SPDX-License-Identifier: MIT

/// The sequence: from the first contact that lands to the last that leaves.
extension RegionEngine {
    func beginSequence(_ id: SequenceID) {
        contacts.state = .open(id)
        for gesture in recognizers.indices {
            recognizers[gesture].disposition = rules.gestures[gesture].after.isEmpty ? .possible : .dormant
        }
    }

    func endSequence() {
        tellMissingTaps()
        notifyAll(.sequenceEnded)
        contacts.reset()
        changes = []
        context.hasEndedSequence = true
    }

    /// All contacts that are left are other regions': the next to land is a try of its own, though the
    /// sequence goes on.
    func renew() {
        guard case .open = contacts.state else { return }
        _ = tapCounter?.handle(.sequenceEnded)
        for gesture in recognizers.indices where mayRetry(gesture) {
            _ = recognizers[gesture].handle(.sequenceEnded)
        }
    }

    /// A contact lands while all others are other regions'.
    /// - Parameter shadowed: gestures that a region nearer to it has as well.
    func reopen(without shadowed: [Int]) {
        guard case .open = contacts.state else { return }
        for gesture in recognizers.indices where mayRetry(gesture) {
            // What is tried again itself has not been recognized in this try.
            let isAwake = rules.gestures[gesture].after.allSatisfy {
                recognizers[$0].disposition == .accepted && !mayRetry($0)
            }
            decide(gesture, isAwake ? .possible : .dormant)
        }
        for gesture in shadowed where recognizers[gesture].retry != .never {
            send(.refused(GestureFailure(.shadowed)), to: gesture)
        }
        refuseWithoutTaps()
    }

    private func mayRetry(_ gesture: Int) -> Bool {
        switch recognizers[gesture].retry {
        case .never: false
        case .whenOver:
            recognizers[gesture].disposition == .rejected
                || recognizers[gesture].disposition == .accepted && !recognizers[gesture].isActive
        case .always: true
        }
    }

    /// Ends everything under way, in the order of lines; nothing more is recognized in this sequence.
    func cancelAll(_ reason: CancelReason) {
        if case .open(let id) = contacts.state { contacts.state = .closed(id) }
        cancelTaps(reason)
        for gesture in rules.lineOrder { cancel(gesture, reason) }
        scheduleDeadline()
    }

    /// Ends one gesture, or keeps it from being recognized in this sequence.
    /// - Parameter byGesture: another gesture took the sequence. (A tap of an earlier sequence, which waits for
    ///   what this one brings, then comes; a cancel from outside never makes a tap come.)
    func cancel(_ gesture: Int, _ reason: CancelReason, byGesture: Bool = false) {
        if !deferred.isEmpty { dropDeferred(gesture, GestureFailure(.cancelled(reason))) }
        if contacts.sequence == nil {
            // Only a streak outlives its sequence.
            _ = recognizers[gesture].handle(.forgetStreak)
        } else {
            send(.cancel(reason, byGesture: byGesture), to: gesture)
        }
    }
}
