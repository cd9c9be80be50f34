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
        line.body.member("device", device)
        line.writeTime(time.microseconds)
        line.body.array("events") { json in
            for event in events {
                json.array { json in
                    json.value(Int64(event.type))
                    json.value(Int64(event.code))
                    json.value(Int64(event.value))
                }
            }
        }
        if isResynchronized { line.body.member("resync", true) }
        if isRemoved { line.body.member("removed", true) }
    }
}
