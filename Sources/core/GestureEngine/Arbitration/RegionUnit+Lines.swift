// SPDX-License-Identifier: MIT

/// The output of one region: events, failures, and transitions for the debug log.
extension RegionUnit {
    /// At the end of the sequence, reports that the taps before a gesture were missing, if no other gesture used the
    /// touch.
    func tellMissingTaps() {
        guard counter != nil, let sequence = contacts.sequence else { return }
        var isUsed = !deferred.isEmpty
        for candidate in rules.lineOrder where candidate.kind != .press && candidate.state == .accepted {
            isUsed = true
        }
        for candidate in rules.lineOrder {
            if let failure = candidate.untold, !isUsed, candidate.state == .rejected {
                report(candidate, failure, sequence)
            }
            candidate.untold = nil
        }
    }

    func record(
        _ candidate: Candidate, _ from: GestureTransition.State, _ to: GestureTransition.State,
        _ failure: GestureFailure? = nil
    ) {
        guard context.recordsTransitions, !candidate.isCounter, let sequence = contacts.sequence else { return }
        context.transitions.append(
            GestureTransition(
                region: index, gesture: candidate.index, sequence: sequence,
                contact: context.contact ?? contacts.group.members.last?.id, from: from, to: to, failure: failure))
    }

    /// Emits a failure.
    /// - Parameter sequence: the sequence of the failure, which may be over.
    func report(_ candidate: Candidate, _ failure: GestureFailure, _ sequence: SequenceID) {
        guard context.reportsFailures, !candidate.isCounter else { return }
        context.emit(
            GestureEvent(
                time: contacts.now, region: index, gesture: candidate.index, phase: nil, sequence: sequence,
                fingers: contacts.group.members.count, position: contacts.group.centroid, detail: .failed(failure)))
    }

    func emit(_ candidate: Candidate, _ phase: GestureEvent.Phase?, _ detail: GestureEvent.Detail) {
        if let event = event(candidate, phase, detail) { context.emit(event) }
    }

    @inline(__always)  // constructs the event in place
    func event(
        _ candidate: Candidate, _ phase: GestureEvent.Phase?, _ detail: GestureEvent.Detail
    ) -> GestureEvent? {
        guard let sequence = contacts.sequence else { return nil }
        // A contact claimed by another region no longer moves this gesture, but still presses it.
        let fingers =
            candidate.traits.countsFreeContacts ? max(contacts.group.count, 1) : contacts.group.members.count
        return GestureEvent(
            time: contacts.now, region: index, gesture: candidate.index, phase: phase, sequence: sequence,
            fingers: fingers,
            position: candidate.recognizer.focus ?? contacts.group.centroid, detail: detail)
    }
}
