// SPDX-License-Identifier: MIT
package import ContactTracking
package import GestureEngine
package import GestureProtocol

/// Decides, after the engine has handled a frame, which contacts of a panel the application receives, and builds the
/// application's frames.
package struct TouchSharing {
    /// Whether contacts are passed to an application. If not, only `counts` is meaningful.
    package let isActive: Bool
    /// The counts of contacts, added up over all periods of sharing.
    package private(set) var counts: Sides<ShareCounts>
    /// Contacts that, since the last `touches` line, were passed to the application only after they had lifted.
    package var givenLate: [ContactID] = []
    /// The contacts that gestures have taken in the current frame.
    package let claims = ClaimLog()
    private var frames: TwinFrames
    /// Writes events for the application.
    private let write: ([KernelEvent]) -> Void
    /// Held contacts, in the order in which they landed.
    private var holds: [ContactHold] = []
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
        _ panel: DeviceDescription, _ touchProtocol: TouchProtocol, cancel: TouchCancel,
        _ tracker: borrowing SlotTracker, since counts: Sides<ShareCounts>, write: @escaping ([KernelEvent]) -> Void
    ) {
        isActive = true
        self.counts = counts
        frames = TwinFrames(panel.twin(of: "", touchProtocol, cancel: cancel), touchProtocol, cancel: cancel)
        frames.take(tracker.table)
        frames.liftAll(at: tracker.frame.time)
        self.write = write
    }

    /// The time at which `share` must next be called; `nil` while nothing is pending.
    package var nextDeadline: Timestamp? { frames.nextDeadline }

    /// Returns the receiver of a contact that is down.
    package func fate(of contact: ContactID) -> TouchFate { frames.fate(of: contact) }

    /// Returns the receiver of the contact in a slot.
    package func fate(ofSlot slot: Int) -> TouchFate { frames.fate(of: slot) }

    /// Returns the protocol's word for the receiver of a contact that is down; `nil` while the panel is not shared.
    /// - Parameter owner: the region that owns the contact; `nil` if there is none.
    package func receiver(of contact: ContactID, owner: RegionIndex?) -> String? {
        guard isActive else { return nil }
        return switch frames.fate(of: contact) {
        case .forwarded: owner == nil ? "app" : "both"
        case .none, .held, .kept: "gestured"
        }
    }

    // MARK: Input from the panel

    /// Handles an event of the panel.
    package mutating func take(_ event: KernelEvent) {
        if event.type == EventCode.evSyn, event.code == EventCode.synDropped {
            liftAll(at: event.time)
            isDiscarding = true
        } else if !isDiscarding {
            frames.take(event)
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
        if isReported, frames.model.isUnslotted {
            for slot in tracker.slotNumbers { frames.set(tracker.state(of: slot), of: slot) }
        }
        let isComplete = isReported && !isDiscarding
        if isReported { isDiscarding = false }
        frames.begin(at: time, isComplete: isComplete)
        if tracker.hasExchange { frames.rename(tracker) }
        let hasClaims = !claims.isEmpty
        if hasClaims { for contact in claims.consumed { consume(contact) } }
        if !holds.isEmpty { decideHolds(engine, notesLate: notesLate) }
        shareLandings(tracker, engine)
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
    private mutating func decideHolds(_ engine: borrowing GestureEngine, notesLate: Bool) {
        var undecided: [ContactHold] = []
        for var hold in holds {
            switch engine.verdict(on: &hold) {
            case .undecided: undecided.append(hold)
            case .recognized: frames.keep(hold.id)
            case .failed:
                guard frames.give(hold.id) else { continue }
                counts[isPrivate: hold.id.isPrivate].forwarded &+= 1
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
            let slot = rest.trailingZeroBitCount
            rest &= rest - 1
            let contact = tracker.contact(in: slot)
            let isPrivate = contact?.isPrivate ?? tracker.isPrivate(slot)
            // The panel had lost the contact for a moment. It continues as before.
            if let contact, let fate = frames.takeFormerFate(of: contact) {
                frames.land(slot, contact, fate)
                continue
            }
            let (fate, counter) =
                if let contact { fateOfLanding(contact, engine) } else { Self.fateOfHidden(slot, tracker, engine) }
            counts[isPrivate: isPrivate][keyPath: counter] &+= 1
            frames.land(slot, contact, fate)
        }
    }

    /// The receiver of a contact that has landed, and the counter to increment for it.
    private typealias Landing = (fate: TouchFate, counter: WritableKeyPath<ShareCounts, Int64>)

    /// Returns the receiver of a contact that a filter hides from gestures. This is the application, unless a region
    /// captures the contact or the display is off.
    private static func fateOfHidden(
        _ slot: Int, _ tracker: borrowing SlotTracker, _ engine: borrowing GestureEngine
    ) -> Landing {
        if tracker.isDark(slot) { return (.kept, \.captured) }
        guard tracker.slotNumbers.contains(slot), engine.touches(at: tracker.position(of: slot)) == .capture else {
            return (.forwarded, \.forwarded)
        }
        return (.kept, \.captured)
    }

    private mutating func fateOfLanding(_ contact: ContactID, _ engine: borrowing GestureEngine) -> Landing {
        let touches = engine.touches(of: contact)
        guard touches != .capture, !claims.consumed.contains(contact) else { return (.kept, \.captured) }
        guard touches == .hold else { return (.forwarded, \.forwarded) }
        var hold = engine.hold(contact)
        switch engine.verdict(on: &hold) {
        case .failed: return (.forwarded, \.forwarded)
        case .recognized: return (.kept, \.held)
        case .undecided:
            holds.append(hold)
            return (.held, \.held)
        }
    }
}

/// The counts of contacts on a shared panel. There are separate counts for each of the `Sides`.
package struct ShareCounts: Hashable, Sendable, Summable {
    /// Contacts that were passed to the application, immediately or late.
    package var forwarded: Int64 = 0
    /// Contacts that were never passed to the application, because a region or an active gesture keeps them, or because
    /// the display was off.
    package var captured: Int64 = 0
    /// Contacts that were withheld from the application when they landed.
    package var held: Int64 = 0
    /// Contacts that gestures took from the application.
    package var cancelled: Int64 = 0

    package init() {}

    /// Writes the counts as members.
    package func write(into json: inout JSONWriter) {
        json.member("forwarded", forwarded)
        json.member("captured", captured)
        json.member("held", held)
        json.member("cancelled", cancelled)
    }

    package mutating func add(_ other: Self) {
        forwarded &+= other.forwarded
        captured &+= other.captured
        held &+= other.held
        cancelled &+= other.cancelled
    }
}
