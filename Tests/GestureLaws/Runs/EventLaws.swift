// SPDX-License-Identifier: MIT
import GestureEngine

/// Checks the events of one engine against the laws that can be checked without a second run.
struct EventLaws {
    /// The state of one gesture of one region, according to its events so far.
    private struct Record {
        /// The sequence of the continuous gesture that is open.
        var open: Int64 = 0
        /// The last sequences in which the gesture was closed, failed and repeated.
        var closed: Int64 = 0
        var failed: Int64 = 0
        var repeated: Int64 = 0
        var count = 0
    }

    private struct EachKey: Hashable {
        var key: Int
        var sequence: Int64
    }

    private static let stride = 16

    private(set) var violation: LawViolation?
    private var regions: [Region]
    /// The number of each region among all regions of all worlds.
    private var numbers: [Int]
    private var records: [Record]
    /// The records of regions in which each contact has its own sequence.
    private var eachRecords: [EachKey: Record] = [:]
    private var touched: [Bool]
    /// The region of each sequence.
    private var owners: [Int32] = []
    private var latest = Timestamp(microseconds: .min)
    private let names: [String]
    private let size: Vector
    private var glass = Glass()
    /// The number of recognized drags, swipes, pinches and rotations and of cancelled contacts since the glass was
    /// last empty. Each of them may take contacts from other gestures.
    private var claims = 0
    /// The number of events by kind, without updates and failures.
    private(set) var counts = Array(repeating: 0, count: GestureKind.allCases.count)
    /// A second failure in a sequence, which is allowed if a claim in the same frame explains it.
    private var suspicion: (violation: LawViolation, claims: Int)?

    init(_ run: LawRun) {
        var names: [String] = []
        for world in run.worlds {
            for region in world.regions where !names.contains(region.id) { names.append(region.id) }
        }
        self.names = names
        size = run.size
        regions = []
        numbers = []
        records = Array(repeating: Record(), count: names.count * Self.stride)
        touched = Array(repeating: false, count: names.count)
        enter(run.worlds[0])
    }

    mutating func enter(_ world: LawWorld) {
        regions = world.regions
        numbers = regions.map { region in names.firstIndex(of: region.id) ?? 0 }
    }

    mutating func fail(_ law: String, _ text: String) {
        if violation == nil { violation = LawViolation(law, text) }
    }

    /// Records a contact: the regions at this point and their ancestors may now send events.
    ///
    /// - Parameter isLanding: whether the contact has just landed. Otherwise it is ignored, unless a region has
    ///   `capture = "follow"`.
    mutating func touch(_ point: Point, isLanding: Bool) {
        for i in regions.regionIndices where regions[i].isEnabled {
            guard isLanding || regions[i].capture == .follow || hasFollower else { continue }
            guard regions[i].shape.distance(to: point) <= regions[i].margin + 1e-9 else { continue }
            var next: RegionIndex? = i
            while let region = next {
                touched[numbers[region.raw]] = true
                next = regions[region].parent
            }
        }
    }

    private var hasFollower: Bool {
        for region in regions where region.capture == .follow { return true }
        return false
    }

    /// - Parameters:
    ///   - isQuiet: whether the frame only cancels contacts, so that no gesture may be recognized or end.
    ///   - mayRelease: whether a palm or a contact that rests is among them. What such a contact has kept back comes when
    ///     it turns out not to be a finger.
    ///   - reportsFailures: whether the engine reports failures.
    mutating func check(
        _ events: ArraySlice<GestureEvent>, now: Timestamp, isQuiet: Bool, mayRelease: Bool, reportsFailures: Bool
    ) {
        for event in events {
            if event.time > now { fail("time", "\(describe(event)) is later than the engine's \(now.microseconds)") }
            if isQuiet, !(mayRelease && mayBeKeptBack(event)) { checkQuiet(event) }
            if case .failed = event.detail, !reportsFailures {
                fail("unasked", "\(describe(event)) although failures are off")
            }
            check(event)
        }
        if let suspicion, suspicion.claims == claims, violation == nil { violation = suspicion.violation }
        suspicion = nil
    }

    /// Records that a contact was cancelled.
    mutating func noteCancel() { claims += 1 }

    /// Records a change of a contact that the next frame contains.
    mutating func note(_ change: ContactChange, at time: Timestamp) { glass.follow(change, at: time) }

    /// Records that no contact is on the glass.
    ///
    /// - Parameter isIdle: whether no gesture is pending either; then only regions touched from now on may send events.
    mutating func noteEmptyGlass(isIdle: Bool) {
        claims = 0
        guard isIdle else { return }
        for i in touched.indices { touched[i] = false }
    }

    /// Checks that no gesture is open any more.
    mutating func checkEnd() {
        let all = records.enumerated().map { ($0, $1) } + eachRecords.map { ($0.key, $1) }
        for (key, record) in all where record.open != 0 {
            fail("begin-end", "\(names[key / Self.stride]).\(key % Self.stride) #\(record.open) never ends")
        }
    }

    /// Whether a contact may have kept the event back until it turns out not to be a finger.
    private func mayBeKeptBack(_ event: GestureEvent) -> Bool {
        let gesture = regions[event.region].gestures[event.gesture]
        switch gesture.settings {
        case .tap(let settings): return settings.wait || settings.when == .landing || !gesture.unless.isEmpty
        case .drag, .swipe, .pinch, .rotate, .dial, .chain, .stroke: return event.phase != .end
        case .press, .longPress, .repeat: return !gesture.after.isEmpty && event.phase == .begin
        case .pattern: return true
        }
    }

    private mutating func checkQuiet(_ event: GestureEvent) {
        if case .failed = event.detail { return }
        switch event.phase {
        // When one of two contacts is cancelled, the press continues with the other one, which may be outside.
        case .cancel, .update: return
        default: break
        }
        fail("quiet-cancel", "\(describe(event)) because contacts were cancelled")
    }

    private mutating func check(_ event: GestureEvent) {
        guard event.region.raw < regions.count, event.gesture.raw < regions[event.region].gestures.count else {
            return fail("names", "region \(event.region.raw), gesture \(event.gesture.raw)")
        }
        if event.time < latest { fail("time", "\(describe(event)) after \(latest.microseconds)") }
        latest = max(latest, event.time)
        let number = numbers[event.region.raw]
        // A pattern refers to steps elsewhere and has no contacts of its own.
        if regions[event.region].gestures[event.gesture].settings.kind != .pattern {
            if !touched[number] { fail("untouched", "\(describe(event)) in an untouched region") }
            checkSequence(event, number)
        }
        checkPlace(event)
        checkGlass(event)
        checkPhase(event, number * Self.stride + event.gesture.raw)
        if violation == nil, let problem = EventNumbers.problem(event, regions[event.region].gestures[event.gesture]) {
            fail("numbers", "\(describe(event)): \(problem)")
        }
    }

    private mutating func checkSequence(_ event: GestureEvent, _ number: Int) {
        let sequence = event.sequence.rawValue
        guard sequence >= 1, sequence < 1 << 24 else { return fail("sequence", "\(describe(event))") }
        while owners.count <= Int(sequence) { owners.append(-1) }
        if owners[Int(sequence)] < 0 { owners[Int(sequence)] = Int32(number) }
        if owners[Int(sequence)] != Int32(number) {
            fail("sequence", "\(describe(event)) belongs to \(names[Int(owners[Int(sequence)])])")
        }
    }

    private mutating func checkPlace(_ event: GestureEvent) {
        let position = event.position
        // The centroid of points on the glass is on the glass, except for rounding.
        let isInside =
            position.x >= -1e-9 && position.y >= -1e-9 && position.x <= size.dx + 1e-9 && position.y <= size.dy + 1e-9
        if !isInside { fail("place", "\(describe(event)) at \(position.x),\(position.y)") }
        // A failure may have no fingers.
        if event.fingers < (event.isFailure ? 0 : 1) || event.fingers > 64 {
            fail("fingers", "\(describe(event)): \(event.fingers) fingers")
        }
    }

    /// Checks that the fingers of a tap were down at the same time, and that no velocity points backwards.
    private mutating func checkGlass(_ event: GestureEvent) {
        let gesture = regions[event.region].gestures[event.gesture]
        switch (event.detail, gesture.settings) {
        case (.tap(_, let duration), .tap(let settings))
        where settings.fingers > 1 && !settings.wait && gesture.unless.isEmpty:
            let start = event.time + Interval(microseconds: -duration.microseconds)
            let most = glass.most(from: start, to: event.time)
            if most < settings.fingers { fail("together", "\(describe(event)) of \(most) fingers at one time") }
        case (.drag(_, let velocity, let start, _, _), _):
            guard let last = glass.onlyMovement,
                isBackward(velocity.dx, after: last.dx) || isBackward(velocity.dy, after: last.dy)
            else { return }
            // At the end, the velocity may be the one that was measured before the fingertip rolled back.
            if event.phase == .end, glass.wayBack(against: velocity, from: start) <= 3.001 { return }
            fail("forward", "\(describe(event)) after a movement by \(last.dx),\(last.dy)")
        default: break
        }
    }

    private func isBackward(_ velocity: Double, after movement: Double) -> Bool {
        velocity * movement < 0 && velocity.magnitude > 12
    }

    /// The record of the gesture of an event.
    private subscript(key: Int, event: GestureEvent) -> Record {
        get {
            guard regions[event.region].contacts != .together else { return records[key] }
            return eachRecords[EachKey(key: key, sequence: event.sequence.rawValue)] ?? Record()
        }
        set {
            if regions[event.region].contacts != .together {
                eachRecords[EachKey(key: key, sequence: event.sequence.rawValue)] = newValue
            } else {
                records[key] = newValue
            }
        }
    }

    private mutating func checkPhase(_ event: GestureEvent, _ key: Int) {
        let sequence = event.sequence.rawValue
        if case .failed = event.detail { return checkFailed(event, key) }
        let kind = regions[event.region].gestures[event.gesture].settings.kind
        if event.phase != .update { counts[Int(kind.rawValue)] += 1 }
        if event.phase == .begin && [.drag, .pinch, .rotate, .dial].contains(kind)
            || [.swipe, .chain, .stroke].contains(kind)
        {
            claims += 1
        }
        let isContinuous = regions[event.region].gestures[event.gesture].settings.isContinuous
        if isContinuous != (event.phase != nil) { fail("phase", "\(describe(event)) has the wrong phase") }
        // Gestures of other kinds may begin again in the same sequence.
        if self[key, event].closed == sequence, kind == .press { fail("begin-end", "\(describe(event)) after its end") }
        switch event.phase {
        case nil: checkRepeat(event, key)
        case .begin:
            if self[key, event].open != 0 {
                fail("begin-end", "\(describe(event)) while #\(self[key, event].open) is open")
            }
            self[key, event].open = sequence
        case .update:
            if self[key, event].open != sequence { fail("begin-end", "\(describe(event)) while it is not open") }
        case .end, .cancel:
            // The sequence continues without the contact that rests.
            if event.phase == .cancel(.rest) { claims += 1 }
            if self[key, event].open != sequence { fail("begin-end", "\(describe(event)) while it is not open") }
            self[key, event].open = 0
            self[key, event].closed = sequence
        }
    }

    private mutating func checkFailed(_ event: GestureEvent, _ key: Int) {
        let sequence = event.sequence.rawValue
        if event.phase != nil { fail("phase", "\(describe(event)) has a phase") }
        if self[key, event].open == sequence { fail("failed-open", "\(describe(event)) while it is open") }
        // A pattern counts steps instead of touches, so it may fail more than once in a sequence.
        if regions[event.region].gestures[event.gesture].settings.kind == .pattern { return }
        // A gesture fails when its contacts are cancelled, and may fail again with the remaining ones.
        if case .failed(let failure) = event.detail, case .cancelled = failure.code { return }
        // A sequence that lost a contact continues with the others, and its gestures may fail again.
        if self[key, event].failed == sequence, claims == 0 {
            suspicion = (LawViolation("failed-twice", "\(describe(event)) for the second time"), claims)
        }
        self[key, event].failed = sequence
    }

    private mutating func checkRepeat(_ event: GestureEvent, _ key: Int) {
        guard case .repeat(let n, _) = event.detail else { return }
        let isNext = self[key, event].repeated == event.sequence.rawValue ? n == self[key, event].count + 1 : n == 1
        if !isNext { fail("repeat", "\(describe(event)): n = \(n) after \(self[key, event].count)") }
        self[key, event].repeated = event.sequence.rawValue
        self[key, event].count = n
    }

    private func describe(_ event: GestureEvent) -> String {
        let region = event.region.raw < regions.count ? regions[event.region].id : "?"
        let phase = event.phase.map { " \($0)" } ?? ""
        return
            "\(event.time.microseconds) \(region).\(event.gesture.raw) \(event.detail)\(phase) #\(event.sequence.rawValue)"
    }
}

extension GestureSettings {
    /// Whether the event belongs to a continuous gesture.
    var isContinuous: Bool {
        switch kind {
        case .press, .longPress, .drag, .pinch, .rotate, .dial: true
        case .tap, .repeat, .swipe, .chain, .stroke, .pattern: false
        }
    }
}
