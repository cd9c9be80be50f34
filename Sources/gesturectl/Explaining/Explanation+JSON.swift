// SPDX-License-Identifier: MIT
import GestureClient

extension Explanation {
    /// One line of `explain --json`, without its end.
    var json: String {
        var object = JSONObject()
        object.add("device", device)
        if let region { object.add("region", region) } else { object.add("region", raw: "null") }
        if let sequence { object.add("sequence", sequence) } else { object.add("sequence", raw: "null") }
        object.add("role", role.rawValue)
        if let owner { object.add("owner", owner) }
        if isLate { object.add("late", true) }
        object.add("time_us", time)
        object.add("contacts", contacts.map(Self.object))
        object.add("recognized", recognized.map(Self.object))
        object.add("failed", failed.map(Self.object))
        return object.text
    }

    private static func object(_ contact: Contact) -> JSONObject {
        var object = JSONObject()
        object.add("id", Int64(contact.id))
        object.add("from", raw: "[\(contact.from.x),\(contact.from.y)]")
        object.add("to", raw: "[\(contact.to.x),\(contact.to.y)]")
        if let lifted = contact.lifted { object.add("duration_ms", (lifted - contact.landed) / 1000) }
        return object
    }

    private static func object(_ gesture: Recognized) -> JSONObject {
        var object = JSONObject()
        object.add("gesture", gesture.kind)
        object.add("name", gesture.name)
        if gesture.times > 1 { object.add("times", gesture.times) }
        if let reason = gesture.cancelled { object.add("cancelled", reason) }
        return object
    }

    private static func object(_ failure: Failed) -> JSONObject {
        var object = JSONObject()
        object.add("gesture", failure.kind)
        object.add("name", failure.name)
        object.add("code", failure.code)
        if let value = failure.value { object.add("value", value) }
        if let limit = failure.limit { object.add("limit", limit) }
        if let unit = failure.unit { object.add("unit", unit) }
        object.add("message", failure.message)
        if let cure = FailureCure(failure) {
            object.add("key", cure.key)
            object.add("table", cure.place.rawValue)
            // As it stands in the configuration: a text in quotes, or a number.
            if let needed = cure.needed { object.add("needed", raw: needed) }
        }
        return object
    }
}
