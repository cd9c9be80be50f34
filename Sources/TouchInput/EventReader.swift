// SPDX-License-Identifier: MIT
import CEvdev
import CLinux
import ContactTracking
import GestureEngine

/// Reads kernel events from a descriptor into a buffer that is used again and again.
///
/// Not libevdev: it throws away the id of a finger that takes over a slot without a lift, and
/// costs some 700 instructions an event.
final class EventReader {
    enum Outcome: Equatable {
        /// `events` holds so many; `isDry`: nothing more waits.
        case read(isDry: Bool)
        /// Nothing waits.
        case nothing
        /// The device is gone; it does not come back on this descriptor.
        case gone
    }

    /// The kernel keeps no more for a panel of ten slots: one read takes all.
    static let capacity = 512

    /// What the last read found.
    private(set) var count = 0
    /// Stamps events with the time of the read: for a device whose clock could not be set.
    var stampsArrival = false

    private let raw: UnsafeMutablePointer<input_event>
    private let converted: UnsafeMutablePointer<KernelEvent>
    /// Bytes of an event whose rest has not come: a device reads whole events, a pipe need not.
    private var leftover = 0

    init() {
        raw = .allocate(capacity: Self.capacity)
        raw.initialize(repeating: input_event(), count: Self.capacity)
        converted = .allocate(capacity: Self.capacity)
        let zero = KernelEvent(time: Timestamp(microseconds: 0), type: 0, code: 0, value: 0)
        converted.initialize(repeating: zero, count: Self.capacity)
    }

    deinit {
        raw.deallocate()
        converted.deallocate()
    }

    /// Until the next read.
    var events: UnsafeBufferPointer<KernelEvent> { UnsafeBufferPointer(start: converted, count: count) }

    func read(from descriptor: CInt, arrival: @autoclosure () -> Int64) -> Outcome {
        count = 0
        let size = MemoryLayout<input_event>.stride
        let room = Self.capacity * size - leftover
        let bytes = UnsafeMutableRawPointer(raw)
        var result: Int
        repeat {
            result = CLinux.read(descriptor, bytes + leftover, room)
        } while result < 0 && linux_errno() == EINTR
        guard result >= 0 else { return linux_errno() == EAGAIN ? .nothing : .gone }
        guard result > 0 else { return .gone }
        let isDry = result < room
        let available = leftover + result
        convert(available / size, arrival: stampsArrival ? arrival() : nil)
        leftover = available % size
        if leftover > 0 { memmove(bytes, bytes + (available - leftover), leftover) }
        return .read(isDry: isDry)
    }

    /// Throws away what waits.
    /// - Returns: `false` when the device is gone.
    func discard(from descriptor: CInt) -> Bool {
        defer { count = 0 }
        // Bounded: a device may fill its queue as fast as it is emptied.
        for _ in 0..<8 {
            switch read(from: descriptor, arrival: 0) {
            case .read(isDry: false): continue
            case .read(isDry: true), .nothing: return true
            case .gone: return false
            }
        }
        return true
    }

    private func convert(_ number: Int, arrival: Int64?) {
        for index in 0..<number {
            let event = raw + index
            converted[index] = KernelEvent(
                time: Timestamp(microseconds: arrival ?? evdev_event_time(event)), type: event.pointee.type,
                code: event.pointee.code, value: event.pointee.value)
        }
        count = number
    }
}
