// SPDX-License-Identifier: MIT
import ContactTracking
import GestureClient
import GestureEngine
import GesturePipeline
import GestureProtocol
import TouchSharing

/// An event at a panel, from a replay or from a line of the daemon. Positions and numbers are rounded
/// as in lines, so that both are explained in the same words.
struct StoryEvent {
    enum Content {
        /// A line of a gesture in a sequence of a region.
        case gesture(Explanation.Recognized, region: String, sequence: Int64)
        case failed(GestureClient.Failure)
        case touches(TouchesReport)
        case wake(reason: String)
        case scene(String)
        /// Events of the panel were lost.
        case gap
        /// Nothing but that time passes.
        case time
    }

    /// The panel; empty for a scene.
    var device: String
    /// In microseconds.
    var time: Int64
    var content: Content
}

/// Events of a replay.
extension StoryEvent {
    init(_ output: PanelOutput, device: String) {
        switch output {
        case .gesture(let event, let region):
            let content: Content =
                if let failure = GestureClient.Failure(event, of: region, device: device) {
                    .failed(failure)
                } else {
                    .gesture(
                        Explanation.Recognized(event, region.gestures[event.gesture]), region: region.name.safe,
                        sequence: event.sequence.rawValue)
                }
            self.init(device: device, time: event.time.microseconds, content: content)
        case .touches(let report): self.init(device: device, time: report.time, content: .touches(report))
        case .wake(let reason, let time):
            self.init(device: device, time: time.microseconds, content: .wake(reason: reason.rawValue))
        case .idle(let change): self.init(device: device, time: change.time.microseconds, content: .time)
        case .frame(let time, let isAfterLoss):
            self.init(device: device, time: time.microseconds, content: isAfterLoss ? .gap : .time)
        }
    }
}

extension Explanation.Recognized {
    fileprivate init(_ event: GestureEvent, _ gesture: Gesture) {
        self.init(kind: gesture.word, name: gesture.name.safe, time: event.time.microseconds)
        switch event.phase {
        case .begin, .update: isOver = false
        case .cancel(let reason): (cancelled, cancelTime) = (reason.word, time)
        case .end: break
        case nil: times = 1
        }
        if case .stroke(let score, _, _) = event.detail { self.score = (score * 10_000).rounded() / 10_000 }
    }
}

extension GestureClient.Failure {
    /// Creates the failure as a line tells it, with texts that are safe on a terminal.
    /// - Returns: `nil` if the event is no failure.
    init?(_ event: GestureEvent, of region: Region, device: String) {
        guard case .failed(let failure) = event.detail else { return nil }
        let gesture = region.gestures[event.gesture]
        let report = FailureReport(
            failure, of: gesture.settings.kind, directions: gesture.settings.swipeDirections)
        self.init(
            kind: .init(rawValue: gesture.word), name: gesture.name, region: region.name, device: device,
            sequence: Int(event.sequence.rawValue), code: report.code, key: report.key, message: report.message,
            time: Int(event.time.microseconds))
        (value, limit, unit) = (report.numbers?.value, report.numbers?.limit, report.numbers?.unit.name)
        (action, isLeased) = (gesture.action, region.isLeased)
        self = safe
    }
}

/// Lines of the daemon, which may be one of another version.
extension StoryEvent {
    init(_ line: JSONValue) {
        device = line.text("device").safe
        time = Int64(line.time("time_us") ?? 0)
        content = Self.content(line)
    }

    private static func content(_ line: JSONValue) -> Content {
        if line["event"]?.string == "frame" { return line.isAfterLoss ? .gap : .time }
        switch GestureClient.Event(line) {
        case .gesture(let gesture):
            return .gesture(
                Explanation.Recognized(gesture), region: gesture.region.safe, sequence: Int64(gesture.sequence))
        case .failed(let failure): return .failed(failure.safe)
        case .touches(let touches): return .touches(TouchesReport(touches))
        case .wake(let wake): return .wake(reason: wake.reason.safe)
        case .state(let state): return .scene(state.scene.safe)
        case .configuration(let change): return change.scene.map { .scene($0.safe) } ?? .time
        default: return .time
        }
    }
}

extension Explanation.Recognized {
    fileprivate init(_ gesture: GestureClient.Gesture) {
        self.init(kind: gesture.kind.rawValue.safe, name: gesture.name.safe, time: gesture.time.map { Int64($0) })
        isOver = gesture.phase != .begin && gesture.phase != .update
        if gesture.phase == .cancel { (cancelled, cancelTime) = ((gesture.reason?.rawValue ?? "cancel").safe, time) }
        if gesture.phase == nil { times = 1 }
        score = gesture.score
    }
}

extension TouchesReport {
    fileprivate init(_ touches: GestureClient.Touches) {
        func receiver(_ word: String?, _ kept: String?) -> TouchReceiver? {
            word.map { TouchReceiver(word: $0.safe, kept: kept?.safe) }
        }
        self.init()
        time = Int64(touches.time)
        contacts = touches.contacts.map { contact in
            var told = Contact(
                id: Int64(contact.id), slot: contact.slot, x: contact.position.x, y: contact.position.y,
                receiver: receiver(contact.receiver, contact.kept))
            (told.region, told.sequence) = (contact.region, contact.sequence.map { Int64($0) })
            return told
        }
        further = touches.seenBy.map {
            FurtherRegion(region: $0.region, sequence: Int64($0.sequence), contacts: $0.contacts.map { Int64($0) })
        }
        given = touches.given.map { Int64($0) }
        hidden = touches.ignored.map { contact in
            var told = Contact(
                id: nil, slot: contact.slot, x: contact.position.x, y: contact.position.y,
                receiver: receiver(contact.receiver, contact.kept))
            told.filter = contact.filter.safe
            return told
        }
    }
}

extension JSONValue {
    /// Whether this is a `frame` line that follows a loss of events: one with `resync`, which has the slots as they were
    /// read from the device, or one that contains a recorded `SYN_DROPPED`.
    fileprivate var isAfterLoss: Bool {
        self["resync"]?.bool == true
            || list("events").contains { ($0.array ?? []).prefix(2).map(\.integer) == [0, 3] }
    }
}
