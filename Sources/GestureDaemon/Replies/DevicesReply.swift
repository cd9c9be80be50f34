// SPDX-License-Identifier: MIT
import ContactTracking
import GestureConfiguration
import GestureEngine
import GesturePipeline
import GestureProtocol
import GestureServer
import LinuxSystem
import TouchInput

/// Writes what is known of each device.
enum DevicesReply {
    /// `,"devices":[…]` of the `devices` command.
    static func write(_ devices: [AttachedDevice], into line: inout LineBuffer) {
        line.appendKey("devices")
        list(devices, into: &line) { device, line in
            line.append("{\"device\":")
            line.appendQuoted(device.device)
            line.appendKey("node")
            line.appendQuoted(device.node)
            line.appendKey("name")
            line.appendQuoted(device.name)
            writeState(device, into: &line)
            if let reason = device.state.reason {
                line.appendKey("reason")
                line.appendQuoted(reason)
            }
            if let panel = device.panel {
                write(panel.pipeline.setup, into: &line)
                if let word = panel.grab.word {
                    line.append(",\"grab\":\"")
                    line.append(word)
                    line.append("\"")
                }
            }
            line.appendKey("contacts")
            line.appendInteger(device.panel?.pipeline.liveContacts.count ?? 0)
            line.append("}")
        }
    }

    /// `,"devices":[…]` of `state`: those that could be touched.
    static func writeSummary(_ devices: [AttachedDevice], into line: inout LineBuffer) {
        line.appendKey("devices")
        list(devices.filter { $0.panel != nil }, into: &line) { device, line in
            line.append("{\"device\":")
            line.appendQuoted(device.device)
            writeState(device, into: &line)
            line.append("}")
        }
    }

    private static func list(
        _ devices: [AttachedDevice], into line: inout LineBuffer, _ write: (AttachedDevice, inout LineBuffer) -> Void
    ) {
        line.append("[")
        for (i, device) in devices.enumerated() {
            if i > 0 { line.append(",") }
            write(device, &line)
        }
        line.append("]")
    }

    private static func writeState(_ device: AttachedDevice, into line: inout LineBuffer) {
        line.appendKey("state")
        line.append("\"")
        line.append(device.state.word)
        line.append("\"")
    }

    private static func write(_ setup: PanelSetup, into line: inout LineBuffer) {
        line.append(",\"output\":{\"width\":")
        line.appendInteger(Int64(setup.size.widthPixels.rounded()))
        line.appendKey("height")
        line.appendInteger(Int64(setup.size.heightPixels.rounded()))
        line.appendKey("width_mm")
        line.appendTenths(setup.size.widthMillimeters)
        line.appendKey("height_mm")
        line.appendTenths(setup.size.heightMillimeters)
        line.appendKey("rotation")
        line.appendInteger(setup.output.rotation.rawValue)
        line.appendKey("corners")
        writeCorners(setup, into: &line)
        line.append("}")
    }

    private static func writeCorners(_ setup: PanelSetup, into line: inout LineBuffer) {
        for (i, corner) in setup.mapping.corners.enumerated() {
            line.append(i == 0 ? "[{\"x\":" : ",{\"x\":")
            line.appendTenths(corner.x / setup.size.millimetersPerPixelX)
            line.appendKey("y")
            line.appendTenths(corner.y / setup.size.millimetersPerPixelY)
            line.appendKey("x_mm")
            line.appendTenths(corner.x)
            line.appendKey("y_mm")
            line.appendTenths(corner.y)
            line.append("}")
        }
        line.append("]")
    }
}
