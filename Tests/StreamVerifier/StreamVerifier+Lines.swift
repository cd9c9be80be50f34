// SPDX-License-Identifier: MIT

/// Reads each kind of line.
extension StreamVerifier {
    /// The maximum number of events that may be missing without an explanation. It covers the events of twelve fingers
    /// in 30 s, which is how long a client may go without reading.
    private static let longestDebt: Int64 = 65_536
    /// The maximum length of an event line in bytes.
    private static let longestEvent = 4096

    mutating func takeReply(_ cursor: inout LineCursor) {
        if !cursor.skip("null") { _ = cursor.string() }
        cursor.rest { cursor, _ in cursor.anything() }
    }

    mutating func takeEvent(_ cursor: inout LineCursor, _ length: Int) {
        cursor.expect("{\"event\":")
        let event = cursor.string()
        guard
            let name = cursor.index(
                of: event, "event",
                in: [
                    "gesture", "failed", "touches", "frame", "device", "config", "hello", "state", "overflow", "bye",
                    "idle", "wake",
                ])
        else { return }
        // The lines `state` and `frame` may be longer.
        if length > Self.longestEvent, name != 3, name != 7 { report(.form, "a line of \(length) bytes") }
        if hasGreeted == (name == 6) { report(.order, hasGreeted ? "a second hello" : "the first line is not hello") }
        switch name {
        case 6: return takeHello(&cursor)
        case 7: return takeState(&cursor)
        case 9: return takeBye(&cursor)
        default: break
        }
        takeNumber(&cursor)
        switch name {
        case 0: takeGesture(&cursor)
        case 1: takeFailed(&cursor)
        case 2: takeTouches(&cursor)
        case 3: takeFrame(&cursor)
        case 4: takeDevice(&cursor)
        case 5: takeConfig(&cursor)
        case 10: takeIdle(&cursor)
        case 11: cursor.rest { _, _ in }
        default: takeOverflow(&cursor)
        }
        if missing.count > Self.longestDebt { report(.seq, "\(missing.count) events are missing without an overflow") }
    }

    // MARK: seq

    private mutating func takeNumber(_ cursor: inout LineCursor) {
        cursor.expect(",\"seq\":")
        let number = cursor.integer()
        guard cursor.mistake == nil else { return }
        if let seq {
            if number <= seq { report(.seq, "\(number) after \(seq)") }
            missing.add(after: seq, before: number)
        }
        seq = number
    }

    /// Accounts for the lines that were merged into this one.
    /// - Parameter first: the lowest number that a merged line can have.
    mutating func settle(coalesced: Int64, from first: Int64 = .min) {
        tally.merged += Int(clamping: coalesced)
        let missingBefore = missing.count
        guard coalesced > 0, !missing.account(for: coalesced, from: first) else { return }
        if missingBefore < coalesced { return report(.seq, "\(coalesced) coalesced, but fewer are missing") }
        report(.merge, "\(coalesced) coalesced, but fewer are missing since line \(first), which began the gesture")
    }

    /// Checks that each missing line can be an update of a gesture in progress. Call this when a gesture has ended.
    mutating func checkMissing() {
        guard let oldest = missing.oldest, !subscription.hasTouches, !awaitsState else { return }
        if sequences.values.contains(where: { $0.gestures.contains { $0.isOpen && $0.first < oldest } }) { return }
        report(.merge, "line \(oldest) is missing, and no gesture in progress is old enough to explain it")
        missing.removeAll()
    }

    private mutating func takeOverflow(_ cursor: inout LineCursor) {
        var dropped: Int64 = 0
        cursor.rest { cursor, key in if "dropped" ~= key { dropped = cursor.integer() } }
        guard cursor.mistake == nil else { return }
        tally.overflows += 1
        tally.dropped += Int(clamping: dropped)
        if dropped != missing.count { report(.seq, "\(dropped) dropped, but \(missing.count) are missing") }
        missing.removeAll()
        awaitsState = true
    }

    // MARK: Begin, state, end

    private mutating func takeHello(_ cursor: inout LineCursor) {
        hasGreeted = true
        cursor.rest { _, _ in }
    }

    private mutating func takeState(_ cursor: inout LineCursor) {
        var number = seq ?? 0
        var ready: [Word] = []
        var idle: Set<UInt64> = []
        var active: [(sequence: Int64, region: Word, name: UInt64)] = []
        cursor.rest { cursor, key in
            switch key {
            case "seq": number = cursor.integer()
            case "devices": cursor.list { cursor in Self.readDevice(&cursor).map { ready.append($0) } }
            case "idle": cursor.list { idle.insert($0.string().hash) }
            case "active": cursor.list { active.append(Self.readActive(&$0)) }
            default: break
            }
        }
        guard cursor.mistake == nil else { return }
        if number != seq ?? number { report(.seq, "state \(number) after \(seq ?? 0)") }
        seq = number
        takeDevices(ready)
        self.idle = idle
        takeActive(active)
    }

    /// - Returns: the device if it is ready.
    private static func readDevice(_ cursor: inout LineCursor) -> Word? {
        var (device, state) = (Word(), Word())
        cursor.object { cursor, key in
            switch key {
            case "device": device = cursor.string()
            case "state": state = cursor.string()
            default: break
            }
        }
        return cursor.matches(state, "ready") ? device : nil
    }

    private static func readActive(_ cursor: inout LineCursor) -> (sequence: Int64, region: Word, name: UInt64) {
        var (sequence, region, kind, name) = (Int64(0), Word(), Word(), Word())
        cursor.object { cursor, key in
            switch key {
            case "region": region = cursor.string()
            case "gesture": kind = cursor.string()
            case "name": name = cursor.string()
            case "sequence": sequence = cursor.integer()
            default: break
            }
        }
        return (sequence, region, kind.hash &* 31 &+ name.hash)
    }

    private mutating func takeBye(_ cursor: inout LineCursor) {
        cursor.rest { _, _ in }
        finish()
        isOver = true
    }

    // MARK: Devices

    private mutating func takeDevice(_ cursor: inout LineCursor) {
        var (change, device) = (Word(), Word())
        cursor.rest { cursor, key in
            switch key {
            case "change": change = cursor.string()
            case "device": device = cursor.string()
            default: break
            }
        }
        guard cursor.mistake == nil else { return }
        if cursor.matches(change, "added") { deviceCame(device) }
        if cursor.matches(change, "removed") { deviceWent(device) }
    }

    /// Checks that `idle` and `active` alternate for each name.
    private mutating func takeIdle(_ cursor: inout LineCursor) {
        var (change, name) = (Word(), Word())
        cursor.rest { cursor, key in
            switch key {
            case "change": change = cursor.string()
            case "name": name = cursor.string()
            default: break
            }
        }
        guard cursor.mistake == nil, !awaitsState else { return }
        let begins = cursor.matches(change, "idle")
        let isNew = begins ? idle.insert(name.hash).inserted : idle.remove(name.hash) != nil
        if !isNew { report(.phase, begins ? "idle begins twice" : "idle ends but has not begun") }
    }

    private mutating func takeConfig(_ cursor: inout LineCursor) {
        var change = Word()
        cursor.rest { cursor, key in if "change" ~= key { change = cursor.string() } }
        if cursor.matches(change, "output") { forgetPanels() }
    }

    private mutating func takeTouches(_ cursor: inout LineCursor) {
        var (device, coalesced) = (Word(), Int64(0))
        var ids: [Int64] = []
        var places: [(x: Double, y: Double)] = []
        var further: [(sequence: Int64, contacts: [Int64])] = []
        cursor.rest { cursor, key in
            switch key {
            case "device": device = cursor.string()
            case "coalesced": coalesced = cursor.integer()
            case "contacts":
                cursor.list { cursor in
                    let contact = Self.readContact(&cursor)
                    ids.append(contact.id)
                    places.append(contact.place)
                }
            case "seen_by": cursor.list { further.append(Self.readFurtherRegion(&$0)) }
            case "ignored": cursor.list { _ = Self.readContact(&$0) }
            default: break
            }
        }
        if Set(further.map(\.sequence)).count < further.count { cursor.fail("a sequence twice") }
        if !further.allSatisfy({ $0.contacts.allSatisfy(ids.contains) }) { cursor.fail("a contact that is not down") }
        guard cursor.mistake == nil else { return }
        settle(coalesced: coalesced)
        checkPresence(of: device, "touches")
        for place in places { checkContact(place, device) }
        takeContacts(ids, device)
    }

    private static func readContact(_ cursor: inout LineCursor) -> (id: Int64, place: (x: Double, y: Double)) {
        var (id, place) = (Int64(0), (x: 0.0, y: 0.0))
        cursor.object { cursor, key in
            switch key {
            case "id": id = cursor.integer()
            case "x": place.x = cursor.tenths()
            case "y": place.y = cursor.tenths()
            default: break
            }
        }
        return (id, place)
    }

    private static func readFurtherRegion(_ cursor: inout LineCursor) -> (sequence: Int64, contacts: [Int64]) {
        var (sequence, contacts) = (Int64(0), [Int64]())
        cursor.object { cursor, key in
            switch key {
            case "region": if cursor.string().range.isEmpty { cursor.fail("an empty region") }
            case "sequence": sequence = cursor.integer()
            case "contacts": cursor.list { contacts.append($0.integer()) }
            default: break
            }
        }
        return (sequence, contacts)
    }

    private mutating func takeFrame(_ cursor: inout LineCursor) {
        var device = Word()
        cursor.rest { cursor, key in if "device" ~= key { device = cursor.string() } }
        if cursor.mistake == nil { checkPresence(of: device, "a frame") }
    }
}
