// SPDX-License-Identifier: MIT
package import ContactTracking
package import GestureEngine
package import GestureProtocol

/// The unmodified kernel events of one frame, for clients that record.
package struct RawFrame: Hashable, Sendable {
    /// The reason for a `frame` line that is not a frame of the device.
    package enum Mark: Hashable, Sendable {
        /// Events were lost; the frame contains the whole table of slots.
        case resync
        /// The machine was suspended; events since then are unknown.
        case suspended
        /// The device is gone.
        case removed
    }

    private var events: [KernelEvent] = []

    package init() {}

    package mutating func append(_ event: KernelEvent) { events.append(event) }

    package mutating func append(_ events: ArraySlice<KernelEvent>) { self.events += events }

    /// Whether the kernel says in this frame that it has lost events.
    var hasLoss: Bool { events.contains { $0.type == EventCode.evSyn && $0.code == EventCode.synDropped } }

    package mutating func removeAll() {
        events.removeAll(keepingCapacity: true)
    }

    /// Writes a `frame` line: `"events":[[type,code,value],…]`.
    /// - Parameter subject: the subject of the panel.
    package func encode(device: String, subject: Int, at time: Timestamp, mark: Mark?, into line: inout EventLine) {
        line.start(.frame, subject: subject)
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
        switch mark {
        case .resync: line.body.member("resync", true)
        case .suspended: line.body.member("suspended", true)
        case .removed: line.body.member("removed", true)
        case nil: break
        }
    }
}
