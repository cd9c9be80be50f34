// SPDX-License-Identifier: MIT

/// The kinds of lines.
extension StreamVerifier {
    /// How many events may be missing for a while: as many as can be queued.
    private static let longestDebt: Int64 = 512
    /// In bytes.
    private static let longestEvent = 4096

    mutating func takeReply(_ cursor: inout LineCursor) {
        if !cursor.skip("null") { _ = cursor.string() }
        if cursor.skipKey("id") { cursor.anything() }
        cursor.key("ok")
        _ = cursor.bool()
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
                    "idle",
                ])
        else { return }
        // Only state and frame may be longer.
        if length > Self.longestEvent, name != 3, name != 7 { report(.form, "a line of \(length) bytes") }
        if hasGreeted == (name == 6) { report(.order, hasGreeted ? "a second hello" : "no hello at first") }
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
        default: takeOverflow(&cursor)
        }
        if debt > Self.longestDebt { report(.seq, "\(debt) events are missing, and nothing says so") }
    }

    // MARK: seq

    private mutating func takeNumber(_ cursor: inout LineCursor) {
        cursor.key("seq")
        let number = cursor.integer()
        guard cursor.mistake == nil else { return }
        if let seq {
            if number <= seq { report(.seq, "\(number) after \(seq)") }
            debt += max(0, number - seq - 1)
        }
        seq = number
    }

    /// Lines that were merged into this one are not lost.
    mutating func settle(coalesced: Int64) {
        debt -= coalesced
        if debt < 0 {
            report(.seq, "\(coalesced) coalesced, but fewer are missing")
            debt = 0
        }
    }

    private mutating func takeOverflow(_ cursor: inout LineCursor) {
        cursor.key("dropped")
        let dropped = cursor.integer()
        cursor.key("since_ms")
        _ = cursor.integer()
        cursor.end()
        guard cursor.mistake == nil else { return }
        if dropped != debt { report(.seq, "\(dropped) dropped, but \(debt) are missing") }
        debt = 0
        awaitsState = true
    }

    // MARK: Beginning, state, end

    private mutating func takeHello(_ cursor: inout LineCursor) {
        hasGreeted = true
        cursor.key("protocol")
        if cursor.integer() != 1 { report(.form, "another protocol") }
        cursor.key("server")
        _ = cursor.string()
        cursor.key("instance")
        _ = cursor.string()
        cursor.key("capabilities")
        cursor.list { _ = $0.string() }
        cursor.key("rights")
        cursor.list { _ = $0.string() }
        cursor.key("config_generation")
        _ = cursor.integer()
        cursor.end()
    }

    private mutating func takeState(_ cursor: inout LineCursor) {
        cursor.key("seq")
        let number = cursor.integer()
        if cursor.mistake == nil, number != seq ?? number { report(.seq, "state \(number) after \(seq ?? 0)") }
        seq = number
        cursor.key("devices")
        var ready: [Word] = []
        cursor.list { cursor in
            cursor.expect("{\"device\":")
            let device = cursor.string()
            cursor.key("state")
            let state = cursor.string()
            if cursor.matches(state, "ready") { ready.append(device) }
            cursor.expect("}")
        }
        cursor.key("scene")
        if !cursor.skip("null") { _ = cursor.string() }
        var idle: Set<UInt64> = []
        if cursor.skipKey("idle") { cursor.list { idle.insert($0.string().hash) } }
        cursor.key("active")
        var active: [(sequence: Int64, region: Word, name: UInt64)] = []
        cursor.list { cursor in
            cursor.expect("{\"region\":")
            let region = cursor.string()
            cursor.key("gesture")
            let kind = cursor.string()
            cursor.key("name")
            let name = cursor.string()
            cursor.key("device")
            _ = cursor.string()
            cursor.key("sequence")
            active.append((cursor.integer(), region, kind.hash &* 31 &+ name.hash))
            cursor.expect("}")
        }
        cursor.end()
        guard cursor.mistake == nil else { return }
        takeDevices(ready)
        self.idle = idle
        takeActive(active)
    }

    private mutating func takeBye(_ cursor: inout LineCursor) {
        cursor.key("reason")
        _ = cursor.string()
        cursor.end()
        finish()
        isOver = true
    }

    // MARK: Devices

    private mutating func takeDevice(_ cursor: inout LineCursor) {
        cursor.key("change")
        let change = cursor.index(of: cursor.string(), "change", in: ["added", "removed"])
        cursor.key("device")
        let device = cursor.string()
        cursor.key("node")
        _ = cursor.string()
        cursor.key("name")
        _ = cursor.string()
        endEvent(&cursor)
        guard cursor.mistake == nil else { return }
        if change == 0 { deviceCame(device) } else { deviceWent(device) }
    }

    /// The two changes of each name alternate.
    private mutating func takeIdle(_ cursor: inout LineCursor) {
        cursor.key("name")
        let name = cursor.string()
        cursor.key("change")
        let change = cursor.index(of: cursor.string(), "change", in: ["idle", "active"])
        if change == 1 {
            cursor.key("reason")
            _ = cursor.index(of: cursor.string(), "reason", in: ["touch", "scene", "reload"])
        }
        cursor.key("idle_ms")
        if cursor.integer() < 0 { cursor.fail("a negative time") }
        cursor.key("time_us")
        _ = cursor.integer()
        endEvent(&cursor)
        guard cursor.mistake == nil, !awaitsState else { return }
        let isNew = change == 0 ? idle.insert(name.hash).inserted : idle.remove(name.hash) != nil
        if !isNew { report(.phase, change == 0 ? "idle begins what is under way" : "idle ends what is not under way") }
    }

    private mutating func takeConfig(_ cursor: inout LineCursor) {
        cursor.key("change")
        let change = cursor.index(of: cursor.string(), "change", in: ["applied", "rejected", "scene", "regions"])
        cursor.key("generation")
        _ = cursor.integer()
        if change == 0 || change == 1 {
            cursor.key("diagnostics")
            cursor.list { Self.readDiagnostic(&$0) }
        } else {
            cursor.key("scene")
            _ = cursor.string()
        }
        endEvent(&cursor)
    }

    private static func readDiagnostic(_ cursor: inout LineCursor) {
        cursor.expect("{\"severity\":")
        _ = cursor.index(of: cursor.string(), "severity", in: ["error", "warning"])
        cursor.key("file")
        _ = cursor.string()
        cursor.key("line")
        _ = cursor.integer()
        cursor.key("column")
        _ = cursor.integer()
        if cursor.skipKey("code") { _ = cursor.string() }
        cursor.key("message")
        _ = cursor.string()
        if cursor.skipKey("suggestion") { _ = cursor.string() }
        cursor.expect("}")
    }

    private mutating func takeTouches(_ cursor: inout LineCursor) {
        cursor.key("device")
        let device = cursor.string()
        if cursor.skipKey("coalesced") { settle(coalesced: cursor.integer()) }
        cursor.key("time_us")
        _ = cursor.integer()
        cursor.key("contacts")
        var ids: [Int64] = []
        var places: [(x: Double, y: Double)] = []
        cursor.list { cursor in
            cursor.expect("{\"id\":")
            ids.append(cursor.integer())
            cursor.key("slot")
            if cursor.integer() < 0 { cursor.fail("a negative slot") }
            cursor.key("x")
            let x = cursor.tenths()
            cursor.key("y")
            places.append((x, cursor.tenths()))
            if cursor.skipKey("to") { _ = cursor.string() }
            if cursor.skipKey("region") { _ = cursor.string() }
            if cursor.skipKey("major_mm") { _ = cursor.tenths() }
            cursor.expect("}")
        }
        if cursor.skipKey("given") { cursor.list { _ = $0.integer() } }
        if cursor.skipKey("ignored") {
            cursor.list { cursor in
                cursor.expect("{\"slot\":")
                if cursor.integer() < 0 { cursor.fail("a negative slot") }
                cursor.key("x")
                _ = cursor.tenths()
                cursor.key("y")
                _ = cursor.tenths()
                cursor.key("filter")
                _ = cursor.string()
                cursor.expect("}")
            }
        }
        endEvent(&cursor)
        guard cursor.mistake == nil else { return }
        for place in places { checkContact(place, device) }
        takeContacts(ids, device)
    }

    private mutating func takeFrame(_ cursor: inout LineCursor) {
        cursor.key("device")
        _ = cursor.string()
        cursor.key("time_us")
        _ = cursor.integer()
        cursor.key("events")
        cursor.list { cursor in
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
    }

    private func endEvent(_ cursor: inout LineCursor) {
        if cursor.skipKey("wall_ms") { _ = cursor.integer() }
        cursor.end()
    }
}
