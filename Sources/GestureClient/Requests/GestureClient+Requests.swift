// SPDX-License-Identifier: MIT
import GestureProtocol

/// Each connects when there is no connection, and throws `.unavailable` when there is no daemon, at once.
extension GestureClient {
    /// How the daemon is.
    public func status() async throws(ClientError) -> Status { Status(try await answer("status").root) }

    /// The devices that the daemon knows of.
    public func devices() async throws(ClientError) -> [Device] {
        try await answer("devices").root.list("devices").map { Device($0) }
    }

    /// All regions, or those that fit a glob, from the lowest to the topmost.
    public func regions(_ glob: String? = nil) async throws(ClientError) -> [Region] {
        let keys = glob.map { [("region", JSON.text($0))] } ?? []
        return try await answer("regions", keys).root.list("regions").map { Region($0) }
    }

    /// What is true now, whatever this client has subscribed to.
    public func state() async throws(ClientError) -> State { State(try await answer("state").root) }

    /// Who would own a touch at a point in output pixels.
    /// - Parameter device: `nil`: the first panel that is ready.
    public func at(x: Double, y: Double, device: String? = nil) async throws(ClientError) -> Hit {
        var keys: [(String, JSON)] = [("x", .number(x)), ("y", .number(y))]
        if let device { keys.append(("device", .text(device))) }
        return Hit(try await answer("at", keys).root)
    }

    /// Returns when the daemon has answered.
    public func ping() async throws(ClientError) { _ = try await answer("ping") }

    /// Makes the daemon read its configuration anew.
    /// - Returns: the number of the new configuration.
    @discardableResult
    public func reload() async throws(ClientError) -> Int {
        try await answer("reload").root.whole("config_generation")
    }

    /// Shows one of the configuration's scenes, or `default`.
    public func setScene(_ scene: String) async throws(ClientError) {
        _ = try await answer("set_scene", [("scene", .text(scene))])
    }

    /// Switches a region on or off.
    /// - Returns: whether it can be touched now: the scene has a say, too.
    @discardableResult
    public func setRegion(_ region: String, enabled: Bool) async throws(ClientError) -> Bool {
        try await answer("set_region", [("region", .text(region)), ("enabled", .flag(enabled))]).root.flag("enabled")
    }

    /// Replaces what this client defined.
    /// - Parameter lease: the regions go when the connection ends, and come again when it was made anew.
    ///   Otherwise they stay until the daemon ends, and belong to all clients.
    /// - Returns: warnings.
    @discardableResult
    public func defineRegions(
        _ regions: [RegionDefinition], lease: Bool = true
    ) async throws(ClientError) -> [Diagnostic] {
        let definitions = JSON.list(regions.map { $0.json })
        let reply = try await answer("define_regions", [("lease", .flag(lease)), ("regions", definitions)])
        if lease { link.setLease(regions.isEmpty ? nil : definitions) }
        return reply.root.list("diagnostics").map { Diagnostic($0) }
    }

    /// Cancels what is under way in the regions that fit a glob.
    public func cancel(_ glob: String) async throws(ClientError) {
        _ = try await answer("cancel", [("region", .text(glob))])
    }

    /// Any request.
    /// - Returns: the reply's line.
    public func request(_ command: String, _ keys: [String: JSON] = [:]) async throws(ClientError) -> String {
        try await answer(command, keys.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }).root.json
    }

    private func answer(
        _ command: String, _ keys: [(String, JSON)] = []
    ) async throws(ClientError) -> JSONDocument {
        let reply = try await link.reply(to: command, keys)
        let document = try Session.parse(reply, path: link.path)
        guard document.root.flag("ok") else { throw .refused(Refusal(document.root, command: command)) }
        return document
    }
}

extension GestureClient.Refusal {
    /// - Parameter reply: one with `"ok":false`.
    init(_ reply: JSONValue, command: String) {
        let error = reply["error"]
        self.command = command
        code = .init(rawValue: error?["code"]?.string ?? "internal")
        message = error?["message"]?.string ?? "the daemon said no"
        suggestion = error?["suggestion"]?.string
        diagnostics = (error?.list("diagnostics") ?? []).map { .init($0) }
    }
}
