// SPDX-License-Identifier: MIT
package import ContactTracking
package import GestureEngine
package import GestureProtocol

/// What is to be known while a panel is shared with an application.
struct TouchSharing {
    var frames = TwinFrames(DeviceDescription(), .singleTouch, cancel: .lift)
    /// Receives what the application gets.
    var write: ([KernelEvent]) -> Void = { _ in }
    /// Contacts that are held, in the order in which they landed.
    var holds: [ContactHold] = []
    var counts = ShareCounts()
    /// What gestures have taken in the frame that is being made.
    let claims = ClaimLog()
    /// Contacts that the application has got since the last `touches` line, and that had lifted before.
    var givenLate: [ContactID] = []
    /// Events were lost and the slots are unknown: the rest of the frame is ignored.
    var isDiscarding = false

    /// Who gets a contact that is down, as the word on the wire.
    /// - Parameter owner: the region that owns it, if any does.
    func receiver(of contact: ContactID, owner: Int?) -> String {
        switch frames.fate(of: contact) {
        case .forwarded: owner == nil ? "app" : "both"
        case .none, .held, .kept: "gestured"
        }
    }
}

/// Contacts of a shared panel.
package struct ShareCounts: Hashable, Sendable {
    /// Given to the application, at once or late.
    package var forwarded: Int64 = 0
    /// Never given to it: a region or a gesture under way keeps them.
    package var captured: Int64 = 0
    /// Not given to it when they landed.
    package var held: Int64 = 0
    /// Taken from it.
    package var cancelled: Int64 = 0

    package init() {}

    /// Writes them as members.
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

/// Sharing a panel: which of its contacts the application gets, once the engine has seen a frame.
extension PanelPipeline {
    /// Since the sharing began last, and before.
    package var shareCounts: ShareCounts {
        var counts = pastShareCounts
        counts.add(sharing.counts)
        return counts
    }

    /// Where a contact goes that is down.
    package func fate(of contact: ContactID) -> TouchFate { sharing.frames.fate(of: contact) }

    /// Where the contact in a slot goes.
    package func fate(ofSlot slot: Int) -> TouchFate { sharing.frames.fate(of: slot) }

    /// Gives contacts that land from now on to an application, as the regions allow.
    /// - Parameter write: receives what the application gets, in whole frames: when the engine has decided, and before any
    ///   line is made of that. It must not use the pipeline.
    package mutating func startSharing(_ write: @escaping ([KernelEvent]) -> Void) {
        guard !isShared else { return }
        let twin = setup.description.twin(of: "", setup.touchProtocol, cancel: setup.cancel)
        var frames = TwinFrames(twin, setup.touchProtocol, cancel: setup.cancel)
        frames.take(tracker.table)
        frames.liftAll(at: tracker.frame.time)
        sharing = TouchSharing(frames: frames, write: write)
        isShared = true
        engine.noteClaims(in: sharing.claims)
    }

    /// Lifts what the application has. `endSharing()` may follow.
    package mutating func liftShared(at time: Timestamp) {
        guard isShared else { return }
        sharing.holds.removeAll()
        sharing.frames.liftAll(at: time)
        writeTwin()
    }

    private mutating func writeTwin() {
        guard !sharing.frames.events.isEmpty else { return }
        sharing.write(sharing.frames.events)
        sharing.frames.removeEvents()
    }

    /// Forgets what the application has.
    package mutating func endSharing() {
        guard isShared else { return }
        isShared = false
        pastShareCounts.add(sharing.counts)
        sharing = TouchSharing()
        engine.noteClaims(in: nil)
    }

    /// Takes what the kernel says of an axis that slot tables do not hold, by slot. It is given with the next frame.
    package mutating func setTwinAxis(_ code: UInt16, _ values: some Sequence<Int32>) {
        guard isShared else { return }
        for (slot, value) in values.enumerated() { sharing.frames.set(code, value, of: slot) }
    }

    /// Takes events of the panel that say nothing but axes.
    mutating func takeForTwin(axes events: ArraySlice<KernelEvent>) {
        if !sharing.isDiscarding { sharing.frames.takeAxes(events) }
    }

    /// Takes an event of the panel.
    mutating func takeForTwin(_ event: KernelEvent) {
        if event.type == EventCode.evSyn, event.code == EventCode.synDropped {
            liftShared(at: event.time)
            sharing.isDiscarding = true
        } else if !sharing.isDiscarding {
            sharing.frames.take(event)
        }
    }

    /// Makes and writes the application's frame, after the engine has seen the panel's.
    /// - Parameter isReported: the panel has reported it; else a deadline or a client is the reason.
    mutating func share(at time: Timestamp, isReported: Bool = false) {
        guard isShared else { return }
        sharing.frames.advance(to: time)
        if isReported, sharing.frames.isUnslotted {
            for slot in tracker.slotNumbers { sharing.frames.set(tracker.state(of: slot), of: slot) }
        }
        let isComplete = isReported && !sharing.isDiscarding
        if isReported { sharing.isDiscarding = false }
        sharing.frames.begin(at: time, isComplete: isComplete)
        let hasClaims = !sharing.claims.isEmpty
        if hasClaims { for contact in sharing.claims.consumed { consume(contact) } }
        if !sharing.holds.isEmpty { decideHolds() }
        shareLandings()
        sharing.frames.finish()
        writeTwin()
        if hasClaims { sharing.claims.removeAll() }
    }

    private mutating func consume(_ contact: ContactID) {
        if sharing.frames.keep(contact) { sharing.counts.cancelled &+= 1 }
        sharing.holds.removeAll { $0.id == contact }
    }

    /// In the order in which they landed.
    private mutating func decideHolds() {
        var holds: [ContactHold] = []
        swap(&holds, &sharing.holds)
        for place in holds.indices {
            switch engine.verdict(on: &holds[place]) {
            case .undecided: sharing.holds.append(holds[place])
            case .recognized: sharing.frames.keep(holds[place].id)
            case .failed: give(holds[place].id)
            }
        }
    }

    private mutating func give(_ contact: ContactID) {
        guard sharing.frames.give(contact) else { return }
        sharing.counts.forwarded &+= 1
        // One that is down is owned by a region.
        if interest.touches, engine.owner(of: contact) == nil { sharing.givenLate.append(contact) }
    }

    private mutating func shareLandings() {
        var rest = sharing.frames.landed
        while rest != 0 {
            let slot = rest.trailingZeroBitCount
            rest &= rest - 1
            let contact = tracker.contact(in: slot)
            let fate = contact.map { fateOfLanding($0) } ?? fateOfHidden(slot)
            if fate == .forwarded { sharing.counts.forwarded &+= 1 }
            sharing.frames.land(slot, contact, fate)
        }
    }

    /// A filter hides it from gestures: it is the application's, but where a region captures.
    private mutating func fateOfHidden(_ slot: Int) -> TouchFate {
        guard tracker.slotNumbers.contains(slot), engine.touches(at: tracker.position(of: slot)) == .capture else {
            return .forwarded
        }
        sharing.counts.captured &+= 1
        return .kept
    }

    private mutating func fateOfLanding(_ contact: ContactID) -> TouchFate {
        let touches = engine.touches(of: contact)
        guard touches != .capture, !sharing.claims.consumed.contains(contact) else {
            sharing.counts.captured &+= 1
            return .kept
        }
        guard touches == .hold else { return .forwarded }
        var hold = engine.hold(contact)
        switch engine.verdict(on: &hold) {
        case .failed: return .forwarded
        case .recognized:
            sharing.counts.held &+= 1
            return .kept
        case .undecided:
            sharing.counts.held &+= 1
            sharing.holds.append(hold)
            return .held
        }
    }
}
