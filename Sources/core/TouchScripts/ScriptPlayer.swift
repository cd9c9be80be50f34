// SPDX-License-Identifier: MIT
import ContactTracking
import GestureConfiguration
import GestureEngine
package import GesturePipeline
package import Recordings

/// Plays a script on a virtual panel.
package struct ScriptPlayer: ~Copyable {
    /// A panel reports moving fingers at this interval, in milliseconds.
    static let interval = 8.0
    /// The time between two touches of people without a time between them: longer than any gesture waits by default.
    private static let pause: Int64 = 1_000_000
    /// The longest script, in microseconds, and the most reports: more is a mistake.
    private static let (longest, mostReports): (Int64, Int) = (3_600_000_000, 200_000)

    private var motion: ActMotion
    private var writer = SlotWriter()
    /// The slot and the last position of each contact that has a name and is down.
    private var contacts: [String: (finger: Int, point: Point)] = [:]
    private var now: Int64 = 0
    /// Whether the last statement was a touch of people, after which a hand pauses.
    private var isResting = false
    private var nextFinger = 0
    private var reports = 0

    private init(_ panel: consuming ScriptPanel, _ hand: ScriptHand) { motion = ActMotion(panel, hand) }

    /// The recording of a panel on which the script is played.
    /// - Parameters:
    ///   - setup: a virtual panel.
    ///   - seed: touches of people are the same for the same seed.
    package static func recording(
        of script: TouchScript, on setup: PanelSetup, by hand: Hand, seed: UInt64
    ) throws(ScriptError) -> Recording {
        var player = ScriptPlayer(ScriptPanel(setup), ScriptHand(hand, seed: seed))
        for statement in script.statements { try player.play(statement) }
        var recording = Recording(description: setup.description, device: setup.device)
        recording.entries = player.writer.events.map { .event($0) }
        return recording
    }

    private mutating func play(_ statement: TouchScript.Statement) throws(ScriptError) {
        switch statement {
        case .wait(let time, let position): try pass(time.microseconds, position)
        case .changes(let changes): try play(changes)
        case .acts(let acts): try play(acts)
        }
        if case .acts = statement { isResting = true } else { isResting = false }
    }

    private mutating func pass(_ time: Int64, _ position: TextPosition) throws(ScriptError) {
        now += time
        guard now <= Self.longest, reports <= Self.mostReports else {
            throw Self.tooLong(position)
        }
    }

    private static func tooLong(_ position: TextPosition) -> ScriptError {
        ScriptError(position, "the script takes more than an hour, or \(mostReports) reports; shorten it")
    }

    // MARK: Contacts

    private mutating func play(_ changes: [TouchScript.Change]) throws(ScriptError) {
        for change in changes { try play(change) }
        writer.endFrame(at: now)
    }

    private mutating func play(_ change: TouchScript.Change) throws(ScriptError) {
        let name = change.contact
        var contact = contacts[name]
        if change.kind == .down {
            guard contact == nil else {
                throw ScriptError(
                    change.position, "contact \(name) is down already; lift it first, or use another name")
            }
            contact = (newFinger(), .zero)
        }
        guard var contact else {
            throw ScriptError(change.position, "contact \(name) is not down; begin with down \(name) and a place")
        }
        if let spot = change.spot { contact.point = try motion.panel.point(spot) }
        contacts[name] = contact
        guard writer.set(contact.finger, motion.panel.units(contact.point), at: now) else {
            throw ScriptError(change.position, "the virtual panel has no more than \(SlotWriter.count) contacts")
        }
        switch change.kind {
        case .down, .move: return
        case .cancel: writer.palm(contact.finger, at: now)
        case .up: writer.lift(contact.finger, at: now)
        }
        contacts[name] = nil
    }

    private mutating func newFinger() -> Int {
        nextFinger += 1
        return nextFinger
    }

    // MARK: People

    private mutating func play(_ acts: [TouchScript.Act]) throws(ScriptError) {
        let position = acts[0].position
        if isResting { try pass(Self.pause, position) }
        var fingers: [(number: Int, finger: ScriptFinger)] = []
        for act in acts {
            for finger in try motion.fingers(of: act) { fingers.append((newFinger(), finger)) }
        }
        let start = now
        let end = fingers.map(\.finger.lift).max() ?? 0
        guard end * 1000 <= Double(Self.longest - now) else { throw Self.tooLong(position) }
        for time in Self.times(of: fingers.map(\.finger)) {
            try pass(start + Int64((time * 1000).rounded()) - now, position)
            reports += 1
            for (number, finger) in fingers { try move(number, finger, time, position) }
            writer.endFrame(at: now)
        }
    }

    private mutating func move(
        _ number: Int, _ finger: ScriptFinger, _ time: Double, _ position: TextPosition
    ) throws(ScriptError) {
        guard time >= finger.landing else { return }
        if time >= finger.lift { return writer.lift(number, at: now) }
        guard writer.set(number, motion.panel.units(finger.path(time - finger.landing)), at: now) else {
            throw ScriptError(position, "the virtual panel has no more than \(SlotWriter.count) contacts")
        }
    }

    /// The times of the panel's reports.
    private static func times(of fingers: [ScriptFinger]) -> [Double] {
        let end = fingers.map(\.lift).max() ?? 0
        var times = Set(stride(from: 0, to: end, by: interval))
        for finger in fingers { times.formUnion([finger.landing, finger.lift]) }
        return times.sorted()
    }
}

/// Writes the events of a panel with slots, without repeating unchanged values.
private struct SlotWriter {
    static let count = 10

    private(set) var events: [KernelEvent] = []
    private var fingers = [Int?](repeating: nil, count: count)
    private var states = [SlotState](repeating: SlotState(x: -1, y: -1), count: count)
    private var current = 0
    private var nextID: Int32 = 1
    private var isChanged = false
    private var touching = 0

    /// Moves a finger, which lands if it is not down.
    /// - Returns: `false` if all slots are taken.
    mutating func set(_ finger: Int, _ position: (x: Int32, y: Int32), at time: Int64) -> Bool {
        var place = fingers.firstIndex(of: finger)
        if place == nil, let free = fingers.firstIndex(of: nil) {
            place = free
            fingers[free] = finger
            set(EventCode.absMTTrackingID, nextID, in: free, time)
            set(EventCode.absMTToolType, EventCode.mtToolFinger, in: free, time)
            nextID = nextID % 65535 + 1
            touch(1, time)
        }
        guard let place else { return false }
        set(EventCode.absMTPositionX, position.x, in: place, time)
        set(EventCode.absMTPositionY, position.y, in: place, time)
        return true
    }

    mutating func lift(_ finger: Int, at time: Int64) {
        guard let place = fingers.firstIndex(of: finger) else { return }
        fingers[place] = nil
        set(EventCode.absMTTrackingID, -1, in: place, time)
        touch(-1, time)
    }

    /// Tells that a finger is a palm, which lifts in a later report.
    mutating func palm(_ finger: Int, at time: Int64) {
        guard let place = fingers.firstIndex(of: finger) else { return }
        set(EventCode.absMTToolType, EventCode.mtToolPalm, in: place, time)
        endFrame(at: time)
        lift(finger, at: time)
    }

    mutating func endFrame(at time: Int64) {
        guard isChanged else { return }
        events.append(.report(at: Timestamp(microseconds: time)))
        isChanged = false
    }

    private mutating func touch(_ change: Int, _ time: Int64) {
        touching += change
        guard touching == max(change, 0) else { return }
        events.append(
            KernelEvent(
                time: Timestamp(microseconds: time), type: EventCode.evKey, code: EventCode.btnTouch,
                value: change > 0 ? 1 : 0))
    }

    private mutating func set(_ code: UInt16, _ value: Int32, in slot: Int, _ time: Int64) {
        let before = states[slot]
        states[slot].set(code, value)
        guard states[slot] != before else { return }
        let stamp = Timestamp(microseconds: time)
        if slot != current { events.append(.axis(EventCode.absMTSlot, Int32(slot), at: stamp)) }
        current = slot
        events.append(.axis(code, value, at: stamp))
        isChanged = true
    }
}
