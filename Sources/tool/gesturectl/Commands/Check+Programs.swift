// SPDX-License-Identifier: MIT
import BridgeProgram
import GestureClient
import GestureConfiguration
import GestureKeys
import GesturePipeline
import GestureProtocol
import LinuxSystem

/// The files of the programs beside the daemon.
extension Check {
    var bridgeFile: String? { (source.config + files).first }

    /// Checks the file of another program.
    /// - Parameters:
    ///   - path: the file; `nil` for the standard one.
    ///   - warnings: returns warnings about settings without errors.
    func check<Settings: BridgeSettings>(
        _ type: Settings.Type, path given: String?, warnings: (Settings) throws -> [Diagnostic] = { _ in [] }
    ) throws {
        let path = given ?? Settings.standardFile
        let text: [UInt8]?
        do throws(ConfigurationFileError) {
            text = try ConfigurationFiles.read(path, mayBeMissing: given == nil)
        } catch {
            throw ToolError(error)
        }
        if text == nil { StandardError.tell("there is no \(path); the built-in settings are used") }
        var (settings, diagnostics) = text.map { Settings.read($0, path: path) } ?? (Settings(), [])
        if let settings { diagnostics += try warnings(settings) }
        if json {
            StandardOutput.write(Self.line(diagnostics, settings == nil ? nil : []))
        } else {
            ConfigurationLoading.show(diagnostics)
        }
        if settings == nil { throw ToolError(.configuration, "") }
        guard !json, !quiet, text != nil else { return }
        StandardOutput.write(Self.verdict([path], warnings: diagnostics.count))
    }

    /// Returns warnings about bindings that no gesture can trigger.
    func warnings(about settings: KeysSettings) throws -> [Diagnostic] {
        guard !settings.bindings.isEmpty else { return [] }
        if source.isGiven {
            let configuration = try ConfigurationLoading.load(source.files)
            let setups = configuration.panelRules.map { PanelSetup(nominal: configuration, rule: $0) }
            return settings.warnings(
                in: BindingContext(
                    configuration, regions: GestureClient.Region.all(of: setups).regions,
                    privateRegions: configuration.access.maySeePrivate(KeysSettings.user) ? .seen : .hidden))
        }
        let connection: DaemonConnection
        do {
            connection = try socket.connect()
        } catch let error as ToolError where [.unavailable, .noPermission].contains(error.status) {
            StandardError.tell(error.message)
            StandardError.tell("bindings were not compared with regions; pass the daemon's files with --config")
            return []
        }
        let (status, rights) = try connection.status()
        let devices = try connection.devices()
        let regions = GestureClient.Region.all(in: try connection.reply(to: RequestLine("regions", id: 3)).json)
        return settings.warnings(
            in: BindingContext(
                regions: regions, devices: devices, scenes: status.texts("scenes"), scene: status["scene"]?.string,
                rights: rights, privateRegions: .unknown))
    }
}

extension AccessSettings {
    /// Whether a user may have the right `private`. Groups and numbers are not looked up, because this machine may not be
    /// the panel's.
    fileprivate func maySeePrivate(_ user: String) -> Bool {
        let members = lists.first { $0.right == .seesPrivate }?.members ?? []
        return members.contains { member in
            if !member.isGroup, case .name(let name, _) = member.id { name == user } else { true }
        }
    }
}
