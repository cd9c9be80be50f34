// SPDX-License-Identifier: MIT
import GestureClient
import GestureProtocol

extension Explanation {
    /// One line of `explain --json`.
    var line: [UInt8] {
        JSONWriter.bytes { json in
            json.line { json in
                json.member("device", device)
                json.key("region")
                if let region { json.value(region) } else { json.null() }
                json.key("sequence")
                if let sequence { json.value(sequence) } else { json.null() }
                json.member("role", role.rawValue)
                if let owner { json.member("owner", owner) }
                if isLate { json.member("late", true) }
                json.member("time_us", time)
                json.array("contacts") { json in for contact in contacts { contact.write(into: &json) } }
                json.array("recognized") { json in for gesture in recognized { gesture.write(into: &json) } }
                json.array("failed") { json in for failure in failed { failure.write(into: &json) } }
            }
        }
    }
}

extension Explanation.Contact {
    fileprivate func write(into json: inout JSONWriter) {
        json.object { json in
            json.member("id", id)
            json.key("from")
            json.append(json: "[\(from.x),\(from.y)]")
            json.key("to")
            json.append(json: "[\(to.x),\(to.y)]")
            if let lifted { json.member("duration_ms", (lifted - landed) / 1000) }
        }
    }
}

extension Explanation.Recognized {
    fileprivate func write(into json: inout JSONWriter) {
        json.object { json in
            json.member("gesture", kind)
            json.member("name", name)
            if times > 1 { json.member("times", times) }
            if let cancelled { json.member("cancelled", cancelled) }
        }
    }
}

extension GestureClient.Failure {
    fileprivate func write(into json: inout JSONWriter) {
        json.object { json in
            json.member("gesture", kind.rawValue)
            json.member("name", name)
            json.member("code", code)
            if let value { json.member("value", value) }
            if let limit { json.member("limit", limit) }
            if let unit { json.member("unit", unit) }
            json.member("message", message)
            guard let cure = FailureCure(self) else { return }
            json.member("key", cure.key)
            json.member("table", cure.section.rawValue)
            guard let needed = cure.needed else { return }
            // As in the configuration: a text in quotes, or a number.
            json.key("needed")
            json.append(json: needed)
        }
    }
}
