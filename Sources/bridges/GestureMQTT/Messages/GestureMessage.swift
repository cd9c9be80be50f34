// SPDX-License-Identifier: MIT
#if MQTT
import BridgeProgram
import GestureClient
import GestureProtocol

/// The message about a gesture. It has all members of the gesture except positions, which are optional.
struct GestureMessage {
    let gesture: GestureClient.Gesture
    let positions: Bool

    var payload: [UInt8] { Reports.object { write(into: &$0) } }

    private func write(into json: inout JSONWriter) {
        json.member("gesture", gesture.kind.rawValue)
        json.member("name", gesture.name)
        if let action = gesture.action { json.member("action", action) }
        if let phase = gesture.phase { json.member("phase", phase.rawValue) }
        if let reason = gesture.reason { json.member("reason", reason.rawValue) }
        json.member("region", gesture.region)
        if gesture.isLeased { json.member("leased", true) }
        if let device = gesture.device { json.member("device", device) }
        json.member("sequence", gesture.sequence)
        if let fingers = gesture.fingers { json.member("fingers", fingers) }
        writeValues(into: &json)
        if positions { writePositions(into: &json) }
        if gesture.coalesced > 0 { json.member("coalesced", gesture.coalesced) }
        if let time = gesture.time { json.member("time_us", time) }
        if let time = gesture.wallMilliseconds { json.member("time_ms", time) }
    }

    /// Writes the members that exist only for some kinds of gestures.
    private func writeValues(into json: inout JSONWriter) {
        // vocabulary: members
        if let value = gesture.isInside { json.member("inside", value) }
        if let value = gesture.count { json.member("count", value) }
        if let value = gesture.repetition { json.member("n", value) }
        if let value = gesture.steps { json.member("steps", value) }
        if let value = gesture.direction { json.member("direction", value) }
        if let value = gesture.angle { json.member("angle", tenths: value) }
        if let value = gesture.distance { json.member("distance_mm", tenths: value) }
        if let value = gesture.speed { json.member("velocity_mm_s", tenths: value) }
        if let value = gesture.scale { json.member("scale", tenThousandths: value) }
        if let value = gesture.rotation { json.member("rotation", tenths: value) }
        if let value = gesture.turnRate { json.member("velocity_deg_s", tenths: value) }
        if let value = gesture.score { json.member("score", tenThousandths: value) }
        if let value = gesture.heldMilliseconds { json.member("held_ms", value) }
        if let value = gesture.durationMilliseconds { json.member("duration_ms", value) }
        // vocabulary: end
    }

    private func writePositions(into json: inout JSONWriter) {
        // vocabulary: places
        if let value = gesture.translation { json.members("dx", "dy", tenths: value) }
        if let value = gesture.velocity { json.members("vx", "vy", tenths: value) }
        if let value = gesture.start { json.object("start") { $0.members("x", "y", tenths: value) } }
        if let value = gesture.predicted { json.object("predicted") { $0.members("x", "y", tenths: value) } }
        // vocabulary: end
        if let position = gesture.position { json.members("x", "y", tenths: position) }
        if let fraction = gesture.fraction { json.members("u", "v", tenThousandths: fraction) }
    }
}

extension JSONWriter {
    /// Writes both coordinates of a point.
    fileprivate mutating func members(_ x: StaticString, _ y: StaticString, tenths point: GestureClient.Point) {
        member(x, tenths: point.x)
        member(y, tenths: point.y)
    }

    /// Writes both coordinates of a point.
    fileprivate mutating func members(_ x: StaticString, _ y: StaticString, tenThousandths point: GestureClient.Point) {
        member(x, tenThousandths: point.x)
        member(y, tenThousandths: point.y)
    }
}

/// Decides which gestures are sent, and with which quality of service.
struct GestureFilter {
    private struct Rule {
        let globs: GlobFilter
        let phases: [String]
        let qualityOfService: Int
        let takesLeased: Bool
    }

    private let rules: [Rule]

    init(_ selections: [MQTTSettings.GestureSelection]) {
        let selections = selections.isEmpty ? [MQTTSettings.GestureSelection()] : selections
        rules = selections.map { selection in
            let globs = GlobFilter(
                regions: selection.regions, devices: selection.devices, gestures: selection.gestures,
                names: selection.names)
            return Rule(
                globs: globs, phases: selection.phases, qualityOfService: selection.qualityOfService,
                takesLeased: selection.leased)
        }
    }

    /// Returns the subscription. If there is only one rule, its filter is used; otherwise, everything that may match a
    /// rule is included.
    static func subscription(_ selections: [MQTTSettings.GestureSelection]) -> GestureClient.Subscription {
        var subscription = GestureClient.Subscription(events: [.gesture, .idle, .device, .config], wallClock: true)
        let words = selections.isEmpty ? MQTTSettings.GestureSelection().phases : selections.flatMap { $0.phases }
        subscription.phases = Set(words.compactMap { GestureClient.Gesture.Phase(rawValue: $0) })
        // Each `begin` must be followed by an end, and the client library adds a lost end only if it receives `end` and
        // `cancel`.
        if !subscription.phases.isDisjoint(with: [.begin, .update]) { subscription.phases.formUnion([.end, .cancel]) }
        // `devices` would also hide events about the panels themselves.
        guard selections.count == 1, let only = selections.first else { return subscription }
        (subscription.regions, subscription.gestures, subscription.names) = (only.regions, only.gestures, only.names)
        return subscription
    }

    /// - Returns: the quality of service of the first rule that matches the gesture; `nil` if none matches.
    func qualityOfService(of gesture: GestureClient.Gesture) -> Int? {
        rules.first { rule in
            (rule.takesLeased || !gesture.isLeased) && rule.globs.passes(device: gesture.device)
                && rule.globs.passes(region: gesture.region, gesture: gesture.kind.rawValue, name: gesture.name)
                && (gesture.phase.map { rule.phases.contains($0.rawValue) } ?? true)
        }?.qualityOfService
    }
}

/// Gestures that the broker has not accepted yet. They are only useful while they are recent, so gestures that are too
/// old are dropped and counted.
struct GestureQueue {
    /// The maximum number of waiting gestures. If there were more, they would become too old.
    static let most = 256

    /// The number of gestures that were dropped because they were too old or because there were too many.
    private(set) var dropped = 0
    private var waiting: [(message: BrokerMessage, since: Int64)] = []
    private let maxAge: Int64

    /// - Parameter maxAge: the maximum age in microseconds.
    init(maxAge: Int64) { self.maxAge = maxAge }

    var isEmpty: Bool { waiting.isEmpty }

    /// - Parameter now: the time on the monotonic clock, in microseconds.
    mutating func add(_ message: BrokerMessage, now: Int64) {
        expire(now: now)
        if waiting.count >= Self.most {
            waiting.removeFirst()
            dropped += 1
        }
        waiting.append((message, now))
    }

    mutating func next(now: Int64) -> BrokerMessage? {
        expire(now: now)
        return waiting.isEmpty ? nil : waiting.removeFirst().message
    }

    mutating func expire(now: Int64) {
        let fresh = waiting.drop { now - $0.since > maxAge }
        dropped += waiting.count - fresh.count
        if fresh.count != waiting.count { waiting = Array(fresh) }
    }
}
#endif
