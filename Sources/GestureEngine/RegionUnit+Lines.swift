// SPDX-License-Identifier: MIT

/// The lines of one region: events, reasons, and transitions for a debug log.
extension RegionUnit {
    /// The sequence ends: if nothing else came of a touch without taps before it, it is told that some are missing.
    func tellMissingTaps() {
        guard counter != nil, let sequence = contacts.sequence else { return }
        var isUsed = !deferred.isEmpty
        for gesture in rules.lineOrder where rules.gestures[gesture].kind != .press {
            if candidates[gesture].state == .accepted { isUsed = true }
        }
        for gesture in rules.lineOrder {
            if let failure = candidates[gesture].untold, !isUsed, candidates[gesture].state == .rejected {
                report(gesture, failure, sequence)
            }
            candidates[gesture].untold = nil
        }
    }

    func record(
        _ gesture: Int, _ from: GestureTransition.State, _ to: GestureTransition.State, _ failure: GestureFailure? = nil
    ) {
        guard context.recordsTransitions, gesture != rules.counter, let sequence = contacts.sequence else { return }
        context.transitions.append(
            GestureTransition(
                region: index, gesture: gesture, sequence: sequence,
                contact: context.contact ?? contacts.group.members.last?.id, from: from, to: to, failure: failure))
    }

    /// - Parameter sequence: may be over.
    func report(_ gesture: Int, _ failure: GestureFailure, _ sequence: SequenceID) {
        guard context.reportsFailures, gesture != rules.counter else { return }
        context.emit(
            GestureEvent(
                time: contacts.now, region: index, gesture: gesture, phase: nil, sequence: sequence,
                fingers: contacts.group.members.count, position: contacts.group.centroid, detail: .failed(failure)))
    }

    func emit(_ gesture: Int, _ phase: GestureEvent.Phase?, _ detail: GestureEvent.Detail) {
        if let event = event(gesture, phase, detail) { context.emit(event) }
    }

    @inline(__always)  // so that it is made where it goes, and not copied there
    func event(
        _ gesture: Int, _ phase: GestureEvent.Phase?, _ detail: GestureEvent.Detail
    ) -> GestureEvent? {
        guard let sequence = contacts.sequence else { return nil }
        let group = contacts.group
        // A contact that another region has claimed no longer moves this one, but still presses it.
        let fingers = rules.gestures[gesture].traits.countsFreeContacts ? max(group.count, 1) : group.members.count
        return GestureEvent(
            time: contacts.now, region: index, gesture: gesture, phase: phase, sequence: sequence, fingers: fingers,
            position: recognizers[gesture].focus ?? group.centroid, detail: detail)
    }
}
