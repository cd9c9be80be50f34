// SPDX-License-Identifier: MIT
package import ContactTracking
package import GestureEngine
package import GestureProtocol
package import TouchSharing

/// Encodes `touches` lines: every contact that is down, with its position, region and sequence; other regions that
/// receive contacts; and contacts that a filter hides.
package enum TouchesEncoder {
    /// If there are more contacts than this, including hidden ones, a line contains only their positions, and at most
    /// this many hidden ones. It is also the maximum for the sum of contacts and other regions: with the longest names,
    /// 20 of them take 3.9 KB of the 4 KiB that an event may have.
    private static let mostWithNames = 20

    /// Writes a line.
    /// - Parameters:
    ///   - filtered: contacts that a filter hides.
    ///   - panel: the `EventLine.identity`. Lines of different panels must not be merged.
    ///   - subject: the subject of the panel.
    ///   - given: contacts that the application received only after they had lifted.
    ///   - owner: returns the region that owns a contact.
    ///   - receivers: calls its second argument with each region that receives a contact, and with the sequence
    ///     there.
    ///   - receiver: returns who receives a contact on a shared panel.
    ///   - filteredReceiver: returns who receives the contact in a slot that a filter hides, on a shared panel.
    package static func encode(
        _ contacts: [PanelContact], _ filtered: [FilteredContact], _ setup: PanelSetup, panel: Int, subject: Int,
        at time: Timestamp, given: [ContactID],
        into line: inout EventLine, owner: (ContactID) -> RegionIndex?,
        receivers: (ContactID, (RegionIndex, SequenceID) -> Void) -> Void,
        receiver: (ContactID, RegionIndex?) -> TouchReceiver?, filteredReceiver: (Int) -> TouchReceiver?
    ) {
        let scale = PixelScale(setup.size)
        line.start(.touches, subject: subject, identity: Int64(panel))
        line.body.member("device", setup.device)
        line.writeTime(time.microseconds)
        let isNamed = contacts.count + filtered.count <= mostWithNames
        var further: [FurtherRegion] = []
        line.body.array("contacts") { json in
            for contact in contacts {
                json.object { json in
                    json.member("id", contact.id.number)
                    json.member("slot", contact.slot)
                    json.member("x", tenths: scale.x(contact.position.x))
                    json.member("y", tenths: scale.y(contact.position.y))
                    let owner = owner(contact.id)
                    receiver(contact.id, owner)?.write(into: &json)
                    guard isNamed else { return }
                    if let owner { json.member("region", setup.regions[owner].name) }
                    receivers(contact.id) { region, sequence in
                        if region == owner {
                            json.member("sequence", sequence.rawValue)
                        } else {
                            add(contact.id, to: &further, region, sequence)
                        }
                    }
                    if let major = contact.major { json.member("major_mm", tenths: major) }
                }
            }
        }
        write(further.prefix(max(0, mostWithNames - contacts.count - filtered.count)), setup, to: &line.body)
        if !given.isEmpty {
            line.isUnique = true
            line.body.array("given") { json in for contact in given { json.value(contact.number) } }
        }
        write(filtered, scale, filteredReceiver, to: &line.body)
    }

    /// A region that receives contacts without owning them.
    private struct FurtherRegion {
        let region: RegionIndex
        let sequence: SequenceID
        var contacts: [ContactID]
    }

    private static func add(
        _ contact: ContactID, to further: inout [FurtherRegion], _ region: RegionIndex, _ sequence: SequenceID
    ) {
        if let place = further.firstIndex(where: { $0.sequence == sequence }) {
            further[place].contacts.append(contact)
        } else {
            further.append(FurtherRegion(region: region, sequence: sequence, contacts: [contact]))
        }
    }

    private static func write(_ further: ArraySlice<FurtherRegion>, _ setup: PanelSetup, to json: inout JSONWriter) {
        guard !further.isEmpty else { return }
        json.array("seen_by") { json in
            for entry in further {
                json.object { json in
                    json.member("region", setup.regions[entry.region].name)
                    json.member("sequence", entry.sequence.rawValue)
                    json.array("contacts") { json in for contact in entry.contacts { json.value(contact.number) } }
                }
            }
        }
    }

    private static func write(
        _ filtered: [FilteredContact], _ scale: PixelScale, _ receiver: (Int) -> TouchReceiver?,
        to json: inout JSONWriter
    ) {
        guard !filtered.isEmpty else { return }
        json.array("ignored") { json in
            for contact in filtered.prefix(mostWithNames) {
                json.object { json in
                    json.member("slot", contact.slot)
                    json.member("x", tenths: scale.x(contact.position.x))
                    json.member("y", tenths: scale.y(contact.position.y))
                    json.member("filter", contact.filter.word)
                    receiver(contact.slot)?.write(into: &json)
                }
            }
        }
    }
}
