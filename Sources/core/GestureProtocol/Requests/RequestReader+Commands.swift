// SPDX-License-Identifier: MIT

extension RequestReader {
    /// The keys of a command, except `cmd` and `id`.
    package static func keys(of name: CommandName) -> [String] {
        switch name {
        case .subscribe:
            ["events", "regions", "devices", "gestures", "names", "phases", "max_rate_hz", "max_age_ms", "wall_clock"]
        case .status, .clients, .devices, .state, .ping, .counts, .reload, .activity: []
        case .regions, .cancel: ["region"]
        case .at: ["x", "y", "device"]
        case .describe, .touchMap: ["device"]
        case .setRegion: ["region", "enabled"]
        case .setScene: ["scene", "for_ms"]
        case .setProfile: ["profile", "lease"]
        case .setOutput: ["device", "rotation", "size"]
        case .defineRegions: ["lease", "regions", "wait"]
        case .putRegion: ["lease", "region", "below", "wait"]
        case .removeRegion: ["lease", "region", "wait"]
        }
    }

    static func readCommand(_ name: CommandName, _ object: JSONValue) throws(RequestError) -> Request.Command {
        let arguments = RequestArguments(object)
        try arguments.refuseUnknown(["cmd", "id"] + keys(of: name))
        switch name {
        case .subscribe: return .subscribe(try readSubscription(arguments))
        case .status: return .status
        case .clients: return .clients
        case .devices: return .devices
        case .regions: return .regions(region: try arguments.string("region"))
        case .state: return .state
        case .ping: return .ping
        case .at: return try readAt(arguments)
        case .describe: return .describe(device: try arguments.string("device"))
        case .counts: return .counts
        case .touchMap: return .touchMap(device: try arguments.string("device"))
        case .reload: return .reload
        case .cancel: return .cancel(region: try arguments.requiredString("region"))
        case .activity: return .activity
        case .setRegion: return try readSetRegion(arguments)
        case .setScene: return try readSetScene(arguments)
        case .setProfile:
            return .setProfile(
                profile: try arguments.requiredString("profile"), lease: try arguments.bool("lease") ?? false)
        case .setOutput:
            return .setOutput(
                device: try arguments.string("device"), rotation: try readRotation(arguments, object["rotation"]),
                size: try readSize(arguments))
        case .defineRegions: return try readDefineRegions(arguments)
        case .putRegion: return try readPutRegion(arguments, object["region"])
        case .removeRegion:
            return .removeRegion(
                lease: try arguments.bool("lease") ?? false, region: try arguments.requiredString("region"),
                waits: try arguments.bool("wait") ?? false)
        }
    }

    private static func readAt(_ arguments: RequestArguments) throws(RequestError) -> Request.Command {
        // Larger values are mistakes, and a double could not represent their tenths.
        let range = -1e9...1e9
        guard let x = try arguments.number("x", in: range, "a number of pixels") else { throw arguments.missing("x") }
        guard let y = try arguments.number("y", in: range, "a number of pixels") else { throw arguments.missing("y") }
        return .at(x: x, y: y, device: try arguments.string("device"))
    }

    private static func readSetRegion(_ arguments: RequestArguments) throws(RequestError) -> Request.Command {
        let regions = try arguments.stringOrStrings("region")
        guard let enabled = try arguments.bool("enabled") else { throw arguments.missing("enabled") }
        return .setRegion(regions: regions, enabled: enabled)
    }

    private static func readSetScene(_ arguments: RequestArguments) throws(RequestError) -> Request.Command {
        let (scene, range) = (try arguments.requiredString("scene"), ProtocolLimits.sceneTime)
        let words = "an integer from \(range.lowerBound) to \(range.upperBound)"
        return .setScene(scene: scene, milliseconds: try arguments.integer("for_ms", in: range, words))
    }

    private static func readRotation(
        _ arguments: RequestArguments, _ value: JSONValue?
    ) throws(RequestError) -> String? {
        guard let value else { return nil }
        let (degrees, words) = (ProtocolLimits.rotationDegrees, ProtocolLimits.rotationWords)
        if let word = value.string, words.contains(word) { return word }
        if let number = value.integer, degrees.contains("\(number)") { return "\(number)" }
        let list = degrees + words.map { "\"\($0)\"" }
        throw arguments.wrong("rotation", "one of \(list.joined(separator: ", "))")
    }

    private static func readSize(_ arguments: RequestArguments) throws(RequestError) -> [Int64]? {
        guard let values = try arguments.array("size", atMost: 2) else { return nil }
        let (range, numbers) = (ProtocolLimits.outputPixels, values.compactMap(\.integer))
        guard numbers.count == 2, numbers.allSatisfy({ range.contains($0) }) else {
            throw arguments.wrong(
                "size", "[width, height], two integers from \(range.lowerBound) to \(range.upperBound)")
        }
        return numbers
    }

    private static func readDefineRegions(_ arguments: RequestArguments) throws(RequestError) -> Request.Command {
        let lease = try arguments.bool("lease") ?? false
        guard let regions = try arguments.array("regions", atMost: ProtocolLimits.definitions) else {
            throw arguments.missing("regions")
        }
        for (index, region) in regions.enumerated() {
            try checkDefinition(region, path: "regions[\(index)]")
        }
        return .defineRegions(lease: lease, regions: regions, waits: try arguments.bool("wait") ?? false)
    }

    private static func readPutRegion(
        _ arguments: RequestArguments, _ region: JSONValue?
    ) throws(RequestError) -> Request.Command {
        guard let region else { throw arguments.missing("region") }
        try checkDefinition(region, path: "region")
        return .putRegion(
            lease: try arguments.bool("lease") ?? false, region: region, below: try arguments.string("below"),
            waits: try arguments.bool("wait") ?? false)
    }

    /// Checks the form of a definition: an id, a shape, and gestures as names or objects.
    private static func checkDefinition(_ value: JSONValue, path: String) throws(RequestError) {
        guard value.isObject else { throw RequestError(.badValue, "\"\(path)\" must be an object") }
        let region = RequestArguments(value, path: path + ".")
        try region.refuseUnknown([
            "id", "shape", "gestures", "parent", "device", "z", "margin", "pass", "private", "capture", "contacts",
            "rest_after", "touches", "defaults",
        ])
        _ = try region.requiredString("id")
        guard let shape = value["shape"] else { throw region.missing("shape") }
        guard shape.isObject || shape.string == "full" else { throw region.wrong("shape", "\"full\" or an object") }
        for gesture in try region.array("gestures", atMost: 64) ?? []
        where gesture.string == nil && gesture["type"]?.string == nil {
            throw region.wrong("gestures", "a list of names, or of objects with a \"type\"")
        }
    }
}
