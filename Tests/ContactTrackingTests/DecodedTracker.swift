// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine

/// A tracker, with a decoder before it where the device has no slots.
struct DecodedTracker: ~Copyable {
    var tracker: SlotTracker
    private var decoder: UnslottedDecoder?

    init(_ device: DeviceDescription, _ touchProtocol: TouchProtocol, _ filter: FilterSettings) {
        let mapping = AxisMapping(device, output: OutputSettings())
        tracker = SlotTracker(device, protocol: touchProtocol, mapping: mapping, filter: filter)
        if touchProtocol == .unslotted { decoder = UnslottedDecoder(device) }
    }

    mutating func feed(_ type: UInt16, _ code: UInt16, _ value: Int32, _ time: Timestamp) -> Bool {
        guard decoder != nil else { return tracker.feed(type: type, code: code, value: value, time: time) }
        guard decoder?.take(type: type, code: code, value: value) == .frame else { return false }
        for event in decoder?.events ?? [] {
            _ = tracker.feed(type: 3, code: event.code, value: event.value, time: time)
        }
        return tracker.feed(type: 0, code: 0, value: 0, time: time)
    }
}
