// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine
import GestureProtocol
import TouchSharing

/// Sends lines, or tells the observer.
extension PanelPipeline {
    mutating func send(_ event: GestureEvent, _ sink: Sink) {
        if let observer { return observer(.gesture(event, setup.regions[event.region])) }
        lines.encode(event)
        sink(lines.line)
    }

    /// Logs transitions outside private regions only, because anyone may read the log.
    func logTransitions() {
        for transition in engine.takeTransitions() where !setup.regions[transition.region].isPrivate {
            transitionLog?(TransitionText.text(transition, setup))
        }
    }

    mutating func reportFailures() {
        engine.reportsFailures = interest.failures || counters.tallies != nil
    }

    /// Sends a `touches` line.
    /// - Parameter time: `nil` uses the time of the last frame.
    mutating func sendTouches(at time: Timestamp? = nil, _ sink: Sink) {
        lines.touches.fill(at: time ?? tracker.frame.time, setup, tracker, engine, sharing)
        if !sharing.givenLate.isEmpty { sharing.givenLate = [] }
        if let observer { return observer(.touches(lines.touches)) }
        lines.touches.encode(device: setup.device, panel: lines.panel, subject: panelSubject, into: &lines.line)
        sink(lines.line)
    }

    /// Sends a `wake` line, after the lines of idle times that the wake has ended.
    mutating func sendWake(_ reason: WakeGuard.Reason, at time: Timestamp, _ sink: Sink) {
        sendIdleChanges(sink)
        if let observer { return observer(.wake(reason, time)) }
        lines.line.start(.wake, subject: panelSubject)
        lines.line.body.member("device", setup.device)
        lines.line.body.member("reason", reason.rawValue)
        lines.line.writeTime(time.microseconds)
        sink(lines.line)
    }

    /// Sends and removes changes of idle times.
    mutating func sendIdleChanges(_ sink: Sink) {
        guard !idleTimes.changes.isEmpty else { return }
        for change in idleTimes.changes {
            if let observer {
                observer(.idle(change))
            } else {
                change.encode(into: &lines.line)
                sink(lines.line)
            }
        }
        idleTimes.changes.removeAll(keepingCapacity: true)
    }

    /// Adds an event to the raw frame, and sends the frame if the event ends it.
    mutating func sendRawFrame(after event: KernelEvent, _ sink: Sink) {
        lines.rawFrame.append(event)
        // With slots every EV_SYN ends a raw frame. In protocol A, SYN_MT_REPORT ends just one contact of the frame.
        guard event.endsFrame || (event.type == EventCode.evSyn && setup.touchProtocol != .unslotted) else { return }
        sendRawFrame(at: event.time, sink)
    }

    /// Sends and clears the raw frame.
    mutating func sendRawFrame(at time: Timestamp, mark: RawFrame.Mark? = nil, _ sink: Sink) {
        defer { lines.rawFrame.removeAll() }
        if let observer {
            return observer(.frame(time, isAfterLoss: mark == .resync || lines.rawFrame.hasLoss))
        }
        lines.rawFrame.encode(
            device: setup.device, subject: panelSubject, at: time, mark: mark, into: &lines.line)
        sink(lines.line)
    }
}
