// SPDX-License-Identifier: MIT
import ArgumentParser
import GestureClient
import GestureConfiguration
import GesturePipeline
import GestureProtocol

/// An option for one of the daemon's panels.
struct PanelOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The panel: its id, node or name. (default: the only one that is ready)", valueName: "device"),
        completion: DaemonNames.devices)
    var device: String?
}

extension PanelOption {
    /// Returns the panel of a configuration that `--device` names by its id, or by a name that its `match` selects.
    /// - Throws: `ToolError` 1 if there is no such panel, 64 if there are several.
    func panel(of configuration: Configuration) throws(ToolError) -> PanelSetup {
        try Self.panel(device, of: configuration)
    }

    /// - Parameter device: `nil` for the only panel.
    static func panel(_ device: String?, of configuration: Configuration) throws(ToolError) -> PanelSetup {
        let rules = configuration.panelRules
        func id(_ rule: DeviceRule?) -> String { PanelSetup(nominal: configuration, rule: rule).device }
        var meant = rules
        var subject = "panels are described"
        if let device {
            let exact = rules.filter { id($0) == device }
            meant = exact.isEmpty ? rules.filter { $0?.match.selects(name: device) == true } : exact
            subject = "panels are called \"\(device.safe)\""
        }
        guard let rule = meant.first else {
            let name = device ?? ""
            let nearest = Spelling.nearest(to: name, among: rules.map(id))
            let ids = rules.map { id($0).safe }.joined(separator: ", ")
            let list = rules.count == 1 ? "; there is only \(ids)" : "; there are \(ids)"
            throw ToolError(.notFound, "no panel \"\(name.safe)\"" + (nearest.map { Spelling.hint($0.safe) } ?? list))
        }
        guard meant.count == 1 else { throw DaemonConnection.several(subject, meant.map(id)) }
        return PanelSetup(nominal: configuration, rule: rule)
    }
}

extension DaemonConnection {
    /// Requests the list of devices. The id of the request is 2.
    /// - Parameter event: receives the lines that come before the reply.
    func devices(event: ([UInt8]) throws -> Void = { _ in }) throws -> [GestureClient.Device] {
        GestureClient.Device.all(in: try reply(to: RequestLine("devices", id: 2), event: event).json)
    }

    /// Returns the panel that `--device` names.
    /// - Parameters:
    ///   - name: its id, node or name; `nil`: the only panel that is ready.
    ///   - choice: the advice if there are several.
    /// - Throws: `ToolError` 1 if there is no such panel, 64 if there are several.
    func panel(_ name: String?, choice: String = "choose one with --device") throws -> GestureClient.Device {
        let devices = try devices()
        guard let name else {
            let ready = devices.filter { $0.state == "ready" }
            guard let first = ready.first else {
                throw ToolError(.notFound, "no panel is ready; see gesturectl devices")
            }
            guard ready.count == 1 else { throw Self.several("panels are ready", ready.map(\.id), choice: choice) }
            return first
        }
        if let exact = devices.first(where: { $0.id == name }) { return exact }
        let meant = devices.filter { $0.isNamed(name) }
        guard let first = meant.first else {
            let nearest = Spelling.nearest(to: name, among: devices.map(\.id))
            let hint = nearest.map { Spelling.hint($0.safe) } ?? "; see gesturectl devices"
            throw ToolError(.notFound, "no panel \"\(name.safe)\"\(hint)")
        }
        guard meant.count == 1 else {
            throw Self.several("panels are called \"\(name.safe)\"", meant.map(\.id), choice: choice)
        }
        return first
    }

    /// Returns the error for a choice between several panels.
    static func several(
        _ subject: String, _ ids: [String], choice: String = "choose one with --device"
    ) -> ToolError {
        let names = ids.map(\.safe).joined(separator: ", ")
        return ToolError(.usage, "several \(subject); \(choice): \(names)")
    }
}

extension GestureClient.Device {
    func isNamed(_ name: String) -> Bool { DeviceName.matches(name, id: id, node: node, reported: self.name) }
}
