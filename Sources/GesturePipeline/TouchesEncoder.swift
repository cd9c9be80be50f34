// SPDX-License-Identifier: MIT
package import ContactTracking
package import GestureEngine
package import GestureProtocol

/// Writes `touches` lines: every contact that is down, where it is and whose it is.
package enum TouchesEncoder {
    /// Of more contacts than these a line says only where they are: with the longest name that a region
    /// can have, 20 take 3.4 KB of an event's 4 KiB. No panel has more than ten fingers on it.
    private static let mostWithNames = 20

    /// - Parameters:
    ///   - panel: tells the lines of several panels apart: only those of one panel may merge.
    ///   - owner: the region that owns a contact, if any does.
    package static func encode(
        _ contacts: [LiveContact], _ setup: PanelSetup, panel: Int, at time: Timestamp, into line: inout EventLine,
        owner: (ContactID) -> Int?
    ) {
        let scale = PixelScale(setup.size)
        line.start(.touches, sequence: Int64(panel))
        line.body.appendKey("device")
        line.body.appendQuoted(setup.device)
        line.appendTime(time.microseconds)
        line.body.appendKey("contacts")
        line.body.append("[")
        let isNamed = contacts.count <= mostWithNames
        for i in contacts.indices {
            if i > 0 { line.body.append(",") }
            line.body.append("{\"id\":")
            line.body.appendInteger(contacts[i].id.rawValue)
            line.body.appendKey("slot")
            line.body.appendInteger(contacts[i].slot)
            line.body.appendKey("x")
            line.body.appendTenths(scale.x(contacts[i].position.x))
            line.body.appendKey("y")
            line.body.appendTenths(scale.y(contacts[i].position.y))
            if isNamed, let region = owner(contacts[i].id) {
                line.body.appendKey("region")
                line.body.appendQuoted(setup.regions[region].id)
            }
            if isNamed, let major = contacts[i].major {
                line.body.appendKey("major_mm")
                line.body.appendTenths(major)
            }
            line.body.append("}")
        }
        line.body.append("]")
        line.finish()
    }
}
