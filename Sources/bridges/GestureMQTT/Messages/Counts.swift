// SPDX-License-Identifier: MIT
#if MQTT
import GestureClient
import GestureProtocol

/// The daemon's counts since its start, as in the reply to `counts`.
struct Counts: Hashable {
    /// The counts of one region.
    struct Table: Hashable {
        /// The counts by kind of gesture. `failed` contains the counts of failures by their code.
        var gestures: [String: Int] = [:]
        var failed: [String: Int] = [:]

        var isEmpty: Bool { gestures.isEmpty && failed.isEmpty }
    }

    struct Panel: Hashable {
        var device: String
        var contacts: Int
        /// The number of storms of ghost touches; `nil` if this client may not see it.
        var storms: Int?
        /// The number of contacts that the panel lost for a moment; `nil` if this client may not see it.
        var flickers: Int?
        /// The number of contacts ignored because of each key of `[filter]`.
        var ignored: [String: Int]
        /// The number of contacts kept from the application because of each key of `[device.application]`.
        var kept: [String: Int] = [:]
    }

    /// A value that changes with each start of the daemon.
    var instance = ""
    /// The daemon's uptime at the time of the reply, in milliseconds.
    var uptime = 0
    var panels: [Panel] = []
    var regions: [String: Table] = [:]

    init() {}

    init(_ reply: JSONValue, instance: String) {
        self.instance = instance
        panels = reply.list("devices").map { value in
            Panel(
                device: value.text("device"), contacts: Self.count(value["contacts"]?.integer),
                storms: value["storms"]?.integer.map { Self.count($0) },
                flickers: value["flickers"]?.integer.map { Self.count($0) }, ignored: Self.numbers(value["ignored"]),
                kept: Self.numbers(value["kept"]))
        }
        for value in reply.list("regions") {
            regions[value.text("region")] = Table(
                gestures: Self.numbers(value["gestures"]), failed: Self.numbers(value["failed"]))
        }
    }

    private static func numbers(_ table: JSONValue?) -> [String: Int] {
        (table?.members ?? []).reduce(into: [:]) { result, member in
            result[member.key] = member.value.integer.map { count($0) }
        }
    }

    /// Limits a number from the daemon or from a file to 2^40, so that many numbers can be added without overflow.
    static func count(_ number: Int64?) -> Int { Int(clamping: min(max(0, number ?? 0), 1 << 40)) }

    /// Returns the counts since `before`. After a restart of the daemon, these are all of its counts.
    func since(_ before: Counts) -> [String: Table] {
        guard before.instance == instance else { return regions }
        var result: [String: Table] = [:]
        for (region, table) in regions {
            let old = before.regions[region] ?? Table()
            let new = Table(
                gestures: Self.difference(table.gestures, old.gestures),
                failed: Self.difference(table.failed, old.failed))
            if !new.isEmpty { result[region] = new }
        }
        return result
    }

    /// Returns the number of contacts that have landed on all panels since `before`.
    func contacts(since before: Counts) -> Int {
        let now = panels.reduce(0) { $0 + $1.contacts }
        guard before.instance == instance else { return now }
        return max(0, now - before.panels.reduce(0) { $0 + $1.contacts })
    }

    /// Returns the differences between the counts. A count that has decreased must have been reset.
    private static func difference(_ new: [String: Int], _ old: [String: Int]) -> [String: Int] {
        var result: [String: Int] = [:]
        for (key, count) in new {
            let before = old[key] ?? 0
            let more = count >= before ? count - before : count
            if more > 0 { result[key] = more }
        }
        return result
    }
}

extension Counts {
    /// The values that are needed after a restart of this program, as text.
    var saved: String {
        var json = JSONWriter()
        json.object { json in
            json.member("instance", instance)
            json.member("uptime_ms", uptime)
            json.objects("devices", panels) { panel, json in
                json.member("device", panel.device)
                json.member("contacts", panel.contacts)
            }
            Self.write(regions, into: &json)
        }
        return json.text
    }

    /// - Parameter saved: the value of `saved`. If it is `nil` or invalid, there are no earlier counts.
    init(saved: String?) {
        guard let saved, let json = JSONValue(parsing: Array(saved.utf8)) else {
            self.init()
            return
        }
        self.init(json, instance: json.text("instance"))
        uptime = Self.count(json["uptime_ms"]?.integer)
    }

    /// Writes the array `regions`, in the order of their names.
    static func write(_ regions: [String: Table], into json: inout JSONWriter) {
        json.objects("regions", regions.sorted { $0.key < $1.key }) { region, json in
            let table = region.value
            json.member("region", region.key)
            if !table.gestures.isEmpty { json.object("gestures") { write(table.gestures, into: &$0) } }
            if !table.failed.isEmpty { json.object("failed") { write(table.failed, into: &$0) } }
        }
    }

    static func write(_ numbers: [String: Int], into json: inout JSONWriter) {
        for (key, number) in numbers.sorted(by: { $0.key < $1.key }) {
            json.key(named: key)
            json.value(Int64(number))
        }
    }
}
#endif
