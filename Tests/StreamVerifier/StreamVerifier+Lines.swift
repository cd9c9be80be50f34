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
        if cursor.skipKey("id") { cursor.anything() }
        cursor.bool("ok")
        while cursor.mistake == nil, cursor.skip(",") {
            _ = cursor.string()
            cursor.expect(":")
            cursor.anything()
        }
        cursor.end()
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
        case 11: takeWake(&cursor)
        default: takeOverflow(&cursor)
        }
        if missing.count > Self.longestDebt { report(.seq, "\(missing.count) events are missing without an overflow") }
    }

    // MARK: seq

    private mutating func takeNumber(_ cursor: inout LineCursor) {
        let number = cursor.integer("seq")
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
        let dropped = cursor.integer("dropped")
        cursor.integer("since_ms")
        cursor.end()
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
        if cursor.integer("protocol") != 1 { report(.form, "the protocol is not 1") }
        cursor.string("server")
        cursor.string("instance")
        cursor.list("capabilities") { _ = $0.string() }
        cursor.list("rights") { _ = $0.string() }
        cursor.integer("config_generation")
        cursor.end()
    }

    private mutating func takeState(_ cursor: inout LineCursor) {
        let number = cursor.integer("seq")
        if cursor.mistake == nil, number != seq ?? number { report(.seq, "state \(number) after \(seq ?? 0)") }
        seq = number
        var ready: [Word] = []
        cursor.list("devices") { cursor in
            cursor.expect("{\"device\":")
            let device = cursor.string()
            let state = cursor.string("state")
            if cursor.matches(state, "ready") { ready.append(device) }
            cursor.expect("}")
        }
        cursor.key("scene")
        if !cursor.skip("null") { _ = cursor.string() }
        if cursor.skipKey("scene_for_ms") { _ = cursor.integer() }
        if cursor.skipKey("profile") { _ = cursor.string() }
        var idle: Set<UInt64> = []
        if cursor.skipKey("idle") { cursor.list { idle.insert($0.string().hash) } }
        var active: [(sequence: Int64, region: Word, name: UInt64)] = []
        cursor.list("active") { cursor in
            cursor.expect("{\"region\":")
            let region = cursor.string()
            if cursor.skipKey("leased"), !cursor.bool() { cursor.fail("leased is false") }
            let kind = cursor.string("gesture")
            let name = cursor.string("name")
            cursor.string("device")
            active.append((cursor.integer("sequence"), region, kind.hash &* 31 &+ name.hash))
            cursor.expect("}")
        }
        cursor.end()
        guard cursor.mistake == nil else { return }
        takeDevices(ready)
        self.idle = idle
        takeActive(active)
    }

    private mutating func takeBye(_ cursor: inout LineCursor) {
        cursor.string("reason")
        cursor.end()
        finish()
        isOver = true
    }

    // MARK: Devices

    private mutating func takeDevice(_ cursor: inout LineCursor) {
        let change = cursor.word("change", in: ["added", "removed"])
        let device = cursor.string("device")
        cursor.string("node")
        cursor.string("name")
        endEvent(&cursor)
        guard cursor.mistake == nil else { return }
        if change == 0 { deviceCame(device) } else { deviceWent(device) }
    }

    /// Checks that `idle` and `active` alternate for each name.
    private mutating func takeIdle(_ cursor: inout LineCursor) {
        let name = cursor.string("name")
        let change = cursor.word("change", in: ["idle", "active"])
        if change == 1 {
            cursor.word("reason", in: ["touch", "scene", "reload"])
        }
        if cursor.integer("idle_ms") < 0 { cursor.fail("a negative time") }
        cursor.integer("time_us")
        endEvent(&cursor)
        guard cursor.mistake == nil, !awaitsState else { return }
        let isNew = change == 0 ? idle.insert(name.hash).inserted : idle.remove(name.hash) != nil
        if !isNew { report(.phase, change == 0 ? "idle begins twice" : "idle ends but has not begun") }
    }

    private mutating func takeWake(_ cursor: inout LineCursor) {
        cursor.string("device")
        cursor.word("reason", in: ["display", "scene"])
        cursor.integer("time_us")
        endEvent(&cursor)
    }

    private mutating func takeConfig(_ cursor: inout LineCursor) {
        let change = cursor.word("change", in: ["applied", "rejected", "scene", "profile", "regions", "output"])
        if change == 5 { forgetPanels() }
        cursor.integer("generation")
        if change == 0 || change == 1 {
            cursor.list("diagnostics") { Self.readDiagnostic(&$0) }
        } else {
            cursor.string("scene")
            if cursor.skipKey("scene_for_ms") { _ = cursor.integer() }
            if cursor.skipKey("profile") { _ = cursor.string() }
        }
        endEvent(&cursor)
    }

    private static func readDiagnostic(_ cursor: inout LineCursor) {
        cursor.expect("{\"severity\":")
        _ = cursor.index(of: cursor.string(), "severity", in: ["error", "warning"])
        cursor.string("file")
        cursor.integer("line")
        cursor.integer("column")
        if cursor.skipKey("code") { _ = cursor.string() }
        cursor.string("message")
        if cursor.skipKey("suggestion") { _ = cursor.string() }
        cursor.expect("}")
    }

    private mutating func takeTouches(_ cursor: inout LineCursor) {
        let device = cursor.string("device")
        if cursor.skipKey("coalesced") { settle(coalesced: cursor.integer()) }
        cursor.integer("time_us")
        var ids: [Int64] = []
        var places: [(x: Double, y: Double)] = []
        cursor.list("contacts") { cursor in
            cursor.expect("{\"id\":")
            ids.append(cursor.integer())
            if cursor.integer("slot") < 0 { cursor.fail("a negative slot") }
            let x = cursor.tenths("x")
            places.append((x, cursor.tenths("y")))
            if cursor.skipKey("to") { _ = cursor.string() }
            if cursor.skipKey("kept") { _ = cursor.string() }
            if cursor.skipKey("region") { _ = cursor.string() }
            if cursor.skipKey("sequence") { _ = cursor.integer() }
            if cursor.skipKey("major_mm") { _ = cursor.tenths() }
            cursor.expect("}")
        }
        if cursor.skipKey("seen_by") { takeFurtherRegions(&cursor, ids) }
        if cursor.skipKey("given") { cursor.list { _ = $0.integer() } }
        if cursor.skipKey("ignored") {
            cursor.list { cursor in
                cursor.expect("{\"slot\":")
                if cursor.integer() < 0 { cursor.fail("a negative slot") }
                cursor.tenths("x")
                cursor.tenths("y")
                cursor.string("filter")
                if cursor.skipKey("to") { _ = cursor.string() }
                if cursor.skipKey("kept") { _ = cursor.string() }
                cursor.expect("}")
            }
        }
        endEvent(&cursor)
        guard cursor.mistake == nil else { return }
        checkPresence(of: device, "touches")
        for place in places { checkContact(place, device) }
        takeContacts(ids, device)
    }

    /// Checks that each region has its own sequence, and only contacts that the line lists.
    private func takeFurtherRegions(_ cursor: inout LineCursor, _ ids: [Int64]) {
        var sequences: Set<Int64> = []
        cursor.list { cursor in
            cursor.expect("{\"region\":")
            if cursor.string().range.isEmpty { cursor.fail("an empty region") }
            if !sequences.insert(cursor.integer("sequence")).inserted { cursor.fail("a sequence twice") }
            cursor.list("contacts") { cursor in
                if !ids.contains(cursor.integer()) { cursor.fail("a contact that is not down") }
            }
            cursor.expect("}")
        }
    }

    private mutating func takeFrame(_ cursor: inout LineCursor) {
        let device = cursor.string("device")
        cursor.integer("time_us")
        cursor.list("events") { cursor in
            cursor.expect("[")
            _ = cursor.integer()
            cursor.expect(",")
            _ = cursor.integer()
            cursor.expect(",")
            _ = cursor.integer()
            cursor.expect("]")
        }
        if cursor.skipKey("resync") { cursor.expect("true") }
        if cursor.skipKey("suspended") { cursor.expect("true") }
        if cursor.skipKey("removed") { cursor.expect("true") }
        endEvent(&cursor)
        if cursor.mistake == nil { checkPresence(of: device, "a frame") }
    }

    private func endEvent(_ cursor: inout LineCursor) {
        if cursor.skipKey("wall_ms") { _ = cursor.integer() }
        cursor.end()
    }
}
