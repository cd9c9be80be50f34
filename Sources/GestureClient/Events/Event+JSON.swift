// SPDX-License-Identifier: MIT
package import GestureProtocol

extension GestureClient.Event {
    /// - Parameter line: an object with a text in `event`.
    package init(_ line: JSONValue) {
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
    package init(_ line: JSONValue) {
        server = line.text("server")
        instance = line.text("instance")
        capabilities = line.texts("capabilities")
        configurationGeneration = line.whole("config_generation")
    }
}

extension GestureClient.State {
    package init(_ line: JSONValue) {
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
    package init(_ line: JSONValue) {
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

    /// A gesture that only a `state` has named.
    init(_ active: GestureClient.Active) {
        kind = active.kind
        name = active.name
        region = active.region
        sequence = active.sequence
    }
}

extension GestureClient.Failure {
    package init(_ line: JSONValue) {
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
    package init(_ line: JSONValue) {
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
    package init(_ line: JSONValue) {
        isAdded = line.text("change") == "added"
        device = line.text("device")
        node = line.text("node")
        name = line.text("name")
    }
}

extension GestureClient.ConfigurationChange {
    package init(_ line: JSONValue) {
        change = line.text("change")
        generation = line.whole("generation")
        scene = line["scene"]?.string
        diagnostics = line.list("diagnostics").map { .init($0) }
    }
}

extension GestureClient.Diagnostic {
    package init(_ value: JSONValue) {
        severity = value.text("severity")
        file = value.text("file")
        line = value.whole("line")
        column = value.whole("column")
        code = value.text("code")
        message = value.text("message")
        suggestion = value["suggestion"]?.string
    }
}
