// SPDX-License-Identifier: MIT
import GestureProtocol

/// Members of an object with a stand-in for what is missing or of another type: a client must not fall
/// over what a later daemon says differently.
extension JSONValue {
    func text(_ key: String) -> String { self[key]?.string ?? "" }
    func whole(_ key: String) -> Int { wholeIfThere(key) ?? 0 }
    func wholeIfThere(_ key: String) -> Int? { self[key]?.integer.flatMap { Int(exactly: $0) } }
    func number(_ key: String) -> Double { self[key]?.number ?? 0 }
    func flag(_ key: String) -> Bool { self[key]?.bool ?? false }
    func list(_ key: String) -> [JSONValue] { self[key]?.array ?? [] }
    func texts(_ key: String) -> [String] { list(key).compactMap { $0.string } }

    /// Two numbers of this object.
    func point(_ x: String, _ y: String) -> GestureClient.Point? {
        guard let x = self[x]?.number, let y = self[y]?.number else { return nil }
        return GestureClient.Point(x: x, y: y)
    }
}

extension GestureClient.Event {
    /// - Parameter line: an object with a text in `event`.
    init(_ line: JSONValue) {
        let name = line.text("event")
        switch name {
        case "hello": self = .hello(GestureClient.Hello(line))
        case "state": self = .state(GestureClient.State(line))
        case "gesture": self = .gesture(GestureClient.Gesture(line))
        case "failed": self = .failed(GestureClient.Failure(line))
        case "touches": self = .touches(GestureClient.Touches(line))
        case "device": self = .device(GestureClient.DeviceChange(line))
        case "config": self = .configuration(GestureClient.ConfigurationChange(line))
        case "overflow": self = .overflow(dropped: line.whole("dropped"), sinceMilliseconds: line.whole("since_ms"))
        case "bye": self = .bye(reason: line.text("reason"))
        default: self = .other(name: name, json: line.json)
        }
    }
}

extension GestureClient.Hello {
    init(_ line: JSONValue) {
        server = line.text("server")
        instance = line.text("instance")
        capabilities = line.texts("capabilities")
        configurationGeneration = line.whole("config_generation")
    }
}

extension GestureClient.State {
    init(_ line: JSONValue) {
        devices = line.list("devices").map { .init(device: $0.text("device"), state: $0.text("state")) }
        scene = line.text("scene")
        active = line.list("active").map {
            .init(
                region: $0.text("region"), kind: .init(rawValue: $0.text("gesture")), name: $0.text("name"),
                sequence: $0.whole("sequence"))
        }
    }
}

extension GestureClient.Gesture {
    init(_ line: JSONValue) {
        kind = Kind(rawValue: line.text("gesture"))
        name = line.text("name")
        region = line.text("region")
        sequence = line.whole("sequence")
        phase = line["phase"]?.string.flatMap { Phase(rawValue: $0) }
        reason = line["reason"]?.string.map { CancelReason(rawValue: $0) }
        device = line["device"]?.string
        fingers = line.wholeIfThere("fingers")
        position = line.point("x", "y")
        fraction = line.point("u", "v")
        time = line.wholeIfThere("time_us")
        wallMilliseconds = line.wholeIfThere("wall_ms")
        coalesced = line.whole("coalesced")
        isInside = line["inside"]?.bool
        heldMilliseconds = line.wholeIfThere("held_ms")
        count = line.wholeIfThere("count")
        durationMilliseconds = line.wholeIfThere("duration_ms")
        repetition = line.wholeIfThere("n")
        direction = line["direction"]?.string
        angle = line["angle"]?.number
        distance = line["distance_mm"]?.number
        speed = line["velocity_mm_s"]?.number
        start = line["start"]?.point("x", "y")
        predicted = line["predicted"]?.point("x", "y")
        translation = line.point("dx", "dy")
        velocity = line.point("vx", "vy")
        scale = line["scale"]?.number
        rotation = line["rotation"]?.number
        steps = line.wholeIfThere("steps")
    }

    /// Of what only a `state` has told of.
    init(_ active: GestureClient.Active) {
        kind = active.kind
        name = active.name
        region = active.region
        sequence = active.sequence
    }
}

extension GestureClient.Failure {
    init(_ line: JSONValue) {
        kind = .init(rawValue: line.text("gesture"))
        name = line.text("name")
        region = line.text("region")
        device = line.text("device")
        sequence = line.whole("sequence")
        code = line.text("code")
        value = line["value"]?.number
        limit = line["limit"]?.number
        unit = line["unit"]?.string
        message = line.text("message")
        time = line.whole("time_us")
    }
}

extension GestureClient.Touches {
    init(_ line: JSONValue) {
        device = line.text("device")
        contacts = line.list("contacts").map {
            .init(
                id: $0.whole("id"), slot: $0.whole("slot"), position: $0.point("x", "y") ?? .init(x: 0, y: 0),
                region: $0["region"]?.string, major: $0["major_mm"]?.number)
        }
        coalesced = line.whole("coalesced")
        time = line.whole("time_us")
    }
}

extension GestureClient.DeviceChange {
    init(_ line: JSONValue) {
        isAdded = line.text("change") == "added"
        device = line.text("device")
        node = line.text("node")
        name = line.text("name")
    }
}

extension GestureClient.ConfigurationChange {
    init(_ line: JSONValue) {
        change = line.text("change")
        generation = line.whole("generation")
        scene = line["scene"]?.string
        diagnostics = line.list("diagnostics").map { .init($0) }
    }
}

extension GestureClient.Diagnostic {
    init(_ value: JSONValue) {
        severity = value.text("severity")
        file = value.text("file")
        line = value.whole("line")
        column = value.whole("column")
        code = value.text("code")
        message = value.text("message")
        suggestion = value["suggestion"]?.string
    }
}
