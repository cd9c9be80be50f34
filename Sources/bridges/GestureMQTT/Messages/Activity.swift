// SPDX-License-Identifier: MIT
#if MQTT
import GestureClient
import GestureProtocol

/// Whether somebody uses the panel, for the message `…/activity`. All times are wall times in milliseconds.
struct Activity {
    /// The time without a touch after which the panel is idle where no `[[idle]]` counts.
    static let patience: Int64 = 60_000

    /// The names of idle times that have begun; `nil` if none counts.
    private var idle: Set<String>?
    private var lastTouch: Int64?
    private var lastGesture: Int64?
    /// The contents of the last message.
    private var told: [UInt8] = []
    private var isIdleTold: Bool?

    /// Notes a gesture.
    /// - Returns: whether to send a message at once.
    mutating func noteGesture(now: Int64) -> Bool {
        lastGesture = now
        lastTouch = now
        return isIdle(now) != isIdleTold
    }

    /// - Returns: whether to send a message at once.
    mutating func take(_ change: GestureClient.Idle, now: Int64) -> Bool {
        var names = idle ?? []
        if change.isIdle { names.insert(change.name) } else { names.remove(change.name) }
        idle = names
        if !change.isIdle, ["touch", "activity"].contains(change.reason) { lastTouch = now }
        return isIdle(now) != isIdleTold
    }

    /// Takes the reply to `status`, which has the time since the last touch in whole seconds.
    mutating func take(status: JSONValue, now: Int64) {
        idle = status["idle"]?.array.map { Set($0.compactMap(\.string)) }
        guard let length = status["idle_ms"]?.integer else { return }
        // Nobody has touched a panel since the daemon started.
        if let uptime = status["uptime_ms"]?.integer, uptime - length < 2000 { return }
        let time = (now - length) / 1000 * 1000
        // This is the same touch, unless the clock has been set.
        if let lastTouch, abs(time - lastTouch) < 2000 { return }
        lastTouch = time
    }

    /// - Returns: the message, if it differs from the last one.
    mutating func message(now: Int64) -> [UInt8]? {
        let isIdle = isIdle(now)
        let content = payload(isIdle, time: 0)
        guard content != told else { return nil }
        (told, isIdleTold) = (content, isIdle)
        return payload(isIdle, time: now)
    }

    /// The broker may be another one.
    mutating func forget() { (told, isIdleTold) = ([], nil) }

    private func isIdle(_ now: Int64) -> Bool {
        if let idle { return !idle.isEmpty }
        return lastTouch.map { now - $0 >= Self.patience } ?? true
    }

    private func payload(_ isIdle: Bool, time: Int64) -> [UInt8] {
        Reports.object { json in
            json.member("state", isIdle ? "idle" : "active")
            if let lastTouch { json.member("last_touch_ms", lastTouch) }
            if let lastGesture { json.member("last_gesture_ms", lastGesture) }
            json.member("time_ms", time)
        }
    }
}
#endif
