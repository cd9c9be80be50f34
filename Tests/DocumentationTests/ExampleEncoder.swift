// SPDX-License-Identifier: MIT
import GestureEngine
import GesturePipeline
import GestureProtocol

/// Encodes events as a client receives them.
struct ExampleEncoder: ~Copyable {
    private var encoder: GestureEncoder
    private var event = EventLine()
    private var buffer = JSONWriter()
    private var number: Int64 = 0

    init(_ regions: [Region], size: PanelSize) {
        encoder = GestureEncoder(regions, size: size, device: "panel")
    }

    /// The event's line, without its line feed.
    mutating func line(_ gesture: GestureEvent, coalesced: Int64 = 0) -> String {
        encoder.encode(gesture, into: &event)
        number += 1
        buffer.removeAll()
        event.write(number: number, coalesced: coalesced, into: &buffer)
        return String(buffer.text.dropLast())
    }
}
