// SPDX-License-Identifier: MIT
import CEvdev
import CLinux
import ContactTracking
import GestureEngine

/// Reads kernel events from a descriptor into a reused buffer.
///
/// libevdev is not used, because it drops the tracking id of a contact that takes over a slot without a lift, and
/// because it needs about 700 instructions per event.
struct EventReader: ~Copyable {
    enum Outcome: Equatable {
        /// `events` contains the events that were read. `isDry` is true if no more events are available.
        case read(isDry: Bool)
        /// No events are available.
        case nothing
        /// The device is gone, and this descriptor can no longer be used.
        case gone
    }

    /// The maximum number of events in one read. For a panel with ten slots, the kernel does not buffer more.
    static let capacity = 512

    /// The events of the last read.
    private(set) var events: [KernelEvent] = []
    /// The index of the first `SYN_DROPPED` in `events`; `nil` if there is none.
    private(set) var firstDropped: Int?
    /// Whether events are given the time of the read. Used for a device whose clock could not be set.
    var stampsArrival = false

    private var raw = [input_event](repeating: input_event(), count: capacity)
    /// The number of bytes of an incomplete event. A device returns only complete events, but a pipe may not.
    private var leftover = 0

    init() { events.reserveCapacity(Self.capacity) }

    mutating func read(from descriptor: CInt, arrival: @autoclosure () -> Int64) -> Outcome {
        events.removeAll(keepingCapacity: true)
        let size = MemoryLayout<input_event>.stride
        let available = Self.capacity * size - leftover
        let result = raw.withUnsafeMutableBytes { buffer in
            var result: Int
            repeat {
                let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[leftover...])
                result = CLinux.read(descriptor, rest.baseAddress, available)
            } while result < 0 && linux_errno() == EINTR
            return result
        }
        guard result >= 0 else { return linux_errno() == EAGAIN ? .nothing : .gone }
        guard result > 0 else { return .gone }
        let (whole, rest) = (leftover + result).quotientAndRemainder(dividingBy: size)
        convert(raw[..<whole], arrival: stampsArrival ? arrival() : nil)
        leftover = rest
        if rest > 0 { raw[0] = raw[whole] }
        return .read(isDry: result < available)
    }

    /// Discards available events.
    /// - Returns: `false` if the device is gone.
    mutating func discard(from descriptor: CInt) -> Bool {
        defer { events.removeAll(keepingCapacity: true) }
        // The number of reads is limited, because a device may fill its queue as fast as it is emptied.
        for _ in 0..<8 {
            switch read(from: descriptor, arrival: 0) {
            case .read(isDry: false): continue
            case .read(isDry: true), .nothing: return true
            case .gone: return false
            }
        }
        return true
    }

    private mutating func convert(_ raw: ArraySlice<input_event>, arrival: Int64?) {
        var dropped: Int?
        // Appending one event at a time would check for each that the array is unique and has room.
        events.append(addingCapacity: raw.count) { converted in
            for var event in raw {
                if event.type == EventCode.evSyn, event.code == EventCode.synDropped, dropped == nil {
                    dropped = converted.count
                }
                converted.append(
                    KernelEvent(
                        time: Timestamp(microseconds: arrival ?? evdev_event_time(&event)), type: event.type,
                        code: event.code, value: event.value))
            }
        }
        firstDropped = dropped
    }
}
