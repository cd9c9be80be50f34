// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine
import GestureProtocol
import TouchSharing

/// Lines that are not about gestures.
extension PanelPipeline {
    /// Logs transitions outside private regions only, because anyone may read the log.
    func logTransitions() {
        for transition in engine.takeTransitions() where !setup.regions[transition.region].isPrivate {
            transitionLog?(TransitionText.text(transition, setup))
        }
    }

    mutating func reportFailures() {
        engine.reportsFailures = interest.failures || counters.tallies != nil || observer != nil
    }

    /// Sends a `touches` line.
    /// - Parameter time: `nil` uses the time of the last frame.
    mutating func sendTouches(at time: Timestamp? = nil, _ sink: Sink) {
        tracker.copyContacts(into: &lines.contacts)
        tracker.copyFiltered(into: &lines.filtered)
        TouchesEncoder.encode(
            lines.contacts, lines.filtered, setup, panel: lines.panel, subject: panelSubject,
            at: time ?? tracker.frame.time, given: sharing.givenLate, into: &lines.line,
            owner: { engine.owner(of: $0) }, receivers: { engine.forEachReceiver(of: $0, $1) },
            receiver: { sharing.receiver(of: $0, owner: $1) }, filteredReceiver: { sharing.receiver(ofSlot: $0) })
        if !sharing.givenLate.isEmpty { sharing.givenLate = [] }
        sink(lines.line)
    }

    /// Sends a `wake` line, after the lines of idle times that the wake has ended.
    mutating func sendWake(_ reason: WakeGuard.Reason, at time: Timestamp, _ sink: Sink) {
        lines.send(&idleTimes.changes, sink)
        lines.line.start(.wake, subject: panelSubject)
        lines.line.body.member("device", setup.device)
        lines.line.body.member("reason", reason.rawValue)
        lines.line.writeTime(time.microseconds)
        sink(lines.line)
    }

    /// Adds an event to the raw frame, and sends the frame if the event ends it.
    mutating func sendRawFrame(after event: KernelEvent, _ sink: Sink) {
        lines.rawFrame.append(event)
        // With slots every EV_SYN ends a raw frame. In protocol A, SYN_MT_REPORT ends just one contact of the frame.
        guard event.endsFrame || (event.type == EventCode.evSyn && setup.touchProtocol != .unslotted) else { return }
        lines.sendRawFrame(setup.device, at: event.time, sink)
    }
}
