// SPDX-License-Identifier: MIT
package import ContactTracking
package import GestureEngine
package import GestureProtocol
import TouchSharing

/// Turns the kernel events of one panel into lines: tracking, recognition, sharing, encoding.
///
/// The daemon feeds it events from a device, and a replay feeds it recorded ones; both produce the same lines. It has
/// no clock: events and callers pass the time. `frame` runs the stages of a touch in order.
package struct PanelPipeline: ~Copyable {
    /// Receives each line. It must copy the data that it keeps.
    package typealias Sink = (borrowing EventLine) -> Void

    /// The current settings.
    package internal(set) var setup: PanelSetup
    /// The optional lines to make.
    package var interest = LineInterest(updates: true) {
        didSet {
            engine.reportsUpdates = interest.updates
            reportFailures()
        }
    }
    /// Receives a line for each transition of a gesture, such as `panel: region list, contact 3: tap: possible →
    /// failed, moved 5.4 mm > 3 mm`; `nil` disables this.
    package var transitionLog: ((String) -> Void)? {
        didSet { engine.recordsTransitions = transitionLog != nil }
    }
    /// Receives what `interest` asks for, instead of the sink, so that programs which evaluate it need not read lines;
    /// `nil` disables this.
    package var observer: ((PanelOutput) -> Void)?
    package let identifiers: Identifiers

    // The stages, each with its own state.
    package internal(set) var tracker: SlotTracker
    var idleTimes = PanelIdleTimes()
    var engine: GestureEngine
    /// Events of the engine whose lines are sent at the end of the same call.
    var events: [GestureEvent] = []
    var sharing = TouchSharing()
    var lines: PanelLines
    var counters = PanelCounters()
    /// The time of the first event of a frame that a shared panel has not ended; `nil` between frames.
    private var frameBegin: Timestamp?

    /// The regions that will replace those that keep the gestures of an earlier profile until they are idle, by id.
    var postponed: [String: Region] = [:]
    /// The indices of these regions.
    var postponedRegions: [RegionIndex] = []
    /// Whether the tracker has the filter of an earlier profile until no contact is down.
    var hasPostponedFilter = false

    /// Creates an idle pipeline.
    /// - Parameter identifiers: the source of numbers for contacts, sequences and gestures, shared with other panels.
    package init(_ setup: PanelSetup, identifiers: Identifiers = Identifiers()) {
        self.setup = setup
        self.identifiers = identifiers
        tracker = SlotTracker(
            setup.description, protocol: setup.touchProtocol, mapping: setup.mapping, filter: setup.filter,
            identifiers: identifiers)
        engine = GestureEngine(
            setup.regions, arbitration: setup.arbitration, bounds: setup.size.bounds, identifiers: identifiers)
        tracker.isPrivate = engine.isPrivate
        lines = PanelLines(setup, identifiers)
        events.reserveCapacity(64)
    }

    /// Sets the slots at the time the device was opened. Contacts that are down are ignored until they lift.
    package mutating func setInitial(_ table: SlotTable) { tracker.setInitial(table) }

    // MARK: The path of a touch

    /// Calls `body` with this pipeline.
    /// - Returns: `nextDeadline` afterwards. Reading it from a pipeline that is stored in an object would make Swift
    ///   copy the whole pipeline.
    package mutating func run(_ body: (inout Self) -> Void) -> Timestamp? {
        body(&self)
        return nextDeadline
    }

    /// Handles all events of one read.
    package mutating func feed(_ events: ArraySlice<KernelEvent>, _ sink: Sink) {
        var place = events.startIndex
        while place < events.endIndex {
            fireShared(before: events[place], sink)
            let end = tracker.takeAxes(events, from: place)
            if end > place {
                if sharing.isActive { sharing.take(axes: events[place..<end]) }
                if interest.frames { lines.rawFrame.append(events[place..<end]) }
            }
            if end < events.endIndex { feed(events[end], sink) }
            place = end + 1
        }
    }

    /// Handles one kernel event. A `SYN_REPORT` completes a frame and makes its lines.
    package mutating func feed(_ event: KernelEvent, _ sink: Sink) {
        fireShared(before: event, sink)
        // A deadline fires before the events after it.
        if let deadline = tracker.nextDeadline, deadline <= event.time { advanceTracker(to: event.time, sink) }
        frame(of: .event(event), sink)
    }

    /// Fires deadlines before the first and the last event of a frame, because they may give contacts to an application
    /// or take them from it. Between these events, the slots may already contain other contacts.
    private mutating func fireShared(before event: KernelEvent, _ sink: Sink) {
        guard sharing.isActive, frameBegin == nil || event.endsFrame else { return }
        let begin = frameBegin
        frameBegin = event.endsFrame ? nil : event.time
        // Most events have the time of their frame's first one.
        guard event.time != begin else { return }
        if let deadline = nextDeadline, deadline <= event.time { advance(to: event.time, sink) }
    }

    /// The causes of a frame.
    private enum Origin {
        case event(KernelEvent)
        /// The slots of the kernel after events were lost.
        case table(SlotTable, Timestamp)
        /// A deadline of the tracker.
        case deadline(Timestamp)
        case cancellation(CancelReason, Timestamp)
    }

    /// Runs the stages of a frame in order. This is the only path for a change of contacts.
    private mutating func frame(of origin: Origin, _ sink: Sink) {
        // Kernel events become slots, and slots become contacts, except those that a filter hides.
        let (isChanged, reported) = track(origin)
        let time = max(tracker.frame.time, reported?.time ?? tracker.frame.time)
        // The engine turns contacts into events of gestures. Idle times that are due earlier are handled first.
        if isChanged {
            followTouch(sink)
        }
        let wake = tracker.takeWake()
        if wake != nil { followWake(at: time, sink) }
        if isChanged { engine.process(tracker.frame, into: &events) }
        // The application's events are written before any line is made, so that the application does not wait for
        // clients.
        if sharing.isActive, isChanged || reported != nil {
            let isReported = reported?.isWhole ?? false
            sharing.share(at: time, isReported: isReported, tracker, engine, notesLate: interest.touches)
        }
        // Lines follow in the order in which clients receive them.
        if let wake { sendWake(wake, at: time, sink) }
        if case .event(let event) = origin {
            if interest.frames { sendRawFrame(after: event, sink) }
            // The engine does not receive filtered contacts, but `touches` and `explain` show them.
            if !isChanged, interest.touches, event.endsFrame, tracker.hasFilteredChange { sendTouches(sink) }
        }
        guard isChanged else {
            // Time must not go back after a report, even if the engine receives none of its contacts. Otherwise the times
            // of later lines would depend on contacts in private regions.
            if let reported { advance(to: reported.time, sink) }
            return
        }
        sendIdleChanges(sink)
        sendEvents(sink)
        if interest.touches { sendTouches(sink) }
        counters.count(tracker.frame)
    }

    /// The end of a frame. `isWhole` is whether the tracker received all of it.
    private typealias Report = (time: Timestamp, isWhole: Bool)

    /// Runs the first stage: contacts, and the slots of the application that shares the panel.
    /// - Returns: whether `tracker.frame` contains a change, and the report of the panel; `nil` without a complete
    ///   report, at a deadline, and for a client's request.
    private mutating func track(_ origin: Origin) -> (isChanged: Bool, reported: Report?) {
        switch origin {
        case .event(let event):
            let isChanged = tracker.feed(event)
            if sharing.isActive { sharing.take(event) }
            // If the kernel has split a long frame, the value is 1 and the rest of the frame follows.
            let isWhole = isChanged || event.value != 1
            return (isChanged, isChanged || event.endsFrame ? (event.time, isWhole) : nil)
        case .table(let table, let time):
            let isChanged = tracker.resynchronize(table, at: time)
            // The tracker may have corrected the table.
            if sharing.isActive { sharing.take(tracker.table) }
            return (isChanged, (time, true))
        case .deadline(let time): return (tracker.advance(to: time), nil)
        case .cancellation(let reason, let time): return (tracker.cancelAll(reason, at: time), nil)
        }
    }

    /// Runs the last stages after the engine has run without a frame.
    mutating func finishEngine(at time: Timestamp, _ sink: Sink) {
        if sharing.isActive {
            sharing.share(at: time, isReported: false, tracker, engine, notesLate: interest.touches)
        }
        sendEvents(sink)
    }

    /// Sends, counts and removes the engine's events.
    mutating func sendEvents(_ sink: Sink) {
        if transitionLog != nil { logTransitions() }
        guard !events.isEmpty else { return }
        for event in events {
            let isWanted = interest.includes(event)
            if isWanted { send(event, sink) }
            // Failures count without a client that wants them, updates do not.
            if isWanted || event.phase == nil { counters.count(event, setup.regions) }
        }
        events.removeAll(keepingCapacity: true)
    }

    // MARK: Other causes

    /// Sets the kernel's slots after events were lost.
    package mutating func resynchronize(_ table: SlotTable, at time: Timestamp, _ sink: Sink) {
        counters.resynchronizations &+= 1
        advanceTracker(to: time, sink)
        if interest.frames {
            lines.rawFrame.removeAll()
            for event in table.events(at: time) { lines.rawFrame.append(event) }
            sendRawFrame(at: time, mark: .resync, sink)
        }
        frame(of: .table(table, time), sink)
    }

    /// Cancels all gestures. Contacts that stay down are ignored until they lift.
    package mutating func cancelAll(_ reason: CancelReason, at time: Timestamp, _ sink: Sink) {
        advanceTracker(to: time, sink)
        frame(of: .cancellation(reason, time), sink)
    }

    /// Cancels all gestures, drops pending ones, and lifts the contacts of an application.
    /// - Parameter mark: the mark of the raw frame that shows this in recordings; `nil` for no frame.
    mutating func interrupt(
        _ reason: CancelReason, _ mark: RawFrame.Mark? = nil, at time: Timestamp, _ sink: Sink
    ) {
        if interest.frames, let mark {
            lines.rawFrame.removeAll()
            sendRawFrame(at: time, mark: mark, sink)
        }
        advanceTracker(to: time, sink)
        liftShared(at: time)
        engine.interrupt(reason, at: time, into: &events)
        finishEngine(at: time, sink)
        cancelAll(reason, at: time, sink)
    }

    // MARK: Time

    /// Fires deadlines up to `time`.
    package mutating func advance(to time: Timestamp, _ sink: Sink) {
        // Deadlines fire one by one, because the application's events have the time of the deadline that caused them.
        while sharing.isActive, let deadline = nextDeadline, deadline < time {
            fire(deadline, sink)
            if let next = nextDeadline, next <= deadline { break }
        }
        fire(time, sink)
    }

    private mutating func fire(_ time: Timestamp, _ sink: Sink) {
        let counts = sharing.counts
        if tracker.nextLook <= time { tracker.lookAtDisplay(at: time) }
        advanceTracker(to: time, sink)
        advanceIdle(to: time, sink)
        advanceEngine(to: time, sink)
        // The deadline has changed the receiver of a contact.
        if interest.touches, sharing.counts != counts { sendTouches(at: time, sink) }
    }

    mutating func advanceTracker(to time: Timestamp, _ sink: Sink) {
        while let deadline = tracker.nextDeadline, deadline <= time { frame(of: .deadline(deadline), sink) }
    }

    private mutating func advanceEngine(to time: Timestamp, _ sink: Sink) {
        engine.advance(to: time, into: &events)
        finishEngine(at: time, sink)
    }

    /// Begins idle times that are due. Before each of them, fires the engine's deadlines up to that time, so that a
    /// late wake-up does not change the order of lines.
    private mutating func advanceIdle(to time: Timestamp, _ sink: Sink) {
        while let deadline = idleTimes.nextDeadline, deadline <= time {
            advanceEngine(to: deadline, sink)
            idleTimes.advance(to: deadline)
            sendIdleChanges(sink)
        }
    }

    /// Ends idle times because a contact has woken the display. Gestures do not receive the contact.
    private mutating func followWake(at time: Timestamp, _ sink: Sink) {
        advanceIdle(to: time, sink)
        if idleTimes.hasRules { advanceEngine(to: time, sink) }
        idleTimes.wake(at: time)
    }

    /// Begins and ends idle times according to the frame that the tracker has completed.
    private mutating func followTouch(_ sink: Sink) {
        let time = tracker.frame.time
        advanceIdle(to: time, sink)
        guard idleTimes.isChanged(by: tracker.contactCount) else { return }
        if idleTimes.hasRules { advanceEngine(to: time, sink) }
        idleTimes.toggle(at: time)
    }
}
