// SPDX-License-Identifier: MIT

/// Reads the lines of a stream and finds violations of the protocol and of the laws of gestures.
///
/// The verifier is written from the protocol's documentation and uses no code of the daemon, so that it does not repeat
/// the daemon's mistakes. `scripts/check-lines` compares the members and the words of the saved lines with the schema.
package struct StreamVerifier {
    /// The lines that a stream includes.
    package enum Coverage: Hashable, Sendable {
        /// Every gesture with every phase. Updates may be missing, but each `begin` must have an end.
        case everything
        /// Only some gestures, each with every phase as with `everything`.
        case someGestures
        /// Only the lines that pass a filter. Only each line itself and its `seq` are checked.
        case filtered
    }

    /// The subscription of the client.
    package struct Subscription: Hashable, Sendable {
        package var coverage = Coverage.everything
        /// Whether `touches` lines may be missing because they were merged.
        package var hasTouches = false
        /// Whether the stream lists the devices.
        package var hasDevices = true
        /// Whether updates may be delayed, so that they come after newer lines of another gesture.
        package var hasRate = false

        package init() {}
    }

    /// The number of violations that are kept. Later ones are usually caused by the first ones.
    private static let keptViolations = 16
    /// The number of sequences that are remembered, which is more than can be in progress.
    private static let keptSequences = 4096
    /// The maximum coordinate in pixels if the size of the panel is unknown.
    private static let farthest = 1e6

    package private(set) var subscription = Subscription()
    package internal(set) var tally = StreamTally()
    package private(set) var violationCount = 0
    package private(set) var violations: [StreamViolation] = []

    var seq: Int64?
    var missing = MissingLines()
    var hasGreeted = false
    var isOver = false
    /// Whether lines were lost or the state is not known yet. The next `state` then defines the gestures in progress.
    var awaitsState = true
    /// Whether gestures may have begun before the first line.
    private let mayBeLate: Bool
    /// The idle times in progress.
    var idle: Set<UInt64> = []
    private var panels: [UInt64: (width: Double, height: Double)] = [:]
    /// The number of devices with each name, which need not be unique. A name without an entry is unknown.
    private var alive: [UInt64: Int] = [:]
    private(set) var sequences: [Int64: SequenceRecord] = [:]
    /// The latest numbers of sequences that are no longer remembered; `newest` has those of all sequences.
    private var forgotten = LatestNumbers()
    private var newest = LatestNumbers()
    /// The contacts by device.
    private var contacts: [UInt64: ContactRecord] = [:]

    /// - Parameter isWholeConnection: whether the stream begins with `hello` and `state`, as for a client, and not with
    ///   the first event.
    package init(_ coverage: Coverage = .everything, isWholeConnection: Bool = true) {
        subscription.coverage = coverage
        mayBeLate = isWholeConnection
        hasGreeted = !isWholeConnection
        awaitsState = isWholeConnection
    }

    /// Sets the size of a device's output. All later positions must lie on it.
    package mutating func setPanel(_ device: String, width: Double, height: Double) {
        panels[Self.hash(device)] = (width, height)
    }

    /// Changes the filter of the client. The next `state` then defines the gestures in progress.
    package mutating func resubscribe(_ subscription: Subscription) {
        self.subscription = subscription
        awaitsState = true
    }

    /// Checks the next line, without its line feed.
    package mutating func take(_ line: UnsafeBufferPointer<UInt8>) {
        tally.lines += 1
        let before = violationCount
        var cursor = LineCursor(line)
        if isOver { report(.order, "a line after bye") }
        let isReply = cursor.skip("{\"reply\":")
        if isReply { takeReply(&cursor) } else { takeEvent(&cursor, line.count) }
        if let mistake = cursor.mistake {
            report(mistake.contains("unknown ") ? .word : .form, mistake + " in " + Self.excerpt(line))
        }
        if violationCount == before { LineArchive.shared?.keep(line) }
    }

    package mutating func take(_ line: String) {
        var line = line
        line.withUTF8 { take($0) }
    }

    /// Checks that no gesture is in progress at the end of a stream, unless lines were lost.
    package mutating func finish() {
        guard subscription.coverage == .everything, !awaitsState else { return }
        for (id, sequence) in sequences where sequence.isOpen { report(.phase, "sequence \(id) never ends") }
    }

    /// Adds a violation.
    mutating func report(_ law: StreamViolation.Law, _ text: String) {
        violationCount += 1
        guard violations.count < Self.keptViolations else { return }
        violations.append(StreamViolation(law: law, line: tally.lines, text: text))
    }

    private static func excerpt(_ line: UnsafeBufferPointer<UInt8>) -> String {
        String(decoding: line.prefix(400), as: UTF8.self)
    }

    /// The hash function of `LineCursor`.
    private static func hash(_ text: String) -> UInt64 {
        text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}

// MARK: Gestures

extension StreamVerifier {
    mutating func takeGesture(_ cursor: inout LineCursor) {
        let line = GestureLine(&cursor)
        guard cursor.mistake == nil, let kind = line.kind else { return }
        checkWords(line, kind)
        for position in [line.start, line.position].compactMap({ $0 }) { checkPlace(position, line.device) }
        checkPresence(of: line.device, "sequence \(line.sequence)")
        // A pattern has steps in several regions and no contacts of its own.
        guard subscription.coverage != .filtered, kind != .pattern else { return settle(coalesced: line.coalesced) }
        checkSequence(line, kind)
    }

    /// Checks that a device has not been removed.
    mutating func checkPresence(of device: Word, _ what: String) {
        if subscription.hasDevices, alive[device.hash] == 0 { report(.gone, "\(what) of a removed device") }
    }

    private mutating func checkWords(_ line: GestureLine, _ kind: GestureLine.Kind) {
        if line.phase == .end, kind == .press || kind == .longPress, !line.hasHeldTime {
            report(.form, "a press that ends without the time for which it was held")
        }
        if line.phase == .update { tally.updates += 1 }
        if line.phase == .update, kind == .longPress { report(.word, "a long press with an update") }
        if line.coalesced != 0, line.phase != .update { report(.word, "coalesced outside an update") }
        if line.fingers < 1 || line.fingers > 64 { report(.count, "\(line.fingers) fingers") }
        if kind == .doubleTap, line.count != 2 { report(.count, "a double tap of \(line.count)") }
        if kind == .twoFingerTap, line.fingers != 2 { report(.count, "a two finger tap of \(line.fingers)") }
        if kind == .pinch || kind == .rotate, line.phase == .begin || line.phase == .update, line.fingers < 2 {
            report(.count, "\(line.fingers) fingers that pinch or rotate")
        }
    }

    /// Forgets the sizes of the panels, because a client has set an output of another size.
    mutating func forgetPanels() { panels = [:] }

    private mutating func checkPlace(_ position: (x: Double, y: Double), _ device: Word) {
        let size = panels[device.hash] ?? (Self.farthest, Self.farthest)
        let low = panels[device.hash] == nil ? -Self.farthest : 0
        guard position.x >= low, position.y >= low, position.x <= size.width, position.y <= size.height else {
            return report(.place, "\(position.x),\(position.y) is not on the panel")
        }
    }

    private mutating func checkSequence(_ line: GestureLine, _ kind: GestureLine.Kind) {
        guard var record = record(line.sequence, line.region, line.device, line.time) else { return }
        let i = record.index(of: line.kindWord.hash &* 31 &+ line.name.hash, count: mayBeLate ? nil : 0)
        let gesture = record.gestures[i]
        if line.time < gesture.latest { report(.time, "from \(gesture.latest) to \(line.time)") }
        record.gestures[i].latest = max(gesture.latest, line.time)
        record.gestures[i].isCovered = true
        settle(coalesced: line.coalesced, from: gesture.isOpen ? gesture.first : .min)
        switch line.phase {
        case nil:
            if kind == .repeat, let count = gesture.count, line.count != count + 1 {
                report(.count, "n is \(line.count) after \(count)")
            }
            record.gestures[i].count = line.count
        case .begin:
            if gesture.isOpen { report(.phase, "sequence \(line.sequence) begins before its end") }
            // Other kinds may begin again in the same sequence.
            if gesture.isOver, kind == .press { report(.phase, "sequence \(line.sequence) begins a second press") }
            record.gestures[i].isOpen = true
            record.gestures[i].first = seq ?? .min
        case .update:
            if !gesture.isOpen { report(.phase, "sequence \(line.sequence) has an update while not in progress") }
        case .end, .cancel:
            if !gesture.isOpen { report(.phase, "sequence \(line.sequence) ends while not in progress") }
            record.gestures[i].isOpen = false
            record.gestures[i].isOver = true
        }
        sequences[line.sequence] = record
        if line.phase == .end || line.phase == .cancel { checkMissing() }
    }

    /// The record of a sequence. Reports a violation and returns `nil` if it belongs to another region or device.
    private mutating func record(_ id: Int64, _ region: Word, _ device: Word, _ time: Int64) -> SequenceRecord? {
        var record = sequences[id] ?? SequenceRecord(region: region.hash)
        if sequences[id] == nil {
            if id == 0 { report(.sequence, "sequence \(id)") }
            if forgotten.covers(id) { report(.sequence, "sequence \(id) is reused") }
            newest.note(id)
            forget()
        }
        guard record.region == region.hash, record.device == nil || record.device == device.hash else {
            report(.sequence, "sequence \(id) is in two regions")
            return nil
        }
        record.device = device.hash
        if time < record.latest, !subscription.hasRate {
            report(.time, "sequence \(id) goes back from \(record.latest) to \(time)")
        }
        record.latest = max(record.latest, time)
        return record
    }

    /// Drops old sequences that have ended, so that memory use is bounded.
    private mutating func forget() {
        guard sequences.count >= 2 * Self.keptSequences else { return }
        let limit = newest.before(UInt64(Self.keptSequences))
        sequences = sequences.filter { !limit.covers($0.key) || $0.value.isOpen }
        forgotten = limit
    }

    mutating func takeFailed(_ cursor: inout LineCursor) {
        let line = FailedLine(&cursor)
        guard cursor.mistake == nil, let kind = line.kind else { return }
        checkPresence(of: line.device, "sequence \(line.sequence)")
        guard subscription.coverage != .filtered, kind != .pattern else { return }
        guard var record = record(line.sequence, line.region, line.device, line.time) else { return }
        let i = record.index(of: line.kindWord.hash &* 31 &+ line.name.hash, count: mayBeLate ? nil : 0)
        if record.gestures[i].isOpen { report(.phase, "sequence \(line.sequence) fails while in progress") }
        sequences[line.sequence] = record
    }
}

// MARK: Devices and states

extension StreamVerifier {
    mutating func deviceCame(_ device: Word) { alive[device.hash, default: 0] += 1 }

    mutating func takeDevices(_ ready: [Word]) {
        alive = alive.mapValues { _ in 0 }
        for device in ready { alive[device.hash, default: 0] += 1 }
    }

    /// Checks that no gesture of a removed device is in progress.
    mutating func deviceWent(_ device: Word) {
        alive[device.hash] = max(0, alive[device.hash, default: 1] - 1)
        guard alive[device.hash] == 0 else { return }
        _ = contacts[device.hash]?.take([])
        guard subscription.coverage != .filtered else { return }
        for (id, sequence) in sequences where sequence.device == device.hash && sequence.isOpen {
            report(.gone, "sequence \(id) is in progress on a removed device")
        }
    }

    /// Processes the gestures of a `state`. After a loss, they define the gestures in progress; otherwise they must
    /// agree with the stream.
    mutating func takeActive(_ active: [(sequence: Int64, region: Word, name: UInt64)]) {
        defer { awaitsState = false }
        guard subscription.coverage != .filtered else { return }
        var known: Set<[UInt64]> = []
        for entry in active {
            var record = sequences[entry.sequence] ?? SequenceRecord(region: entry.region.hash)
            let i = record.index(of: entry.name, count: nil)
            if !awaitsState, !record.gestures[i].isOpen, subscription.coverage == .everything {
                report(.order, "state lists sequence \(entry.sequence), which is not in progress in the stream")
            }
            if !record.gestures[i].isOpen { record.gestures[i].first = .min }
            record.gestures[i].isCovered = subscription.coverage == .everything
            record.gestures[i].isOpen = true
            sequences[entry.sequence] = record
            newest.note(entry.sequence)
            known.insert([UInt64(bitPattern: entry.sequence), entry.name])
        }
        for (id, record) in sequences {
            for (i, gesture) in record.gestures.enumerated() {
                if awaitsState { sequences[id]?.gestures[i].count = nil }
                guard gesture.isOpen, !known.contains([UInt64(bitPattern: id), gesture.name]) else { continue }
                if !awaitsState { report(.order, "sequence \(id) is in progress, but missing in state") }
                sequences[id]?.gestures[i].isOpen = false
            }
        }
    }

    mutating func takeContacts(_ ids: [Int64], _ device: Word) {
        for mistake in contacts[device.hash, default: ContactRecord()].take(ids) { report(.contact, mistake) }
    }

    mutating func checkContact(_ position: (x: Double, y: Double), _ device: Word) { checkPlace(position, device) }
}
