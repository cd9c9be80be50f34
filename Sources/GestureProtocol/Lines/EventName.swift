// SPDX-License-Identifier: MIT

/// The events a client can subscribe to. `hello`, `state`, `overflow` and `bye` come by themselves.
package enum EventName: UInt8, Hashable, Sendable, BitwiseCopyable, CaseIterable {
    case gesture, failed, touches, device, config, frame

    /// The word on the wire.
    @inlinable
    package var word: StaticString {
        switch self {
        case .gesture: "gesture"
        case .failed: "failed"
        case .touches: "touches"
        case .device: "device"
        case .config: "config"
        case .frame: "frame"
        }
    }

    /// How each line of this event starts, up to the number in `seq`.
    @inlinable
    var opening: StaticString {
        switch self {
        case .gesture: "{\"event\":\"gesture\",\"seq\":"
        case .failed: "{\"event\":\"failed\",\"seq\":"
        case .touches: "{\"event\":\"touches\",\"seq\":"
        case .device: "{\"event\":\"device\",\"seq\":"
        case .config: "{\"event\":\"config\",\"seq\":"
        case .frame: "{\"event\":\"frame\",\"seq\":"
        }
    }
}
