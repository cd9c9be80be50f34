// SPDX-License-Identifier: MIT
package import ContactTracking
package import GestureEngine
package import TouchSharing

/// What there is to know of a panel, and what was counted.
extension PanelPipeline {
    /// When `advance(to:)` must next be called, or `nil` while nothing is pending.
    @inline(__always) package var nextDeadline: Timestamp? {
        var next = tracker.nextDeadline ?? .never
        if let deadline = engine.nextDeadline, deadline < next { next = deadline }
        if let deadline = idleTimes.nextDeadline, deadline < next { next = deadline }
        if let deadline = sharing.nextDeadline, deadline < next { next = deadline }
        return next < .never ? next : nil
    }

    /// Follows whether the panel is touched, together with other panels; `nil`: no idle times are followed.
    package var idle: IdleWatch? {
        get { idleTimes.watch }
        set { idleTimes.watch = newValue }
    }

    // MARK: Counters

    /// Counts what is recognized, together with other panels; `nil`: nothing is counted.
    package var tallies: RegionTallies? {
        get { counters.tallies }
        set {
            counters.tallies = newValue
            reportFailures()
        }
    }

    /// Counts where contacts land; `nil`: no client has asked for it.
    package var touchMap: TouchMap? {
        get { counters.touchMap }
        set { counters.touchMap = newValue }
    }

    package var counts: Sides<LineCounts> { counters.lines }

    package var resynchronizationCount: Int64 { counters.resynchronizations }

    /// The contacts so far.
    package var contactCounts: Sides<ContactCounts> { tracker.counts }

    // MARK: Lines

    /// Distinguishes the panel's `touches` lines from those of all other panels, also of those that are gone.
    package var panel: Int { lines.panel }

    /// The server's number of this panel's first gesture.
    package var subjectBase: Int {
        get { lines.encoder.subjectBase }
        set { lines.encoder.subjectBase = newValue }
    }

    /// The gestures of this panel, by their number less `subjectBase`.
    package var subjectIndex: SubjectIndex { lines.encoder.subjectIndex }

    /// The server's number of the panel as a whole.
    package var panelSubject: Int { lines.encoder.panelSubject }

    // MARK: Contacts and gestures

    /// How many contacts are down.
    /// - Parameter seesPrivate: otherwise those in private regions are not counted.
    package func contactCount(seesPrivate: Bool) -> Int {
        let contacts = tracker.contacts
        return seesPrivate ? contacts.count : contacts.count { !$0.id.isPrivate }
    }

    /// The region that owns a contact.
    package func owner(of contact: ContactID) -> Int? { engine.owner(of: contact) }

    /// Whether no contact is down and no deadline pending, so that a recording that begins now is complete.
    package var isIdle: Bool { engine.isIdle && tracker.contactCount == 0 }

    /// Calls `body` with each continuous gesture that has begun and not ended.
    /// - Parameter seesPrivate: whether those in private regions count.
    package func forEachActive(
        seesPrivate: Bool, _ body: (_ region: Int, _ gesture: GestureIndex, _ sequence: SequenceID) -> Void
    ) {
        engine.forEachActive { region, gesture, sequence in
            if setup.regions[region].isVisible(seesPrivate: seesPrivate) { body(region, gesture, sequence) }
        }
    }

    /// The way of a contact that lands at `point`.
    /// - Parameter seesPrivate: otherwise as if there were no private regions.
    package func route(at point: Point, seesPrivate: Bool) -> Route {
        engine.route(at: point, seesPrivate: seesPrivate)
    }
}

/// Sharing a panel with an application.
extension PanelPipeline {
    /// Whether contacts are given to an application.
    package var isShared: Bool { sharing.isActive }

    /// The contacts of all times of sharing.
    package var shareCounts: Sides<ShareCounts> { sharing.counts }

    /// Where a contact goes that is down.
    package func fate(of contact: ContactID) -> TouchFate { sharing.fate(of: contact) }

    /// Where the contact in a slot goes.
    package func fate(ofSlot slot: Int) -> TouchFate { sharing.fate(ofSlot: slot) }

    /// Gives contacts that land from now on to an application, as the regions allow.
    /// - Parameter write: receives what the application gets, in whole frames: when the engine has decided, and before any
    ///   line is made of that. It must not use the pipeline.
    package mutating func startSharing(_ write: @escaping ([KernelEvent]) -> Void) {
        guard !isShared else { return }
        sharing = TouchSharing(
            setup.description, setup.touchProtocol, cancel: setup.cancel, tracker, since: sharing.counts, write: write)
        engine.noteClaims(in: sharing.claims)
    }

    /// Lifts what the application has. `endSharing()` may follow.
    package mutating func liftShared(at time: Timestamp) {
        if isShared { sharing.liftAll(at: time) }
    }

    /// Forgets what the application has.
    package mutating func endSharing() {
        guard isShared else { return }
        sharing = TouchSharing(since: sharing.counts)
        engine.noteClaims(in: nil)
    }

    /// Takes what the kernel says of an axis that slot tables do not hold, by slot. It is given with the next frame.
    package mutating func setTwinAxis(_ code: UInt16, _ values: some Sequence<Int32>) {
        if isShared { sharing.set(code, values) }
    }
}
