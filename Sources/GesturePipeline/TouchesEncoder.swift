// SPDX-License-Identifier: MIT
package import ContactTracking
package import GestureEngine
package import GestureProtocol

/// Encodes `touches` lines: every contact that is down, with its position and region; and those that a filter hides.
package enum TouchesEncoder {
    /// With more contacts, hidden ones included, a line has only their positions, and at most so many hidden ones: 20
    /// with the longest region names take 3.4 KB of an event's 4 KiB.
    private static let mostWithNames = 20

    /// - Parameters:
    ///   - filtered: contacts that a filter hides.
    ///   - panel: `EventLine.identity`: only the lines of one panel may merge.
    ///   - subject: the panel's.
    ///   - given: contacts that have lifted, and that an application gets only now.
    ///   - owner: the region that owns a contact, if any does.
    ///   - receiver: who gets a contact, on a panel that is shared.
    package static func encode(
        _ contacts: [PanelContact], _ filtered: [FilteredContact], _ setup: PanelSetup, panel: Int, subject: Int,
        at time: Timestamp, given: [ContactID],
        into line: inout EventLine, owner: (ContactID) -> Int?, receiver: (ContactID, Int?) -> String?
    ) {
        let scale = PixelScale(setup.size)
        line.start(.touches, subject: subject, identity: Int64(panel))
        line.body.member("device", setup.device)
        line.writeTime(time.microseconds)
        let isNamed = contacts.count + filtered.count <= mostWithNames
        line.body.array("contacts") { json in
            for contact in contacts {
                json.object { json in
                    json.member("id", contact.id.rawValue)
                    json.member("slot", contact.slot)
                    json.member("x", tenths: scale.x(contact.position.x))
                    json.member("y", tenths: scale.y(contact.position.y))
                    let owner = owner(contact.id)
                    if let receiver = receiver(contact.id, owner) { json.member("to", receiver) }
                    guard isNamed else { return }
                    if let owner { json.member("region", setup.regions[owner].name) }
                    if let major = contact.major { json.member("major_mm", tenths: major) }
                }
            }
        }
        if !given.isEmpty {
            line.isUnique = true
            line.body.array("given") { json in for contact in given { json.value(contact.rawValue) } }
        }
        guard !filtered.isEmpty else { return }
        line.body.array("ignored") { json in
            for contact in filtered.prefix(mostWithNames) {
                json.object { json in
                    json.member("slot", contact.slot)
                    json.member("x", tenths: scale.x(contact.position.x))
                    json.member("y", tenths: scale.y(contact.position.y))
                    json.member("filter", contact.filter.word)
                }
            }
        }
    }
}
