// SPDX-License-Identifier: MIT
package import ContactTracking
package import GestureEngine

/// Decides, after the engine has handled a frame, which contacts of a panel the application receives, and builds the
/// application's frames.
package struct TouchSharing {
    /// Whether contacts are passed to an application. If not, only `counts` is meaningful.
    package let isActive: Bool
    /// The counts of contacts, added up over all periods of sharing.
    package internal(set) var counts: Sides<ShareCounts>
    /// Contacts that, since the last `touches` line, were passed to the application only after they had lifted.
    package var givenLate: [ContactID] = []
    /// The contacts that gestures have taken in the current frame.
    package let claims = ClaimLog()
    /// The filter for contacts that land from now on.
    package var filter = ApplicationFilter()
    @usableFromInline var frames: TwinFrames
    /// The last lifts, also without `filter.minGap`, which may be set before the next landing.
    var lifts = LiftLog()
    /// Writes events for the application.
    private let write: ([KernelEvent]) -> Void
    /// Held contacts, in the order in which they landed.
    var holds: [ContactHold] = []
    /// Whether events were lost, so that the slots are unknown and the rest of the frame is ignored.
    private var isDiscarding = false

    /// Creates an inactive instance.
    /// - Parameter counts: the counts of earlier periods.
    package init(since counts: Sides<ShareCounts> = Sides()) {
        isActive = false
        self.counts = counts
        frames = TwinFrames(DeviceDescription(), .singleTouch, cancel: .lift)
        write = { _ in }
    }

    /// Shares the contacts that land from now on.
    /// - Parameters:
    ///   - panel: the panel's description.
    ///   - tracker: the panel's contacts. Contacts that are already down are not shared.
    ///   - counts: the counts of earlier periods.
    ///   - write: writes events for the application. They are passed to it in complete frames.
    package init(
        _ panel: DeviceDescription, _ touchProtocol: TouchProtocol, cancel: TouchCancel, filter: ApplicationFilter,
        _ tracker: borrowing SlotTracker, since counts: Sides<ShareCounts>, write: @escaping ([KernelEvent]) -> Void
    ) {
        isActive = true
        self.counts = counts
        self.filter = filter
        frames = TwinFrames(panel.twin(of: "", touchProtocol, cancel: cancel), touchProtocol, cancel: cancel)
        frames.take(tracker.table)
        frames.liftAll(at: tracker.frame.time)
        self.write = write
    }

    /// The time at which `share` must next be called; `nil` while nothing is pending.
    @inlinable  // A call from another module would copy the whole value.
    package var nextDeadline: Timestamp? { frames.nextDeadline }

    /// Returns the receiver of a contact that is down.
    package func fate(of contact: ContactID) -> TouchFate { frames.fate(of: contact) }

    /// Returns the receiver of the contact in a slot.
    package func fate(ofSlot slot: Int) -> TouchFate { frames.fate(of: slot) }

    /// Returns the receiver of a contact that is down; `nil` while the panel is not shared.
    /// - Parameter owner: the region that owns the contact; `nil` if there is none.
    package func receiver(of contact: ContactID, owner: RegionIndex?) -> TouchReceiver? {
        guard isActive else { return nil }
        let fate = frames.fate(of: contact)
        let isForwarded = fate == .forwarded
        return TouchReceiver(word: !isForwarded ? "gestured" : owner == nil ? "app" : "both", kept: fate.rule?.rawValue)
    }

    /// Returns the receiver of a contact that a filter hides from gestures; `nil` while the panel is not shared.
    package func receiver(ofSlot slot: Int) -> TouchReceiver? {
        guard isActive else { return nil }
        let fate = frames.fate(of: slot)
        return TouchReceiver(word: fate == .forwarded ? "app" : "nobody", kept: fate.rule?.rawValue)
    }

    // MARK: Input from the panel

    /// Handles an event of the panel.
    package mutating func take(_ event: KernelEvent) {
        if event.type != EventCode.evSyn {
            if !isDiscarding { frames.take(event) }
        } else if event.code == EventCode.synDropped {
            liftAll(at: event.time)
            isDiscarding = true
        }
    }

    /// Handles axis events of the panel.
    package mutating func take(axes events: ArraySlice<KernelEvent>) {
        if !isDiscarding { frames.takeAxes(events) }
    }

    /// Sets the slots after events were lost.
    package mutating func take(_ table: SlotTable) { frames.take(table) }

    /// Sets the values, by slot, of an axis that slot tables do not contain. The values are passed on with the next
    /// frame.
    package mutating func set(_ code: UInt16, _ values: some Sequence<Int32>) {
        for (slot, value) in values.enumerated() { frames.set(code, value, of: slot) }
    }

    // MARK: Output to the application

    /// Lifts all contacts of the application.
    package mutating func liftAll(at time: Timestamp) {
        holds.removeAll()
        lifts.removeAll()
        frames.liftAll(at: time)
        writeFrames()
    }

    private mutating func writeFrames() {
        guard !frames.events.isEmpty else { return }
        write(frames.events)
        frames.removeEvents()
    }

    /// Builds and writes the application's frame. Call this after the engine has handled the panel's frame.
    /// - Parameters:
    ///   - isReported: `true` for a frame from the panel; `false` for a frame caused by a deadline or a client.
    ///   - notesLate: whether to record `givenLate`.
    package mutating func share(
        at time: Timestamp, isReported: Bool, _ tracker: borrowing SlotTracker, _ engine: borrowing GestureEngine,
        notesLate: Bool
    ) {
        frames.advance(to: time)
        if frames.expired != 0 { countExpired() }
        (frames.maxHold, frames.holdSlop) = (filter.maxHold, filter.holdSlop)
        if isReported, frames.model.isUnslotted {
            for slot in tracker.slotNumbers { frames.set(tracker.state(of: slot), of: slot) }
        }
        let isComplete = isReported && !isDiscarding
        if isReported { isDiscarding = false }
        frames.begin(at: time, isComplete: isComplete)
        if tracker.hasExchange { frames.rename(tracker) }
        if filter.bridge { frames.waitForEnded(tracker) }
        if frames.filtered != 0 { hideFiltered(tracker) }
        if frames.frame.ended != 0 { recordLifts(tracker) }
        let hasClaims = !claims.isEmpty
        if hasClaims { for contact in claims.consumed { consume(contact) } }
        if !holds.isEmpty { decideHolds(tracker, engine, notesLate: notesLate) }
        if filter.bridge || !frames.former.isEmpty { frames.continueWaiting(tracker) }
        if frames.frame.landed != 0 { shareLandings(tracker, engine) }
        if frames.resting != 0, isComplete { frames.followRests(tracker.mapping) }
        frames.finish()
        if !frames.former.isEmpty { frames.former.removeAll { !tracker.isHeld($0.contact) } }
        writeFrames()
        if hasClaims { claims.removeAll() }
    }

    private mutating func consume(_ contact: ContactID) {
        if frames.keep(contact) { counts[isPrivate: contact.isPrivate].cancelled &+= 1 }
        holds.removeAll { $0.id == contact }
    }

    /// Decides about held contacts in the order in which they landed.
    private mutating func decideHolds(
        _ tracker: borrowing SlotTracker, _ engine: borrowing GestureEngine, notesLate: Bool
    ) {
        var undecided: [ContactHold] = []
        for var hold in holds {
            switch engine.verdict(on: &hold) {
            case .undecided: undecided.append(hold)
            case .recognized: frames.keep(hold.id)
            case .failed:
                guard makesRoom(isPrivate: hold.id.isPrivate, isHeld: true) else {
                    frames.keep(hold.id, as: .hidden(by: .maxContacts))
                    counts[isPrivate: hold.id.isPrivate].hide(by: .maxContacts)
                    continue
                }
                guard frames.give(hold.id) else { continue }
                counts[isPrivate: hold.id.isPrivate].forwarded &+= 1
                if let slot = frames.slot(of: hold.id) {
                    frames.followRest(of: slot, tracker.mapping)
                }
                // A contact that has an owner is not recorded: it is still down, so `touches` shows its receiver
                // anyway.
                if notesLate, engine.owner(of: hold.id) == nil { givenLate.append(hold.id) }
            }
        }
        holds = undecided
    }

    private mutating func shareLandings(_ tracker: borrowing SlotTracker, _ engine: borrowing GestureEngine) {
        var rest = frames.frame.landed
        while rest != 0 {
            let slot = frames.first(of: rest)
            rest &= ~(1 << UInt64(slot))
            let contact = tracker.contact(in: slot)
            let isPrivate = contact?.isPrivate ?? tracker.isPrivate(slot)
            let fate = fate(ofLandingIn: slot, contact, isPrivate: isPrivate, tracker, engine)
            frames.land(slot, contact, fate, isPrivate: isPrivate)
            frames.setFiltered(slot, filter.filter)
        }
    }

    /// Decides who receives a contact that has landed, and counts it.
    /// - Parameter contact: the contact; `nil` if a filter hides it from gestures. The application receives such a
    ///   contact, unless a region captures it, the display is off, or the application's filter hides it too.
    private mutating func fate(
        ofLandingIn slot: Int, _ contact: ContactID?, isPrivate: Bool, _ tracker: borrowing SlotTracker,
        _ engine: borrowing GestureEngine
    ) -> TouchFate {
        if let contact, let former = frames.takeFormerFate(of: contact) {
            // The panel had lost the contact for a moment. It continues as before.
            guard former == .forwarded, let rule = rule(hiding: slot, isPrivate: isPrivate, tracker) else {
                return former
            }
            counts[isPrivate: isPrivate].hide(by: rule)
            return .hidden(by: rule)
        }
        let touches = contact.map { engine.touches(of: $0) } ?? engine.touches(at: tracker.position(of: slot))
        // The filter that hides the contact from gestures counts it.
        if tracker.isDark(slot) { return .kept }
        if touches == .capture || contact.map({ claims.consumed.contains($0) }) == true {
            counts[isPrivate: isPrivate].captured &+= 1
            return .kept
        }
        if let rule = rule(hiding: slot, isPrivate: isPrivate, tracker) {
            counts[isPrivate: isPrivate].hide(by: rule)
            return .hidden(by: rule)
        }
        guard touches == .hold, let contact else {
            counts[isPrivate: isPrivate].forwarded &+= 1
            return .forwarded
        }
        return hold(contact, isPrivate: isPrivate, engine)
    }

    private mutating func hold(
        _ contact: ContactID, isPrivate: Bool, _ engine: borrowing GestureEngine
    ) -> TouchFate {
        var hold = engine.hold(contact)
        let verdict = engine.verdict(on: &hold)
        guard verdict != .failed else {
            counts[isPrivate: isPrivate].forwarded &+= 1
            return .forwarded
        }
        counts[isPrivate: isPrivate].held &+= 1
        guard verdict == .undecided else { return .kept }
        holds.append(hold)
        return .held
    }
}
