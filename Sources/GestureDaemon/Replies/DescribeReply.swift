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
    static func write(_ panel: Panel, into line: inout LineBuffer) {
        line.appendKey("device")
        line.appendQuoted(panel.pipeline.setup.device)
        line.appendKey("idle")
        line.appendBool(panel.pipeline.isIdle)
        line.appendKey("next_contact")
        line.appendInteger(panel.identifiers.next.nextContact)
        line.appendKey("next_sequence")
        line.appendInteger(panel.identifiers.next.nextSequence)
        line.appendKey("description")
        var description = panel.pipeline.setup.description
        // The kernel names the slot only when it changes: a recording must know where it begins.
        description.axes[Int(EventCode.absMTSlot)]?.value = Int32(clamping: panel.pipeline.currentSlot)
        write(description, panel.pipeline.slots, into: &line)
    }

    private static func write(_ device: DeviceDescription, _ slots: [SlotState], into line: inout LineBuffer) {
        line.append("{\"name\":")
        line.appendQuoted(device.name)
        line.appendKey("phys")
        line.appendQuoted(device.phys)
        line.appendKey("id")
        append([device.bus, device.vendor, device.product, device.version].map { Int64($0) }, to: &line)
        line.appendKey("properties")
        append(device.properties.sorted().map { Int64($0) }, to: &line)
        line.appendKey("keys")
        append(device.keys.sorted().map { Int64($0) }, to: &line)
        line.appendKey("axes")
        line.append("[")
        for (i, (code, axis)) in device.axes.sorted(by: { $0.key < $1.key }).enumerated() {
            if i > 0 { line.append(",") }
            let numbers = [axis.minimum, axis.maximum, axis.fuzz, axis.flat, axis.resolution, axis.value]
            append([Int64(code)] + numbers.map { Int64($0) }, to: &line)
        }
        line.append("]")
        line.appendKey("slots")
        line.append("[")
        for (i, slot) in slots.enumerated() {
            if i > 0 { line.append(",") }
            append([Int64(slot.x), Int64(slot.y)], to: &line)
        }
        line.append("]")
        line.appendKey("udev")
        line.append("{")
        for (i, (key, value)) in device.udev.sorted(by: { $0.key < $1.key }).enumerated() {
            if i > 0 { line.append(",") }
            line.appendQuoted(key)
            line.append(":")
            line.appendQuoted(value)
        }
        line.append("}}")
    }

    private static func append(_ numbers: [Int64], to line: inout LineBuffer) {
        line.append("[")
        for (i, number) in numbers.enumerated() {
            if i > 0 { line.append(",") }
            line.appendInteger(number)
        }
        line.append("]")
    }
}
