// SPDX-License-Identifier: MIT
import ContactTracking
import GestureConfiguration
import GestureEngine
import GesturePipeline
import GestureProtocol
import GestureServer
import LinuxSystem
import TouchInput

/// Writes what a recording needs to know of a panel.
enum DescribeReply {
    static func write(_ panel: Panel, into json: inout JSONWriter) {
        json.member("device", panel.pipeline.setup.device)
        json.member("idle", panel.pipeline.isIdle)
        json.member("next_contact", panel.identifiers.next.nextContact)
        json.member("next_sequence", panel.identifiers.next.nextSequence)
        var description = panel.pipeline.setup.description
        // The kernel reports the slot only when it changes: a recording must know the first.
        let table = panel.pipeline.slotTable
        // An impossible slot stands for one that the device should not have reported.
        let current = table.current ?? Admission.maximumSlots
        description.axes[Int(EventCode.absMTSlot)]?.value = Int32(clamping: current)
        json.object("description") { write(description, table.slots, into: &$0) }
    }

    private static func write(_ device: DeviceDescription, _ slots: [SlotState], into json: inout JSONWriter) {
        json.member("name", device.name)
        json.member("phys", device.phys)
        json.array("id") { json in
            for number in [device.bus, device.vendor, device.product, device.version] { json.value(Int64(number)) }
        }
        json.array("properties") { json in
            for number in device.properties.sorted() { json.value(Int64(number)) }
        }
        json.array("keys") { json in
            for number in device.keys.sorted() { json.value(Int64(number)) }
        }
        json.array("axes") { json in
            for (code, axis) in device.axes.sorted(by: { $0.key < $1.key }) {
                json.array { write(code, axis, into: &$0) }
            }
        }
        json.array("slots") { json in
            for slot in slots {
                json.array { json in
                    json.value(Int64(slot.x))
                    json.value(Int64(slot.y))
                }
            }
        }
        json.object("udev") { json in
            for (key, value) in device.udev.sorted(by: { $0.key < $1.key }) {
                json.key(named: key)
                json.value(value)
            }
        }
    }

    private static func write(_ code: Int, _ axis: AxisRange, into json: inout JSONWriter) {
        json.value(code)
        for number in [axis.minimum, axis.maximum, axis.fuzz, axis.flat, axis.resolution, axis.value] {
            json.value(Int64(number))
        }
    }
}
