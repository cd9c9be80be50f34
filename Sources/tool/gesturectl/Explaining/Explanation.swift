// SPDX-License-Identifier: MIT
import GestureClient
import GesturePipeline
import GestureProtocol
import TouchSharing

/// The result of one sequence of touches in one region: one paragraph of `explain`.
struct Explanation: Hashable {
    /// The path of one contact, in output pixels.
    struct Contact: Hashable {
        /// The id of the contact; `nil` if a filter hides it.
        var id: Int64?
        var slot: Int
        var from: GestureClient.Point
        var to: GestureClient.Point
        var path: ContactPath
        /// The time in microseconds.
        var landed: Int64
        var lifted: Int64?
        /// On a shared panel: the receivers of the contact, in order of time.
        var receivers: [Receiver] = []
        /// The reason why the contact ended without a lift, if it is known.
        var loss: Loss?
        /// If `min_gap` of `[device.application]` hides the contact: the lifts before it.
        var lifts: [RecentLifts.Distance] = []

        /// Adds a receiver, unless it is the last one.
        /// - Parameter receiver: `nil` if the panel is not shared.
        mutating func add(_ receiver: TouchReceiver?, _ time: Int64) {
            guard let receiver else { return }
            guard receiver.word != receivers.last?.word else {
                // A held contact may be hidden when the application would have received it.
                if let kept = receiver.kept { receivers[receivers.count - 1].kept = kept }
                return
            }
            receivers.append(Receiver(word: receiver.word, kept: receiver.kept, since: time))
        }
    }

    /// A cause of `sync_lost`.
    enum Loss: Hashable {
        /// A key of `[filter]` hides the contact from then on.
        case filter(String)
        /// The panel began another contact in its slot.
        case replaced
        /// Events of the panel were lost.
        case events
    }

    /// A touch that has woken the display.
    struct Wake: Hashable {
        /// The reason for the wake, as the word in the protocol.
        var reason: String
        /// For the reason `scene`: the scene at that time, if it is known.
        var scene: String?
        /// The time in microseconds.
        var time: Int64
    }

    /// A receiver of a contact, as the word in the protocol.
    struct Receiver: Hashable {
        var word: String
        /// The key of `[device.application]` that hides the contact from the application.
        var kept: String?
        /// The time in microseconds.
        var since: Int64
    }

    struct Recognized: Hashable {
        var kind: String
        var name: String
        /// The reason for the cancel; `nil` if the gesture was not cancelled.
        var cancelled: String?
        /// The time of the cancel in microseconds.
        var cancelTime: Int64?
        /// The number of recognitions of a gesture without phases.
        var times: Int64 = 0
        /// Whether it has ended, or is a gesture without an end.
        var isOver = true
        /// The time of its first line in microseconds; `nil` if that line has no time.
        var time: Int64?
        /// The score of a stroke.
        var score: Double?
    }

    /// The relation of a region to the contacts.
    enum Role: String, Hashable {
        /// The contacts landed in the region.
        case owner
        /// The contacts landed in a descendant of the region.
        case ancestor
        /// The region gets the contacts without owning them, or their positions are unknown.
        case onlooker
        /// The contacts landed in no region.
        case none
        /// A filter hides the contacts, so no region gets them.
        case ignored
    }

    var device: String
    /// The region; `nil` if the touch was outside all regions.
    var region: String?
    /// The key of `[filter]` that hides the contacts.
    var filter: String?
    /// If `wake` of a `[[device]]` hides the contacts: the touch that woke the display last.
    var wake: Wake?
    /// The number of the sequence; `nil` if there was no event of the region.
    var sequence: Int64?
    var role: Role
    /// For an ancestor: the region in which the contacts landed.
    var owner: String?
    /// For an owner: the regions below it where the first contact landed, topmost first.
    var covered: [GestureClient.Region] = []
    /// Other regions that got one of the contacts.
    var seers: Set<String> = []
    var contacts: [Contact] = []
    var recognized: [Recognized] = []
    var failed: [GestureClient.Failure] = []
    /// The remedies for near misses.
    var remedies: [GestureClient.Failure: Remedy] = [:]
    /// Whether lines arrived after the sequence had already been explained.
    var isLate = false
    /// The time at which the sequence began, in microseconds.
    var time: Int64
    /// The time of the last event.
    var lastTime: Int64
}

extension Explanation {
    /// The line of `explain --json`.
    var line: [UInt8] {
        JSONWriter.line { json in
            json.member("device", device)
            json.key("region")
            if let region { json.value(region) } else { json.null() }
            json.key("sequence")
            if let sequence { json.value(sequence) } else { json.null() }
            json.member("role", role.rawValue)
            if let owner { json.member("owner", owner) }
            if !covered.isEmpty { json.member("covers", covered.map(\.id)) }
            if let filter { json.member("filter", filter) }
            if let wake {
                json.member("reason", wake.reason)
                if let scene = wake.scene { json.member("scene", scene) }
            }
            if isLate { json.member("late", true) }
            json.member("time_us", time)
            json.objects("contacts", contacts) { $0.write(into: &$1) }
            json.objects("recognized", recognized) { gesture, json in
                json.member("gesture", gesture.kind)
                json.member("name", gesture.name)
                if gesture.times > 1 { json.member("times", gesture.times) }
                if let score = gesture.score { json.member("score", tenThousandths: score) }
                guard let cancelled = gesture.cancelled else { return }
                json.member("cancelled", cancelled)
                if let cause = loss(cancelled, gesture.cancelTime) { json.member("cause", cause) }
            }
            json.objects("failed", failed) { $0.write(remedies[$0], into: &$1) }
        }
    }
}

extension Explanation.Contact {
    fileprivate func write(into json: inout JSONWriter) {
        if let id { json.member("id", id) }
        json.key("from")
        json.append(json: "[\(from.x),\(from.y)]")
        json.key("to")
        json.append(json: "[\(to.x),\(to.y)]")
        if path.isDetour {
            json.member("path_mm", tenths: path.length)
            json.key("farthest")
            json.append(json: "[\(path.farthest.x),\(path.farthest.y)]")
        }
        if let lifted { json.member("duration_ms", (lifted - landed) / 1000) }
        if let lift = lifts.first {
            json.member("since_lift_ms", lift.time / 1000)
            json.member("from_lift_mm", tenths: lift.length)
        }
        guard !receivers.isEmpty else { return }
        json.objects("receivers", receivers) { receiver, json in
            json.member("to", receiver.word)
            if let kept = receiver.kept { json.member("kept", kept) }
            json.member("after_ms", (receiver.since - landed) / 1000)
        }
    }
}

extension GestureClient.Failure {
    fileprivate func write(_ remedy: Remedy?, into json: inout JSONWriter) {
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
        remedy?.write(into: &json)
    }
}

extension Remedy {
    /// Writes `"needs":{"slop":"5.6mm"},"verified":true`. If no value helps, `needs` is empty. If the gesture would begin
    /// but be cancelled, `"cancelled":"palm"` follows.
    fileprivate func write(into json: inout JSONWriter) {
        let (needs, isVerified, cancelled): ([Need], Bool, String?) =
            switch self {
            case .verified(let needs, let cancelled): (needs, true, cancelled)
            case .measured(let need, _): ([need], false, nil)
            case .nothing: ([], true, nil)
            }
        json.object("needs") { json in
            for need in needs {
                json.key(named: need.key)
                // Written as in the configuration: a text in quotes, or a number.
                json.append(json: need.value)
            }
        }
        json.member("verified", isVerified)
        if let cancelled { json.member("cancelled", cancelled) }
    }
}
