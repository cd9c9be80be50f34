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
    /// Writes `"devices":[…]` of the `devices` command.
    static func write(_ devices: [AttachedDevice], into json: inout JSONWriter) {
        json.array("devices") { json in
            for device in devices {
                json.object { write(device, into: &$0) }
            }
        }
    }

    /// Writes `"devices":[…]` of `state`: those that could be touched.
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

    private static func write(_ device: AttachedDevice, into json: inout JSONWriter) {
        json.member("device", device.device)
        json.member("node", device.node)
        json.member("name", device.name)
        json.member("state", device.state.word)
        if let reason = device.state.reason { json.member("reason", reason) }
        if let panel = device.panel {
            json.object("output") { write(panel.pipeline.setup, into: &$0) }
            if let word = panel.grab.word { json.member("grab", word) }
        }
        json.member("contacts", device.panel?.pipeline.liveContacts.count ?? 0)
    }

    private static func write(_ setup: PanelSetup, into json: inout JSONWriter) {
        let size = setup.size
        json.member("width", Int64(size.widthPixels.rounded()))
        json.member("height", Int64(size.heightPixels.rounded()))
        json.member("width_mm", tenths: size.widthMillimeters)
        json.member("height_mm", tenths: size.heightMillimeters)
        json.member("rotation", setup.output.rotation.rawValue)
        json.array("corners") { json in
            for corner in setup.mapping.corners {
                json.object { json in
                    json.member("x", tenths: corner.x / size.millimetersPerPixelX)
                    json.member("y", tenths: corner.y / size.millimetersPerPixelY)
                    json.member("x_mm", tenths: corner.x)
                    json.member("y_mm", tenths: corner.y)
                }
            }
        }
    }
}
