// SPDX-License-Identifier: MIT
package import GestureProtocol
import TouchSharing

extension TouchesReport {
    /// Writes the `touches` line.
    /// - Parameters:
    ///   - panel: the `EventLine.identity`. Lines of different panels must not be merged.
    ///   - subject: the subject of the panel.
    package func encode(device: String, panel: Int, subject: Int, into line: inout EventLine) {
        line.start(.touches, subject: subject, identity: Int64(panel))
        line.body.member("device", device)
        line.writeTime(time)
        line.body.array("contacts") { json in for contact in contacts { contact.write(into: &json) } }
        if !further.isEmpty {
            line.body.array("seen_by") { json in
                for entry in further {
                    json.object { json in
                        json.member("region", entry.region)
                        json.member("sequence", entry.sequence)
                        json.array("contacts") { json in for contact in entry.contacts { json.value(contact) } }
                    }
                }
            }
        }
        if !given.isEmpty {
            line.isUnique = true
            line.body.array("given") { json in for contact in given { json.value(contact) } }
        }
        guard !hidden.isEmpty else { return }
        line.body.array("ignored") { json in for contact in hidden { contact.write(into: &json) } }
    }
}

extension TouchesReport.Contact {
    fileprivate func write(into json: inout JSONWriter) {
        json.object { json in
            if let id { json.member("id", id) }
            json.member("slot", slot)
            json.member("x", tenths: x)
            json.member("y", tenths: y)
            if let filter { json.member("filter", filter) }
            receiver?.write(into: &json)
            if let region { json.member("region", region) }
            if let sequence { json.member("sequence", sequence) }
            if let major { json.member("major_mm", tenths: major) }
        }
    }
}
