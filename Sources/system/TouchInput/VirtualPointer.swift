// SPDX-License-Identifier: MIT
import CEvdev
import CLinux
import ContactTracking
package import GestureEngine
package import LinuxSystem

/// A virtual mouse that moves to points of an output. It has three buttons and two wheels.
///
/// It is made with uinput, and removed when this object is freed; the kernel then releases what is down.
package final class VirtualPointer {
    /// The number of device units in a pixel. The daemon reports tenths of pixels.
    private static let unitsPerPixel = 10.0
    private static let buttons = [BTN_LEFT, BTN_RIGHT, BTN_MIDDLE]
    private static let wheels = [REL_WHEEL, REL_HWHEEL, REL_WHEEL_HI_RES, REL_HWHEEL_HI_RES]

    private let maximum: (x: Int32, y: Int32)
    private let descriptor: OwnedDescriptor
    /// The object of libevdev.
    private let handle: OpaquePointer
    private var writer = EventWriter()
    private var events: [KernelEvent] = []
    private var last: (x: Int32, y: Int32) = (0, 0)

    /// - Parameters:
    ///   - width: the width of the space in which the pointer moves, in pixels.
    ///   - height: the height.
    /// - Throws: a `SystemError` with the path of uinput.
    package init(name: String, phys: String, width: Double, height: Double) throws(SystemError) {
        let (x, y) = (Self.axis(width), Self.axis(height))
        maximum = (x.maximum, y.maximum)
        let descriptor = try Uinput.open()
        handle = try Uinput.create(on: descriptor, phys: phys) { model in
            libevdev_set_name(model, name)
            libevdev_set_id_bustype(model, BUS_VIRTUAL)
            for button in Self.buttons { libevdev_enable_event_code(model, UInt32(EV_KEY), UInt32(button), nil) }
            for wheel in Self.wheels { libevdev_enable_event_code(model, UInt32(EV_REL), UInt32(wheel), nil) }
            for (code, axis) in [(ABS_X, x), (ABS_Y, y)] {
                var axis = axis
                libevdev_enable_event_code(model, UInt32(EV_ABS), UInt32(code), &axis)
            }
        }
        self.descriptor = descriptor
    }

    // libevdev does not close a descriptor that it has not opened.
    deinit { libevdev_uinput_destroy(handle) }

    private static func axis(_ pixels: Double) -> input_absinfo {
        let units = max(pixels * unitsPerPixel, 2)
        return input_absinfo(
            value: 0, minimum: 0, maximum: Int32(clamped: units - 1), fuzz: 0, flat: 0, resolution: 0)
    }

    /// Adds a frame that moves the pointer to a point in pixels. `flush` writes it.
    package func move(x: Double, y: Double, at time: Timestamp) {
        let target = (
            x: min(max(Int32(clamped: x * Self.unitsPerPixel), 0), maximum.x),
            y: min(max(Int32(clamped: y * Self.unitsPerPixel), 0), maximum.y)
        )
        // The kernel drops a position that it already has, but a mouse may have moved the pointer away.
        if target == last { addPosition((target.x > 0 ? target.x - 1 : 1, target.y), at: time) }
        addPosition(target, at: time)
        last = target
    }

    private func addPosition(_ position: (x: Int32, y: Int32), at time: Timestamp) {
        events.append(.axis(EventCode.absX, position.x, at: time))
        events.append(.axis(EventCode.absY, position.y, at: time))
        events.append(.report(at: time))
    }

    /// Adds frames that press and release a button.
    package func click(_ button: UInt16, at time: Timestamp) {
        for value in [Int32(1), 0] {
            events.append(KernelEvent(time: time, type: EventCode.evKey, code: button, value: value))
            events.append(.report(at: time))
        }
    }

    /// Adds a frame that turns the wheels: by 1/120 steps, and by the whole steps that are complete.
    package func turn(x: Int32, y: Int32, stepsX: Int32, stepsY: Int32, at time: Timestamp) {
        let parts = [(REL_WHEEL_HI_RES, y), (REL_WHEEL, stepsY), (REL_HWHEEL_HI_RES, x), (REL_HWHEEL, stepsX)]
        for (code, value) in parts where value != 0 {
            events.append(KernelEvent(time: time, type: UInt16(EV_REL), code: UInt16(code), value: value))
        }
        events.append(.report(at: time))
    }

    /// Writes all frames with one system call. Never blocks.
    package func flush() throws(SystemError) {
        guard !events.isEmpty else { return }
        defer { events.removeAll(keepingCapacity: true) }
        try writer.write(events, to: descriptor.rawValue)
    }
}

extension Int32 {
    /// The nearest whole number; 0 for a value that is not a number.
    fileprivate init(clamped value: Double) {
        self = value.isNaN ? 0 : Int32(Swift.min(Swift.max(value.rounded(), -1e9), 1e9))
    }
}
