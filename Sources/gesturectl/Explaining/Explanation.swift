// SPDX-License-Identifier: MIT
import GestureClient
import GestureEngine
import GesturePipeline
import GestureProtocol

/// What one sequence of touches in one region led to: one paragraph of `explain`.
struct Explanation: Hashable {
    /// The path of one contact, in output pixels.
    struct Contact: Hashable {
        var id: Int
        var from: GestureClient.Point
        var to: GestureClient.Point
        /// In microseconds.
        var landed: Int64
        var lifted: Int64?
    }

    /// A recognized gesture.
    struct Recognized: Hashable {
        var kind: String
        var name: String
        /// The reason, if it was cancelled.
        var cancelled: String?
        /// How many repetitions.
        var times: Int64 = 1
        /// It has ended, or has no end.
        var isOver: Bool
    }

    /// How a region is related to the contacts.
    enum Role: String, Hashable {
        /// They landed in it.
        case owner
        /// They landed in a region that lies in it.
        case ancestor
        /// It sees them without owning them; or their positions are unknown.
        case onlooker
        /// They landed in no region.
        case none
    }

    var device: String
    /// nil: the touch was in no region.
    var region: String?
    /// nil: there was no event of the region.
    var sequence: Int64?
    var role: Role
    /// Of an ancestor: the region where the contacts landed.
    var owner: String?
    var contacts: [Contact] = []
    var recognized: [Recognized] = []
    var failed: [GestureClient.Failure] = []
    /// The sequence has been explained before; this came later.
    var isLate = false
    /// When it began, in microseconds.
    var time: Int64
    /// When something last happened.
    var lastTime: Int64
}

/// What an explanation needs to know of a region.
struct ExplainedRegion: Hashable {
    struct Gesture: Hashable {
        var kind: String
        var name: String
    }

    var device: String
    var id: String
    var parent: String?
    var gestures: [Gesture]
}

extension ExplainedRegion {
    /// A region of the daemon.
    init(_ region: GestureClient.Region) {
        self.init(
            device: region.device, id: region.id, parent: region.parent,
            gestures: region.gestures.map { Gesture(kind: $0.kind.rawValue, name: $0.name) })
    }

    /// The regions of a replay.
    static func all(of setup: PanelSetup) -> [ExplainedRegion] {
        setup.regions.map { region in
            ExplainedRegion(
                device: setup.device.safe, id: region.id.safe, parent: region.parent.map { setup.regions[$0].id.safe },
                gestures: region.gestures.map { Gesture(kind: $0.word.safe, name: $0.name.safe) })
        }
    }
}

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
