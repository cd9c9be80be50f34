// SPDX-License-Identifier: MIT
import ArgumentParser
import BridgeProgram
import ContactTracking
import GestureClient
import GestureConfiguration
import GestureEngine
import GestureKeys
import GesturePipeline
import GestureProtocol
import LinuxSystem

struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check a configuration and show the decision delay of each gesture.",
        discussion: """
            Prints errors and warnings in the format of compilers. Without arguments it checks the files that the \
            daemon reads: /etc/gestured/gestured.toml and /etc/gestured/conf.d. If several files are given, later \
            ones override earlier ones, as in conf.d. Ends with a verdict; the exit status is 78 if there are errors.
            """)

    @Argument(
        help: ArgumentHelp("Check these files, which make up one configuration.", valueName: "file"),
        completion: .file())
    var files: [String] = []

    @OptionGroup var source: ConfigurationOptions

    @Flag(help: "Check the settings of gestured-mqtt in the given file or in /etc/gestured/mqtt.toml.")
    var mqtt = false

    @Flag(
        help: """
            Check the settings of gestured-keys in the given file or in /etc/gestured/keys.toml. Bindings are compared with \
            the regions of the daemon, or of the files given with --config.
            """)
    var keys = false

    @OptionGroup var socket: SocketOptions

    @OptionGroup var table: TableOptions

    @Flag(help: "Print diagnostics and gestures as one line of JSON.")
    var json = false

    @Flag(name: .shortAndLong, help: "Print only errors and warnings.")
    var quiet = false

    func validate() throws {
        if json, quiet { throw ValidationError("--json and --quiet cannot be combined; use one of them") }
        if mqtt, source.config.count + files.count > 1 || source.confDir != nil {
            throw ValidationError("--mqtt checks one file; pass only that file")
        }
        if keys, mqtt { throw ValidationError("--keys and --mqtt cannot be combined; use one of them") }
        if keys, files.count > 1 {
            throw ValidationError("--keys checks one file; pass the files of the daemon with --config")
        }
        if socket.given != nil, !keys || source.isGiven {
            throw ValidationError("--socket is for --keys without --config; leave it out")
        }
    }

    func run() throws {
        if mqtt { return try check(MQTTSettings.self, path: mqttFile) }
        if keys { return try check(KeysSettings.self, path: files.first) { try warnings(about: $0) } }
        let outcome = try ConfigurationLoading.read(source.files(and: files))
        if outcome.paths.isEmpty {
            StandardError.tell("\(ConfigurationLoading.missing), so the daemon would use none; pass a file to check it")
        }
        if !json { ConfigurationLoading.show(outcome.diagnostics) }
        guard let configuration = outcome.configuration else {
            if json { StandardOutput.write(Self.line(outcome.diagnostics, nil)) }
            throw ToolError(.configuration, json ? "" : Self.refusal(outcome.diagnostics))
        }
        let (regions, diagnostics) = ConfigurationLoading.layout(of: configuration)
        guard !json else {
            return StandardOutput.write(Self.line(outcome.diagnostics + diagnostics, regions))
        }
        ConfigurationLoading.show(diagnostics)
        guard !quiet else { return }
        show(regions, of: outcome.paths)
        guard !table.noLegend, !outcome.paths.isEmpty else { return }
        StandardOutput.write(Self.verdict(outcome.paths, warnings: outcome.diagnostics.count + diagnostics.count))
    }

    private func show(_ regions: [Region], of paths: [String]) {
        if regions.isEmpty, !paths.isEmpty {
            StandardError.tell("there are no regions; nothing is recognized until a client defines some")
        }
        let gestures = Self.table(regions)
        table.write(gestures)
        if !table.noLegend, !gestures.rows.isEmpty { StandardOutput.write("\n") }
    }

    private static func refusal(_ diagnostics: [Diagnostic]) -> String {
        let errors = diagnostics.count { $0.severity == .error }
        return "the configuration has \(counted(errors, "error")), so the daemon would not use it; correct them first"
    }

    /// Returns a line such as `/etc/gestured/gestured.toml: ok, 1 warning`.
    private static func verdict(_ paths: [String], warnings: Int) -> String {
        paths.map(\.safe).joined(separator: ", ") + ": ok" + (warnings > 0 ? ", \(counted(warnings, "warning"))" : "")
            + "\n"
    }

    private var mqttFile: String? { (source.config + files).first }

    /// Checks the file of another program.
    /// - Parameters:
    ///   - path: the file; `nil` for the standard one.
    ///   - warnings: returns warnings about settings without errors.
    private func check<Settings: BridgeSettings>(
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
    private func warnings(about settings: KeysSettings) throws -> [Diagnostic] {
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

    /// Returns `{"ok":true,"diagnostics":[…],"gestures":[…]}`.
    /// - Parameter regions: `nil` if the configuration has errors.
    static func line(_ diagnostics: [Diagnostic], _ regions: [Region]?) -> [UInt8] {
        JSONWriter.line { CheckReply.write(diagnostics, regions, into: &$0) }
    }

    static func table(_ regions: [Region]) -> Table {
        var table = Table("REGION", "GESTURE", "NAME", "DECIDED")
        let decisions = regions.decisions
        let doubtful = Set(decisions.filter { $0.delay.moment == .never }.map { "\($0.delay)" })
        table.colors = [0: { _ in .bold }, 3: { doubtful.contains($0) ? .red : nil }]
        for (region, gesture, delay) in decisions {
            table.rows.append([region.id.safe, gesture.word.safe, gesture.name.safe, "\(delay)"])
        }
        return table
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
