// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine

/// Writes the contacts of a run as the kernel would report them, with slots, tracking ids, palms and lost events.
struct KernelWriter {
    /// The number of slots for fingers; the slots of ghosts follow.
    static let slots = 16
    static let ghostSlots = 4
    /// The units per millimetre of a panel without a variant.
    static let unitsPerMillimeter = 20.0

    /// The time for which a panel may lose a contact.
    static let bridge = Interval.milliseconds(80)

    private(set) var steps: [KernelStep] = []
    /// Whether a contact was left out because no slot was free.
    private(set) var wasFull = false
    private let run: LawRun
    private let variant: PanelVariant?
    /// Whether the panel is compared with one that is shared. The contacts of both are the same.
    private let isShared: Bool
    private let seed: UInt64
    private var random: RunRandom
    /// Ghosts have their own random numbers, so that adding them does not change the other contacts.
    private var ghostRandom: RunRandom
    private var time = Timestamp(microseconds: 1_000_000)
    private var slotOf: [ContactID: Int] = [:]
    private var states: [SlotState]
    private var current = 0
    private var events: [KernelEvent] = []
    /// Slots of contacts that were cancelled and are still on the glass.
    private var leftovers: [Int] = []
    private var nextTrackingID: Int32 = 1
    /// The number of steps when the last frame had been written, and the time of that frame.
    private var lastFrame = (steps: 0, time: Timestamp(microseconds: 0))
    /// The time at which the tracker handles the last lift. Its clock does not go back.
    private var lastLift = Timestamp(microseconds: 0)
    /// The latest value of `time` so far.
    private var latest = Timestamp(microseconds: 1_000_000)
    /// Contacts that the panel has lost, and that land again in this frame.
    private var lost: Set<ContactID> = []
    private var scene: Int64 = 0
    /// The tenth of a second of the last call of `disturb`.
    private var period: Int64 = 0
    /// Contacts that are down and that the tracker ignores, because all contacts were cancelled.
    private var ignored: Set<ContactID> = []

    /// - Parameter seed: determines the choices that the run leaves open. A run and a seed always give the same steps.
    init(_ run: LawRun, seed: UInt64, variant: PanelVariant?, isShared: Bool = false) {
        self.run = run
        self.variant = variant
        (self.seed, self.isShared) = (seed, isShared)
        random = RunRandom(seed)
        ghostRandom = RunRandom(seed &+ 1)
        states = Array(repeating: SlotState(), count: Self.slots + Self.ghostSlots)
        write()
    }

    /// The slots at the start, with a finger that landed before the daemon started.
    static var elders: [SlotState] {
        var states = Array(repeating: SlotState(), count: slots + ghostSlots)
        states[slots + 3] = SlotState(trackingID: 60_000, x: 500, y: 500)
        return states
    }

    private mutating func write() {
        if variant == .haunted { states = Self.elders }
        for step in run.steps {
            switch step {
            case .wait(let microseconds):
                time = time + Interval(microseconds: microseconds)
                latest = max(latest, time)
            case .frame(let changes): write(changes)
            case .advance: steps.append(.advance(time))
            case .reload(let world):
                steps.append(.replace(run.worlds[min(max(world, 0), run.worlds.count - 1)], at: time))
            case .updates(let isOn): steps.append(.updates(isOn))
            case .failures(let isOn): steps.append(.failures(isOn))
            }
        }
        liftAll()
    }

    private mutating func liftAll() {
        for slot in 0..<Self.slots where states[slot].trackingID >= 0 { lift(slot) }
        report()
    }

    private mutating func write(_ changes: [ContactChange]) {
        if isShared { disturb() }
        if variant == .flickering || isShared { flicker(before: changes) }
        for slot in leftovers { lift(slot) }
        leftovers = []
        var isLost = false
        var reason: CancelReason?
        for change in changes {
            if change.kind == .resynchronized || change.kind == .cancelled(.syncLost) { isLost = true }
            if case .cancelled(let why) = change.kind { reason = why }
        }
        if isLost { return lose(changes) }
        if let reason, reason != .palm, changes.count > 1 { return cancelAll(changes, reason) }
        haunt()
        for change in changes { write(change) }
        report()
        lost = []
        lastFrame = (steps.count, time)
    }

    /// Interrupts a shared panel, and changes the scene and the display.
    private mutating func disturb() {
        let scene = SharedWorld.scene(seed, at: time)
        if scene != self.scene { steps.append(.scene(SharedWorld.filter(seed, scene: scene), at: time)) }
        self.scene = scene
        let period = time.microseconds / 100_000
        guard period != self.period else { return }
        self.period = period
        if SharedWorld.isDark(seed, at: time) { steps.append(.displayOff) }
        switch SharedWorld.interruption(seed, at: time) {
        case .suspend: steps.append(.suspend(at: time))
        case .restart: return steps.append(.restart(at: time))
        case .lostEvents:
            put(EventCode.synDropped, 0, type: EventCode.evSyn)
            report()
        case nil: return
        }
        ignored.formUnion(slotOf.keys)
    }

    /// Simulates a panel that loses contacts for a moment between the last frame and this one. It loses only contacts
    /// that move by less than 3 mm between the two frames, so that `bridge` finds them again. A shared panel loses any
    /// contact.
    private mutating func flicker(before changes: [ContactChange]) {
        let pause = time - lastFrame.time
        let isAllowed = changes.allSatisfy { $0.kind == .moved || $0.kind == .lifted }
        guard isAllowed || isShared, lastFrame.steps == steps.count, pause > Interval(microseconds: 1),
            pause < Self.bridge, isShared || time - lastLift > Self.bridge
        else { return }
        // Contacts near each other, or near one that lifts in this frame, would be mixed up.
        var origins = changes.filter { $0.kind == .lifted }.map(\.position)
        let now = time
        time = lastFrame.time + Interval(microseconds: 1)
        for change in changes where change.kind == .moved && ghostRandom.chance(30) {
            guard !ignored.contains(change.id), let slot = slotOf[change.id],
                units(change.position) != (states[slot].x, states[slot].y)
            else {
                continue
            }
            let origin = Point(
                x: Double(states[slot].x) / Self.unitsPerMillimeter, y: Double(states[slot].y) / Self.unitsPerMillimeter
            )
            let isClear = (change.position - origin).length < 2.9 && origins.allSatisfy { ($0 - origin).length > 9 }
            guard isClear || isShared else { continue }
            origins.append(origin)
            lost.insert(change.id)
            slotOf[change.id] = nil
            lift(slot)
        }
        if !lost.isEmpty { report() }
        time = now
    }

    private mutating func write(_ change: ContactChange) {
        switch change.kind {
        case .landed: land(change)
        case .moved, .resynchronized: if lost.contains(change.id) { land(change) } else { move(change) }
        case .lifted:
            lastLift = latest
            guard let slot = slotOf.removeValue(forKey: change.id) else { return }
            lift(slot)
        case .cancelled(let reason):
            lastLift = latest
            guard let slot = slotOf.removeValue(forKey: change.id) else { return }
            leftovers.append(slot)
            switch reason {
            case .palm: set(slot, EventCode.absMTToolType, EventCode.mtToolPalm)
            case .client:
                let region = random.pick(run.worlds[0].regions)
                steps.append(.cancel(region: region.id, at: time))
            // The finger leaves the glass but hovers above it.
            default: set(slot, EventCode.absMTDistance, 7)
            }
        }
    }

    private mutating func land(_ change: ContactChange) {
        var free = (0..<Self.slots).filter { states[$0].trackingID < 0 && !leftovers.contains($0) }
        if variant == .permuted { free.reverse() }
        if isShared, ghostRandom.chance(30) { free.shuffle(using: &ghostRandom) }
        guard let slot = free.first else {
            wasFull = true
            return
        }
        slotOf[change.id] = slot
        put(EventCode.absMTSlot, Int32(slot))
        current = slot
        put(EventCode.absMTTrackingID, nextTrackingID)
        states[slot] = SlotState(trackingID: nextTrackingID, x: states[slot].x, y: states[slot].y)
        nextTrackingID = (nextTrackingID + 1) % 65_536
        put(EventCode.absMTToolType, 0)
        put(EventCode.absMTDistance, 0)
        let (x, y) = units(change.position)
        put(EventCode.absMTPositionX, x)
        put(EventCode.absMTPositionY, y)
        states[slot].x = x
        states[slot].y = y
        if variant == .emulating {
            put(EventCode.btnTouch, 1, type: EventCode.evKey)
            emulate(x, y)
        }
    }

    private mutating func move(_ change: ContactChange) {
        guard let slot = slotOf[change.id] else { return }
        let (x, y) = units(change.position)
        // The kernel reports only changes.
        if x != states[slot].x { set(slot, EventCode.absMTPositionX, x) }
        if y != states[slot].y { set(slot, EventCode.absMTPositionY, y) }
        states[slot].x = x
        states[slot].y = y
        if variant == .emulating { emulate(x, y) }
    }

    private mutating func lift(_ slot: Int) {
        guard states[slot].trackingID >= 0 else { return }
        set(slot, EventCode.absMTTrackingID, -1)
        states[slot].trackingID = -1
    }

    private mutating func set(_ slot: Int, _ code: UInt16, _ value: Int32) {
        if slot != current { put(EventCode.absMTSlot, Int32(slot)) }
        current = slot
        put(code, value)
        if code == EventCode.absMTToolType { states[slot].tool = value }
        if code == EventCode.absMTDistance { states[slot].distance = value }
    }

    private mutating func emulate(_ x: Int32, _ y: Int32) {
        put(EventCode.absX, x)
        put(EventCode.absY, y)
    }

    private mutating func put(_ code: UInt16, _ value: Int32, type: UInt16 = EventCode.evAbs) {
        events.append(KernelEvent(time: time, type: type, code: code, value: value))
    }

    private mutating func report() {
        put(EventCode.synReport, 0, type: EventCode.evSyn)
        if variant == .emulating { put(EventCode.synReport, 0, type: EventCode.evSyn) }
        steps.append(.events(events))
        events = []
    }

    /// Simulates lost events: the kernel drops its buffer, and the daemon reads the slots instead.
    private mutating func lose(_ changes: [ContactChange]) {
        for change in changes { write(change) }
        events = []
        steps.append(.resynchronize(SlotTable(slots: states, current: current), at: time))
    }

    private mutating func cancelAll(_ changes: [ContactChange], _ reason: CancelReason) {
        for change in changes {
            if let slot = slotOf.removeValue(forKey: change.id) { leftovers.append(slot) }
        }
        ignored.formUnion(slotOf.keys)
        steps.append(.cancelAll(reason, at: time))
    }

    /// Adds ghosts (contacts that must have no effect) in separate slots.
    private mutating func haunt() {
        guard variant == .haunted else { return }
        let slot = Self.slots + ghostRandom.below(Self.ghostSlots)
        if states[slot].trackingID >= 0 {
            if ghostRandom.chance(20) {
                lift(slot)
            } else {
                set(slot, EventCode.absMTPositionX, Int32(ghostRandom.below(4000)))
            }
        } else if ghostRandom.chance(30) {
            set(slot, EventCode.absMTTrackingID, 50_000 + Int32(slot))
            states[slot].trackingID = 50_000 + Int32(slot)
            set(slot, EventCode.absMTPositionX, Int32(ghostRandom.below(4000)))
            set(slot, EventCode.absMTPositionY, Int32(ghostRandom.below(2000)))
            set(slot, EventCode.absMTDistance, slot % 2 == 0 ? 9 : 0)
            set(slot, EventCode.absMTToolType, slot % 2 == 0 ? 0 : EventCode.mtToolPalm)
        }
    }

    private func units(_ point: Point) -> (Int32, Int32) {
        let factor: Int32 = variant == .finer ? 2 : 1
        let (x, y) = Self.units(point)
        return (x * factor, y * factor)
    }

    /// The position that a panel without a variant reports for a point.
    static func units(_ point: Point) -> (x: Int32, y: Int32) {
        (Int32(point.x * unitsPerMillimeter), Int32(point.y * unitsPerMillimeter))
    }
}
