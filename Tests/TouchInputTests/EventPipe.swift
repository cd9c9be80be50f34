// SPDX-License-Identifier: MIT
import CEvdev
import CLinux
import ContactTracking
import GestureEngine
import LinuxSystem
import Testing

@testable import TouchInput

/// A pipe that acts as a device: events written to one end are read from the other.
final class EventPipe {
    let reader: CInt
    private(set) var writer: CInt

    init() throws {
        var ends: [CInt] = [-1, -1]
        try #require(pipe(&ends) == 0)
        try #require(linux_set_non_blocking(ends[0]) >= 0)
        (reader, writer) = (ends[0], ends[1])
    }

    deinit { closeWriter() }

    func closeWriter() {
        if writer >= 0 { close(writer) }
        writer = -1
    }

    static func event(_ milliseconds: Int64, _ type: UInt16, _ code: UInt16, _ value: Int32) -> input_event {
        var event = input_event()
        event.time.tv_sec = Int(milliseconds / 1000)
        event.time.tv_usec = Int(milliseconds % 1000 * 1000)
        event.type = type
        event.code = code
        event.value = value
        return event
    }

    func write(_ events: [input_event]) {
        write(bytes: events.withUnsafeBytes { Array($0) })
    }

    func write(bytes: [UInt8]) {
        #expect(CLinux.write(writer, bytes, bytes.count) == bytes.count)
    }
}

/// Records the calls of a device to its delegate.
final class Listener: InputDeviceDelegate {
    var lines: [String] = []
    /// Called after each recorded line.
    var reaction: (InputDevice) -> Void = { _ in }

    func inputDevice(_ device: InputDevice, received events: ArraySlice<KernelEvent>) {
        let words = events.map { "\($0.time.microseconds / 1000):\($0.type)/\($0.code)=\($0.value)" }
        lines.append(words.joined(separator: " "))
        reaction(device)
    }

    func inputDevice(_ device: InputDevice, resynchronized table: SlotTable, at time: Timestamp) {
        lines.append("table \(table.slots.map(\.trackingID)) \(table.current ?? -1)")
        reaction(device)
    }

    func inputDeviceHasOtherAxes(_ device: InputDevice) {
        lines.append("other axes")
        reaction(device)
    }

    func inputDeviceWasLost(_ device: InputDevice) {
        lines.append("lost")
        reaction(device)
    }
}
