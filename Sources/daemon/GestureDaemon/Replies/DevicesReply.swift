// SPDX-License-Identifier: MIT
import ContactTracking
import GestureConfiguration
import GestureEngine
import GesturePipeline
import GestureProtocol
import TouchInput
import TouchSharing

/// Writes the properties and the state of each device.
enum DevicesReply {
    /// Writes `"devices":[…]` of the `devices` command.
    /// - Parameter seesPrivate: `false` excludes contacts in private regions.
    static func write(_ devices: [AttachedDevice], seesPrivate: Bool, into json: inout JSONWriter) {
        json.array("devices") { json in
            for device in devices {
                json.object { write(device, seesPrivate: seesPrivate, into: &$0) }
            }
        }
    }

    /// Writes `"devices":[…]` of a `state` line: the devices that can be touched.
    static func writeSummary(_ devices: [AttachedDevice], into json: inout JSONWriter) {
        json.array("devices") { json in
            for device in devices where device.panel != nil {
                json.object { json in
                    json.member("device", device.device)
                    json.member("state", device.state.word)
                }
            }
        }
    }

    private static func write(_ device: AttachedDevice, seesPrivate: Bool, into json: inout JSONWriter) {
        json.member("device", device.device)
        json.member("node", device.node)
        json.member("name", device.name)
        json.member("state", device.state.word)
        if let reason = device.state.reason { json.member("reason", reason) }
        if let panel = device.panel {
            json.object("output") { OutputReply.write(panel.pipeline.setup, into: &$0) }
            if panel.pipeline.setup.share != .listen { json.member("share", panel.share.rawValue) }
            let problems = [panel.sharing.problem, panel.displayProblem].compactMap { $0 }
            if !problems.isEmpty { json.member("reason", problems.joined(separator: "; ")) }
            if panel.pipeline.hasWakeGuard {
                let since = panel.pipeline.longDarkness?.since
                json.member("dark_ms", since.map { (panel.now - $0).wholeMilliseconds } ?? 0)
            }
            if let word = panel.grab.word { json.member("grab", word) }
            if let twin = panel.sharing.twin {
                json.object("twin") { json in
                    if let node = twin.node { json.member("node", node) }
                    panel.pipeline.shareCounts.sum(seesPrivate: seesPrivate).write(into: &json)
                }
            }
        }
        json.member("contacts", device.panel?.pipeline.contactCount(seesPrivate: seesPrivate) ?? 0)
    }
}

/// Writes the properties of a panel that a recording needs.
enum DescribeReply {
    static func write(_ panel: Panel, seesPrivate: Bool, into json: inout JSONWriter) {
        let (contacts, sequences) = (panel.identifiers.contacts, panel.identifiers.sequences)
        json.member("device", panel.pipeline.setup.device)
        json.member("idle", panel.pipeline.isIdle)
        json.member("next_contact", contacts.open)
        json.member("next_sequence", sequences.open)
        if seesPrivate, contacts.hidden != 1 { json.member("next_private_contact", contacts.hidden) }
        if seesPrivate, sequences.hidden != 1 { json.member("next_private_sequence", sequences.hidden) }
        var description = panel.pipeline.setup.description
        // The kernel reports the slot only when it changes, so a recording needs the initial one.
        let table = panel.pipeline.tracker.table
        // `nil` means that the device has reported an invalid slot number. It is written as a number that no slot has.
        let current = table.current ?? Admission.maximumSlots
        description.axes[Int(EventCode.absMTSlot)]?.value = Int32(clamping: current)
        json.object("description") { write(description, table.slots, into: &$0) }
        let definitions = panel.pipeline.setup.layout.definitions(seesPrivate: seesPrivate)
        if definitions.isEmpty { return }
        json.array("definitions") { json in for definition in definitions { json.append(json: definition) } }
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
