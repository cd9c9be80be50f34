// SPDX-License-Identifier: MIT
import CEvdev
import CLinux
import ContactTracking
import GestureProtocol
import LinuxSystem

extension SlotTable {
    /// Reads the slots of a device from the kernel; `nil` if the kernel does not provide the position of each
    /// contact.
    /// - Parameter node: the node of the same device.
    init?(descriptor: CInt, node: String, device: DeviceDescription, slotCount: Int) {
        if !device.hasMultitouchPositions {
            self.init(singleTouch: descriptor, node: node)
        } else if device.axis(EventCode.absMTSlot) != nil {
            self.init(multitouch: descriptor, device, slotCount)
        } else {
            self.init(unslotted: node, device)
        }
    }

    private init?(multitouch descriptor: CInt, _ device: DeviceDescription, _ slotCount: Int) {
        let count = min(max(1, slotCount), Admission.maximumSlots)
        var slots = Array(repeating: SlotState(), count: count)
        var values = [Int32](repeating: 0, count: count)
        let axes: [(code: UInt16, isNeeded: Bool)] = [
            (EventCode.absMTTrackingID, true), (EventCode.absMTPositionX, true), (EventCode.absMTPositionY, true),
            (EventCode.absMTTouchMajor, false), (EventCode.absMTToolType, false), (EventCode.absMTDistance, false),
        ]
        for (code, isNeeded) in axes where isNeeded || device.axis(code) != nil {
            guard evdev_slot_values(descriptor, UInt32(code), &values, CInt(count)) >= 0 else {
                if isNeeded { return nil }
                continue
            }
            for index in 0..<count { slots[index].set(code, values[index]) }
        }
        var current = input_absinfo()
        guard evdev_axis(descriptor, UInt32(EventCode.absMTSlot), &current) >= 0 else { return nil }
        self.init(slots: slots, current: Int(current.value))
    }

    /// Creates a table for protocol A, which has no slots. A single slot shows whether any contact is down; `nil` if
    /// the device does not report this.
    private init?(unslotted node: String, _ device: DeviceDescription) {
        guard device.hasKey(EventCode.btnTouch), let isDown = Self.isTouched(node) else { return nil }
        self.init(slots: [SlotState(trackingID: isDown ? 0 : -1)], current: 0)
    }

    private init?(singleTouch descriptor: CInt, node: String) {
        var (x, y) = (input_absinfo(), input_absinfo())
        guard let isDown = Self.isTouched(node), evdev_axis(descriptor, UInt32(EventCode.absX), &x) >= 0,
            evdev_axis(descriptor, UInt32(EventCode.absY), &y) >= 0
        else { return nil }
        self.init(slots: [SlotState(trackingID: isDown ? 0 : -1, x: x.value, y: y.value)], current: 0)
    }

    /// Whether `BTN_TOUCH` is down; `nil` if the kernel does not provide it.
    ///
    /// Uses a separate descriptor, because the kernel removes key events from the queue of the descriptor that is used
    /// for the query. A lift in that queue would be lost.
    private static func isTouched(_ node: String) -> Bool? {
        do throws(SystemError) {
            let asking = try OwnedDescriptor(opening: node, flags: O_RDONLY | O_NONBLOCK)
            let answer = evdev_key_is_down(asking.rawValue, UInt32(EventCode.btnTouch))
            return answer < 0 ? nil : answer == 1
        } catch {
            return nil
        }
    }
}

extension AxisRange {
    /// The maximum number of slots for which libevdev is used. 1024 is sixteen times the supported number, and libevdev
    /// allocates 56 KiB for it.
    private static let mostSlots = 1024

    /// Reads the slot axis of a device with an absurd number of slots; `nil` for all other devices. libevdev multiplies
    /// that number without checking for overflow, and would write beyond its allocation.
    init?(absurdSlotsOf descriptor: CInt) {
        var axis = input_absinfo()
        guard evdev_axis(descriptor, UInt32(EventCode.absMTSlot), &axis) >= 0,
            !(-1..<Int32(Self.mostSlots)).contains(axis.maximum)
        else { return nil }
        self.init(minimum: axis.minimum, maximum: axis.maximum)
    }
}

extension DeviceDescription {
    /// Creates a description with only the slots, the name and the numbers of a device.
    init(identityOf descriptor: CInt, slots: AxisRange, udev: [String: String]) {
        var id = input_id()
        var name = [CChar](repeating: 0, count: 256)
        evdev_identity(descriptor, &id, &name, UInt32(name.count))
        self.init(
            name: String(orEmpty: name), bus: id.bustype, vendor: id.vendor, product: id.product, version: id.version,
            axes: [Int(EventCode.absMTSlot): slots], udev: udev)
    }

    /// Creates the description of a device from the properties that libevdev has read.
    init(_ evdev: OpaquePointer, udev: [String: String]) {
        self.init(
            name: String(orEmpty: libevdev_get_name(evdev)), phys: String(orEmpty: libevdev_get_phys(evdev)),
            uniq: String(orEmpty: libevdev_get_uniq(evdev)),
            bus: UInt16(truncatingIfNeeded: libevdev_get_id_bustype(evdev)),
            vendor: UInt16(truncatingIfNeeded: libevdev_get_id_vendor(evdev)),
            product: UInt16(truncatingIfNeeded: libevdev_get_id_product(evdev)),
            version: UInt16(truncatingIfNeeded: libevdev_get_id_version(evdev)), udev: udev)
        for property in 0..<UInt32(INPUT_PROP_CNT) where libevdev_has_property(evdev, property) != 0 {
            properties.insert(Int(property))
        }
        for key in 0..<UInt32(KEY_CNT) where libevdev_has_event_code(evdev, UInt32(EV_KEY), key) != 0 {
            keys.insert(Int(key))
        }
        for code in 0..<UInt32(ABS_CNT) {
            guard let axis = libevdev_get_abs_info(evdev, code)?.pointee else { continue }
            axes[Int(code)] = AxisRange(
                minimum: axis.minimum, maximum: axis.maximum, fuzz: axis.fuzz, flat: axis.flat,
                resolution: axis.resolution, value: axis.value)
        }
    }
}

extension String {
    /// Creates a string that is safe to show from a text that a device reports about itself. The string is empty for
    /// `nil`. Invalid UTF-8 is repaired.
    init(orEmpty text: UnsafePointer<CChar>?) {
        self = text.map { SafeText.device(String(cString: $0)) } ?? ""
    }
}
