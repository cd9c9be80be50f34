// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine
package import GestureProtocol

/// Writes the output of a panel: its sizes, and the positions of the touch area's corners on it.
package enum OutputReply {
    package static func write(_ setup: PanelSetup, into json: inout JSONWriter) {
        let size = setup.size
        json.member("width", Int64(size.widthPixels.rounded()))
        json.member("height", Int64(size.heightPixels.rounded()))
        json.member("width_mm", tenths: size.widthMillimeters)
        json.member("height_mm", tenths: size.heightMillimeters)
        json.member("rotation", setup.output.rotation.degrees)
        if setup.output.rotation.isFlipped { json.member("flipped", true) }
        json.objects("corners", setup.mapping.corners) { corner, json in
            json.member("x", tenths: corner.x / size.millimetersPerPixelX)
            json.member("y", tenths: corner.y / size.millimetersPerPixelY)
            json.member("x_mm", tenths: corner.x)
            json.member("y_mm", tenths: corner.y)
        }
    }
}
