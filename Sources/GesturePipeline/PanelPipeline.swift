// SPDX-License-Identifier: MIT
package import ContactTracking
package import GestureEngine
package import GestureProtocol
import TouchSharing

/// One panel from kernel events to lines: tracking, recognition, encoding.
///
/// The daemon feeds it the events that it reads, a replay those that were recorded; the lines are the same. It has no
/// clock: time comes with events and calls.
package struct PanelPipeline: ~Copyable {
    /// Receives each line. It must copy what it keeps.
    package typealias Sink = (borrowing EventLine) -> Void

    package internal(set) var setup: PanelSetup
    package var interest = LineInterest(updates: true) {
        didSet {
            engine.reportsUpdates = interest.updates
            reportFailures()
        }
    }
    /// Counts what is recognized, together with other panels; `nil`: nothing is counted.
    package var tallies: RegionTallies? {
        didSet { reportFailures() }
    }
    /// Counts where contacts land; `nil`: no client has asked for it.
    package var touchMap: TouchMap?
    /// By region and gesture: those of recognized gestures that have been used.
    var counters: [[RegionTallies.Counter?]] = []
    /// Takes a line for each step of a gesture's machine, such as
    /// `panel: region list, contact 3: tap: possible → failed, moved 5.4 mm > 3 mm`; `nil`: none are made.
    package var transitionLog: ((String) -> Void)? {
        didSet { engine.recordsTransitions = transitionLog != nil }
    }
    /// Follows whether the panel is touched, together with other panels; `nil`: no idle times are followed.
    package var idle: IdleWatch?
    private var isTouched = false
    /// What the frame that is being recognized has ended.
    var idleChanges: [IdleWatch.Change] = []
    package internal(set) var counts = Sides<LineCounts>()
    package private(set) var resynchronizationCount: Int64 = 0

    package internal(set) var tracker: SlotTracker
    var engine: GestureEngine
    var encoder: GestureEncoder
    var numbers: GestureNumbers
    var line = EventLine()
    var events: [GestureEvent] = []
    var rawFrame = RawFrame()
    /// Whether contacts are given to an application. Kept apart, because it is asked at each event.
    package internal(set) var isShared = false
    /// Of use while `isShared`.
    var sharing = TouchSharing()
    /// Of former times of sharing.
    var pastShareCounts = Sides<ShareCounts>()
    var contacts: [PanelContact] = []
    var filtered: [FilteredContact] = []
    /// Distinguishes its `touches` lines from those of all other panels, also of those that are gone.
    package let panel: Int
    package let identifiers: Identifiers

    /// - Parameter identifiers: number its contacts, sequences and gestures, and those of the other panels.
    package init(_ setup: PanelSetup, identifiers: Identifiers = Identifiers()) {
        self.setup = setup
        self.identifiers = identifiers
        panel = identifiers.takePanel()
        tracker = SlotTracker(
            setup.description, protocol: setup.touchProtocol, mapping: setup.mapping, filter: setup.filter,
            identifiers: identifiers)
        engine = GestureEngine(
            setup.regions, arbitration: setup.arbitration, bounds: setup.size.bounds, identifiers: identifiers)
        tracker.isPrivate = engine.isPrivate
        encoder = GestureEncoder(setup.regions, size: setup.size, device: setup.device)
        numbers = GestureNumbers(identifiers)
        events.reserveCapacity(64)
    }

    // MARK: Input

    /// The slot table when the device was opened. Contacts that are down are ignored until they lift.
    package mutating func setInitial(_ table: SlotTable) { tracker.setInitial(table) }

    /// Takes all events of one read.
    package mutating func feed(_ events: ArraySlice<KernelEvent>, _ sink: Sink) {
        var place = events.startIndex
        while place < events.endIndex {
            let end = tracker.takeAxes(events, from: place)
            if end > place {
                if isShared { sharing.take(axes: events[place..<end]) }
                if interest.frames { rawFrame.append(events[place..<end]) }
            }
            if end < events.endIndex { feed(events[end], sink) }
            place = end + 1
        }
    }

    /// Takes one kernel event. A `SYN_REPORT` completes a frame and makes its lines.
    package mutating func feed(_ event: KernelEvent, _ sink: Sink) {
        // A time limit comes before what happened after it.
        if let deadline = tracker.nextDeadline, deadline <= event.time { advanceTracker(to: event.time, sink) }
        // So does what a gesture takes from an application at a deadline.
        if isShared, event.endsFrame, let deadline = nextDeadline, deadline <= event.time {
            advance(to: event.time, sink)
        }
        let isComplete = tracker.feed(event)
        if isShared { sharing.take(event) }
        if isComplete {
            recognize(sink, isReported: true)
        } else if event.endsFrame {
            share(at: event.time, isReported: event.value != 1)
        }
        if interest.frames {
            rawFrame.append(event)
            if endsRawFrame(event) { sendRawFrame(at: event.time, sink) }
        }
        if isComplete {
            sendFrame(sink)
        } else if interest.touches, event.endsFrame, tracker.hasFilteredChange {
            // The engine does not see these contacts, but `touches` and `explain` tell them.
            sendTouches(sink)
        }
    }

    /// With slots every `EV_SYN` ends a raw frame. Without, `SYN_MT_REPORT` ends one contact of the frame only.
    private func endsRawFrame(_ event: KernelEvent) -> Bool {
        event.endsFrame || (event.type == EventCode.evSyn && setup.touchProtocol != .unslotted)
    }

    /// Takes the kernel's slot table after events were lost.
    package mutating func resynchronize(_ table: SlotTable, at time: Timestamp, _ sink: Sink) {
        resynchronizationCount &+= 1
        advanceTracker(to: time, sink)
        if interest.frames {
            rawFrame.removeAll()
            for event in table.events(at: time) { rawFrame.append(event) }
            sendRawFrame(at: time, mark: .resync, sink)
        }
        let isChanged = tracker.resynchronize(table, at: time)
        // As the tracker has understood it.
        if isShared { sharing.take(tracker.table) }
        if isChanged {
            processFrame(sink, isReported: true)
        } else {
            share(at: time, isReported: true)
        }
    }

    /// Fires deadlines up to `time`.
    package mutating func advance(to time: Timestamp, _ sink: Sink) {
        // What an application gets has the time of the deadline.
        while isShared, let deadline = nextDeadline, deadline < time {
            fire(deadline, sink)
            if let next = nextDeadline, next <= deadline { break }
        }
        fire(time, sink)
    }

    private mutating func fire(_ time: Timestamp, _ sink: Sink) {
        let counts = sharing.counts
        advanceTracker(to: time, sink)
        advanceIdle(to: time, sink)
        advanceEngine(to: time, sink)
        // A deadline has changed who gets a contact.
        if interest.touches, sharing.counts != counts { sendTouches(at: time, sink) }
    }

    /// Cancels everything under way. Contacts that stay down are ignored until they lift.
    package mutating func cancelAll(_ reason: CancelReason, at time: Timestamp, _ sink: Sink) {
        advanceTracker(to: time, sink)
        if tracker.cancelAll(reason, at: time) { processFrame(sink) }
    }

    /// Cancels everything because the machine was suspended and what happened since `time` is not known, and drops what
    /// waits, such as a tap that may become a double tap. Contacts that stay down are ignored until they lift.
    package mutating func suspend(at time: Timestamp, _ sink: Sink) {
        interrupt(.suspend, .suspended, at: time, sink)
    }

    /// The same because the device is gone: nothing comes after it.
    package mutating func remove(at time: Timestamp, _ sink: Sink) {
        interrupt(.deviceRemoved, .removed, at: time, sink)
    }

    private mutating func interrupt(
        _ reason: CancelReason, _ mark: RawFrame.Mark, at time: Timestamp, _ sink: Sink
    ) {
        if interest.frames {
            rawFrame.removeAll()
            sendRawFrame(at: time, mark: mark, sink)
        }
        advanceTracker(to: time, sink)
        liftShared(at: time)
        engine.interrupt(reason, at: time, into: &events)
        finishEngine(at: time, sink)
        if tracker.cancelAll(reason, at: time) { processFrame(sink) }
    }

    // MARK: Time and frames

    mutating func advanceTracker(to time: Timestamp, _ sink: Sink) {
        while tracker.nextDeadline != nil, tracker.advance(to: time) { processFrame(sink) }
    }

    private mutating func advanceEngine(to time: Timestamp, _ sink: Sink) {
        engine.advance(to: time, into: &events)
        finishEngine(at: time, sink)
    }

    /// Shares what the engine has decided without a frame, and sends its events.
    mutating func finishEngine(at time: Timestamp, _ sink: Sink) {
        share(at: time)
        sendEvents(sink)
    }

    /// Begins idle times that are due, and before each of them what gestures waited for until then: late wake-ups do not
    /// change the order of lines.
    private mutating func advanceIdle(to time: Timestamp, _ sink: Sink) {
        guard let idle else { return }
        while let deadline = idle.nextDeadline, deadline <= time {
            advanceEngine(to: deadline, sink)
            idleChanges += idle.advance(to: deadline)
            sendIdleChanges(sink)
        }
    }

    private mutating func processFrame(_ sink: Sink, isReported: Bool = false) {
        recognize(sink, isReported: isReported)
        sendFrame(sink)
    }

    /// Finds out what a frame means, and gives the application its part. Sends only what comes before it.
    /// - Parameter isReported: the panel has reported it; else a deadline or a client is the reason.
    private mutating func recognize(_ sink: Sink, isReported: Bool) {
        counts[isPrivate: tracker.frame.changes.allSatisfy { $0.id.isPrivate }].frames &+= 1
        let time = tracker.frame.time
        advanceIdle(to: time, sink)
        if let idle, isTouched != (tracker.contactCount > 0) {
            isTouched.toggle()
            if idle.hasRules { advanceEngine(to: time, sink) }
            idleChanges += idle.setTouched(isTouched, at: time)
        }
        engine.process(tracker.frame, into: &events)
        share(at: time, isReported: isReported)
    }

    /// Sends the lines of the frame that was recognized.
    private mutating func sendFrame(_ sink: Sink) {
        if !idleChanges.isEmpty { sendIdleChanges(sink) }
        sendEvents(sink)
        if touchMap != nil { countLandings() }
        if interest.touches { sendTouches(sink) }
    }
}
