// SPDX-License-Identifier: MIT
package import ContactTracking
package import GestureEngine
package import TouchSharing

/// The state of a panel and its counters.
extension PanelPipeline {
    /// The time at which `advance(to:)` must next be called; `nil` while nothing is pending.
    @inline(__always) package var nextDeadline: Timestamp? {
        var next = tracker.nextDeadline ?? .never
        if let deadline = engine.nextDeadline, deadline < next { next = deadline }
        if let deadline = idleTimes.nextDeadline, deadline < next { next = deadline }
        if let deadline = sharing.nextDeadline, deadline < next { next = deadline }
        if tracker.nextLook < next { next = tracker.nextLook }
        return next < .never ? next : nil
    }

    /// Measures idle times of all panels; `nil` disables this.
    package var idle: IdleWatch? {
        get { idleTimes.watch }
        set { idleTimes.watch = newValue }
    }

    // MARK: Interruptions

    /// Handles a suspend of the machine. Events since `time` are unknown, so all gestures are cancelled and pending
    /// ones, such as a tap that may become a double tap, are dropped. Contacts that stay down are ignored until they
    /// lift.
    package mutating func suspend(at time: Timestamp, _ sink: Sink) {
        interrupt(.suspend, .suspended, at: time, sink)
    }

    /// Handles the removal of the device like `suspend`. No event may follow.
    package mutating func remove(at time: Timestamp, _ sink: Sink) {
        interrupt(.deviceRemoved, .removed, at: time, sink)
    }

    // MARK: Counters

    /// Counts recognized gestures of all panels; `nil` disables this.
    package var tallies: RegionTallies? {
        get { counters.tallies }
        set {
            counters.tallies = newValue
            reportFailures()
        }
    }

    /// Counts the positions of landings; `nil` if no client has requested it.
    package var touchMap: TouchMap? {
        get { counters.touchMap }
        set { counters.touchMap = newValue }
    }

    /// The numbers of frames and lines so far.
    package var counts: Sides<LineCounts> { counters.lines }

    /// The number of resynchronizations so far.
    package var resynchronizationCount: Int64 { counters.resynchronizations }

    /// The numbers of contacts so far.
    package var contactCounts: Sides<ContactCounts> { tracker.counts }

    // MARK: Lines

    /// Identifies the panel's `touches` lines among those of all panels, including removed ones.
    package var panel: Int { lines.panel }

    /// The server's number of this panel's first gesture.
    package var subjectBase: Int {
        get { lines.encoder.subjectBase }
        set { lines.encoder.subjectBase = newValue }
    }

    /// Looks up the gestures of this panel by number, relative to `subjectBase`.
    package var subjectIndex: SubjectIndex { lines.encoder.subjectIndex }

    /// The server's number of the panel as a whole.
    package var panelSubject: Int { lines.encoder.panelSubject }

    // MARK: Contacts and gestures

    /// The number of contacts that are down.
    /// - Parameter seesPrivate: `false` excludes contacts in private regions.
    package func contactCount(seesPrivate: Bool) -> Int {
        let contacts = tracker.contacts
        return seesPrivate ? contacts.count : contacts.count { !$0.id.isPrivate }
    }

    /// The index of the region that owns a contact; `nil` if none does.
    package func owner(of contact: ContactID) -> RegionIndex? { engine.owner(of: contact) }

    /// Whether no contact is down and no deadline is pending, so that a recording that begins now is complete.
    package var isIdle: Bool { engine.isIdle && tracker.contactCount == 0 }

    /// Calls `body` with each continuous gesture that has begun and not ended.
    /// - Parameter seesPrivate: `false` excludes gestures of private regions.
    package func forEachActive(
        seesPrivate: Bool, _ body: (_ region: RegionIndex, _ gesture: GestureIndex, _ sequence: SequenceID) -> Void
    ) {
        engine.forEachActive { region, gesture, sequence in
            if setup.regions[region].isVisible(seesPrivate: seesPrivate) { body(region, gesture, sequence) }
        }
    }

    /// The regions that would receive a contact landing at `point`.
    /// - Parameter seesPrivate: `false` computes the route as if there were no private regions.
    package func route(at point: Point, seesPrivate: Bool) -> Route {
        engine.route(at: point, seesPrivate: seesPrivate)
    }
}

/// Touches that wake the display.
extension PanelPipeline {
    /// Starts to keep contacts from gestures and applications while the display is off, if `setup.wake` asks for it.
    /// - Parameters:
    ///   - reason: returns why the display is off; `nil` if it is on. Called when a contact lands, and each second after
    ///   a wake until the display has come on. None of these functions may use the pipeline.
    ///   - wakes: switches the display on, at the time of a wake.
    ///   - report: called when the display should have come on by now, and with `nil` when it has been on since then.
    package mutating func guardWake(
        reason: @escaping () -> WakeGuard.Reason?, wakes: @escaping (Timestamp) -> Void = { _ in },
        report: @escaping (WakeGuard.Darkness?) -> Void = { _ in }
    ) {
        tracker.wake = setup.wake.map { WakeGuard($0, reason: reason, wakes: wakes, report: report) }
    }

    /// Whether contacts that wake the display are kept from gestures.
    package var hasWakeGuard: Bool { tracker.wake != nil }

    /// The period in which the display is said to be off although it should have come on; `nil` if there is none.
    package var longDarkness: WakeGuard.Darkness? {
        guard let darkness = tracker.wake?.darkness, darkness.isLong else { return nil }
        return darkness
    }

    /// Looks whether the display has come on since the last wake. Call this now and then.
    package mutating func lookAtDisplay(at time: Timestamp) { tracker.lookAtDisplay(at: time) }
}

/// Sharing of a panel with an application.
extension PanelPipeline {
    /// Whether contacts are passed to an application.
    package var isShared: Bool { sharing.isActive }

    /// The numbers of contacts in all periods of sharing.
    package var shareCounts: Sides<ShareCounts> { sharing.counts }

    /// The receiver of a contact that is down.
    package func fate(of contact: ContactID) -> TouchFate { sharing.fate(of: contact) }

    /// The receiver of the contact in a slot.
    package func fate(ofSlot slot: Int) -> TouchFate { sharing.fate(ofSlot: slot) }

    /// Starts to pass contacts that land from now on to an application, as the regions allow.
    /// - Parameter write: receives the application's events in whole frames, after the engine has decided and before
    ///   any line is made. It must not use the pipeline.
    package mutating func startSharing(_ write: @escaping ([KernelEvent]) -> Void) {
        guard !isShared else { return }
        sharing = TouchSharing(
            setup.description, setup.touchProtocol, cancel: setup.cancel, filter: setup.application, tracker,
            since: sharing.counts, write: write)
        engine.noteClaims(in: sharing.claims)
    }

    /// Lifts the contacts of the application. `endSharing()` may follow.
    package mutating func liftShared(at time: Timestamp) {
        if isShared { sharing.liftAll(at: time) }
    }

    /// Stops sharing, without lifting contacts.
    package mutating func endSharing() {
        guard isShared else { return }
        sharing = TouchSharing(since: sharing.counts)
        engine.noteClaims(in: nil)
    }

    /// Sets, for each slot, the value of an axis that slot tables do not contain. The values are passed on with the
    /// next frame.
    package mutating func setTwinAxis(_ code: UInt16, _ values: some Sequence<Int32>) {
        if isShared { sharing.set(code, values) }
    }
}
