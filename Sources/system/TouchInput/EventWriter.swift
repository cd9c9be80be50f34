// SPDX-License-Identifier: MIT
import CEvdev
import CLinux
import ContactTracking
import GestureEngine
import LinuxSystem

/// Writes kernel events to a uinput device through a reused buffer.
struct EventWriter: ~Copyable {
    private var raw: [input_event] = []

    /// Writes complete frames with one system call.
    mutating func write(_ events: [KernelEvent], to descriptor: CInt) throws(SystemError) {
        raw.removeAll(keepingCapacity: true)
        for event in events {
            var raw = input_event()
            raw.type = event.type
            raw.code = event.code
            raw.value = event.value
            // Linux 6.5 and later use the time of the event.
            evdev_set_event_time(&raw, event.time.microseconds)
            self.raw.append(raw)
        }
        let size = raw.count * MemoryLayout<input_event>.stride
        var result: Int
        repeat { result = CLinux.write(descriptor, raw, size) } while result < 0 && linux_errno() == EINTR
        if result < 0 { throw .last("write", path: Uinput.path) }
        if result < size { throw SystemError(call: "write", code: EIO, path: Uinput.path) }
    }
}
