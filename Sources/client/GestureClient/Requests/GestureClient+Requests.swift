// SPDX-License-Identifier: MIT
package import GestureProtocol

/// The requests to the daemon. Each function connects if necessary, and throws `.unavailable` immediately if no daemon
/// is running.
extension GestureClient {
    /// Returns the state of the daemon.
    public func status() async throws(ClientError) -> Status { Status(try await answer("status")) }

    /// Returns the devices that the daemon has found.
    public func devices() async throws(ClientError) -> [Device] {
        Device.all(in: try await answer("devices"))
    }

    /// Returns all regions, or those that match a glob, from the lowest to the topmost.
    public func regions(_ glob: String? = nil) async throws(ClientError) -> [Region] {
        let keys = glob.map { [("region", JSON.text($0))] } ?? []
        return try await answer("regions", keys).list("regions").map { Region($0) }
    }

    /// Returns the current state, regardless of this client's subscription.
    public func state() async throws(ClientError) -> State { State(try await answer("state")) }

    /// Returns the regions at a point in output pixels.
    /// - Parameter device: the panel; `nil` for the first one that is ready.
    public func at(x: Double, y: Double, device: String? = nil) async throws(ClientError) -> Hit {
        var keys: [(String, JSON)] = [("x", .number(x)), ("y", .number(y))]
        if let device { keys.append(("device", .text(device))) }
        return Hit(try await answer("at", keys))
    }

    /// Sends a request that has no effect, and returns when the daemon has replied.
    public func ping() async throws(ClientError) { _ = try await answer("ping") }

    /// Makes the daemon reload its configuration.
    /// - Returns: the number of the new configuration.
    @discardableResult
    public func reload() async throws(ClientError) -> Int {
        try await answer("reload").whole("config_generation")
    }

    /// Switches to a scene of the configuration, or to `default`.
    /// - Parameter time: the time after which the scene that was last set without a time comes back; `nil`: it does not
    ///   come back.
    public func setScene(_ scene: String, for time: Duration? = nil) async throws(ClientError) {
        var keys: [(String, JSON)] = [("scene", .text(scene))]
        if let time { keys.append(("for_ms", .whole(Int(clamping: time.wholeMilliseconds)))) }
        _ = try await answer("set_scene", keys)
    }

    /// Switches to a profile of the configuration, or to `default`. Gestures that are in progress keep the values of the
    /// earlier profile.
    /// - Parameter lease: whether the profile ends with the connection. In that case, the right to define regions is
    ///   enough.
    public func setProfile(_ profile: String, lease: Bool = false) async throws(ClientError) {
        _ = try await answer("set_profile", [("profile", .text(profile)), ("lease", .flag(lease))])
    }

    /// Maps a panel to an output that is turned or has another size, until the next call. A property that is left out is
    /// that of the configuration.
    /// - Parameters:
    ///   - device: the panel; `nil` if there is only one.
    ///   - size: width and height in pixels, after the rotation.
    public func setOutput(
        of device: String? = nil, rotation: Rotation? = nil, size: (width: Int, height: Int)? = nil
    ) async throws(ClientError) {
        var keys: [(String, JSON)] = []
        if let device { keys.append(("device", .text(device))) }
        if let rotation {
            keys.append(("rotation", Int(rotation.rawValue).map { .whole($0) } ?? .text(rotation.rawValue)))
        }
        if let size { keys.append(("size", .list([.whole(size.width), .whole(size.height)]))) }
        _ = try await answer("set_output", keys)
    }

    /// Switches a region on or off.
    /// - Returns: whether the region is now on. This also depends on the scene.
    @discardableResult
    public func setRegion(_ region: String, enabled: Bool) async throws(ClientError) -> Bool {
        try await answer("set_region", [("region", .text(region)), ("enabled", .flag(enabled))]).flag("enabled")
    }

    /// Replaces the regions that this client has defined.
    /// - Parameter lease: whether the daemon removes the regions when the connection ends. In that case, the client
    ///   defines them again when it reconnects. With `false`, the regions exist until the daemon ends, and all clients
    ///   share them.
    /// - Returns: the warnings about the regions.
    @discardableResult
    public func defineRegions(
        _ regions: [RegionDefinition], lease: Bool = true
    ) async throws(ClientError) -> [Diagnostic] {
        let definitions = JSON.list(regions.map { $0.json })
        let reply = try await answer("define_regions", [("lease", .flag(lease)), ("regions", definitions)])
        if lease { core.changeLease { $0.lease = regions } }
        return reply.list("diagnostics").map { Diagnostic($0) }
    }

    /// Adds a region to those that this client has defined, or replaces the region that has the same id.
    /// - Parameters:
    ///   - below: the id of the region that will lie directly above it. With `nil`, a new region is placed on top, and
    ///     an existing one keeps its position.
    ///   - wait: whether the change waits while a gesture is in progress in the region instead of cancelling the
    ///     gesture.
    ///   - lease: see `defineRegions`.
    /// - Returns: whether the change waits, and the warnings about the region.
    @discardableResult
    public func putRegion(
        _ region: RegionDefinition, below: String? = nil, wait: Bool = false, lease: Bool = true
    ) async throws(ClientError) -> (isWaiting: Bool, warnings: [Diagnostic]) {
        var keys: [(String, JSON)] = [("lease", .flag(lease)), ("region", region.json), ("wait", .flag(wait))]
        if let below { keys.append(("below", .text(below))) }
        let reply = try await answer("put_region", keys)
        if lease { core.changeLease { $0.put(region, below: below) } }
        return (reply.flag("waiting"), reply.list("diagnostics").map { Diagnostic($0) })
    }

    /// Removes one of the regions that this client has defined.
    /// - Returns: whether the change waits, as in `putRegion`.
    @discardableResult
    public func removeRegion(_ id: String, wait: Bool = false, lease: Bool = true) async throws(ClientError) -> Bool {
        let keys: [(String, JSON)] = [("lease", .flag(lease)), ("region", .text(id)), ("wait", .flag(wait))]
        let reply = try await answer("remove_region", keys)
        if lease { core.changeLease { $0.lease.removeAll { $0.id == id } } }
        return reply.flag("waiting")
    }

    /// Cancels the gestures of the regions that match a glob.
    public func cancel(_ glob: String) async throws(ClientError) {
        _ = try await answer("cancel", [("region", .text(glob))])
    }

    /// Sends any request.
    /// - Returns: the line of the reply.
    public func request(_ command: String, _ keys: [String: JSON] = [:]) async throws(ClientError) -> String {
        try await answer(command, keys.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }).json
    }

    private func answer(
        _ command: String, _ keys: [(String, JSON)] = []
    ) async throws(ClientError) -> JSONValue {
        let line = try await core.reply(to: command, keys)
        let reply = Reply(line: line, json: try Session.parse(line, path: core.path))
        if let refusal = reply.refusal(of: command) { throw .refused(refusal) }
        return reply.json
    }
}

extension GestureClient.Refusal {
    /// - Parameter reply: a reply with `"ok":false`.
    package init(_ reply: JSONValue, command: String) {
        let error = reply["error"]
        self.command = command
        code = .init(rawValue: error?["code"]?.string ?? "internal")
        message = error?["message"]?.string ?? "the daemon refused the request"
        suggestion = error?["suggestion"]?.string
        diagnostics = (error?.list("diagnostics") ?? []).map { .init($0) }
    }
}
