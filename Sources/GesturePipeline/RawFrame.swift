// SPDX-License-Identifier: MIT
package import GestureEngine
package import GestureProtocol

/// The kernel events of one frame as they came, for recordings.
package struct RawFrame: Hashable, Sendable {
    private struct Event: Hashable, Sendable, BitwiseCopyable {
        var type: UInt16
        var code: UInt16
        var value: Int32
    }

    private var events: [Event] = []

    package init() {}

    package mutating func append(_ type: UInt16, _ code: UInt16, _ value: Int32) {
        events.append(Event(type: type, code: code, value: value))
    }

    package mutating func removeAll() {
        events.removeAll(keepingCapacity: true)
    }

    /// Writes a `frame` line: `"events":[[type,code,value],…]`.
    package func encode(
        device: String, at time: Timestamp, isResynchronized: Bool, isRemoved: Bool, into line: inout EventLine
    ) {
        line.start(.frame)
        line.body.appendKey("device")
        line.body.appendQuoted(device)
        line.appendTime(time.microseconds)
        line.body.appendKey("events")
        line.body.append("[")
        for i in events.indices {
            if i > 0 { line.body.append(",") }
            line.body.append("[")
            line.body.appendInteger(Int64(events[i].type))
            line.body.append(",")
            line.body.appendInteger(Int64(events[i].code))
            line.body.append(",")
            line.body.appendInteger(Int64(events[i].value))
            line.body.append("]")
        }
        line.body.append("]")
        if isResynchronized { line.body.append(",\"resync\":true") }
        if isRemoved { line.body.append(",\"removed\":true") }
        line.finish()
    }
}
