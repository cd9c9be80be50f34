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
            daemon reads: /etc/gestured/gestured.toml (while there is none, the installed default) and \
            /etc/gestured/conf.d. If several files are given, later ones override earlier ones, as in conf.d. Ends with \
            a verdict; the exit status is 78 if there are errors.

            With --accessibility it lists what may keep somebody from using the panels that the files describe, each \
            with the clause of a standard and a cure.

            With --conflicts it plays random touches, for at most ten seconds, and lists gestures that always lose the \
            touches that are meant for them: who wins, by which rule, and which key changes that.
            """)

    @Argument(
        help: ArgumentHelp("Check these files, which make up one configuration.", valueName: "file"),
        completion: .file())
    var files: [String] = []

    @OptionGroup var source: ConfigurationOptions

    @Flag(help: "Check the settings of gestured-mqtt in the given file or in /etc/gestured/mqtt.toml.")
    var mqtt = false

    @Flag(help: "Check the settings of gestured-web in the given file or in /etc/gestured/web.toml.")
    var web = false

    @Flag(help: "Check the settings of gestured-report in the given file or in /etc/gestured/report.toml.")
    var report = false

    @Flag(
        help: """
            Check the settings of gestured-keys in the given file or in /etc/gestured/keys.toml. Bindings are compared with \
            the regions of the daemon, or of the files given with --config.
            """)
    var keys = false

    @Flag(help: "List what may keep somebody from using the panels, instead of the delays.")
    var accessibility = false

    @Flag(help: "Search for gestures that always lose the touches that are meant for them, instead of the delays.")
    var conflicts = false

    @Option(help: ArgumentHelp("With --conflicts, the number from which the touches are made.", valueName: "number"))
    var seed: UInt64 = 1

    @Option(
        help: ArgumentHelp(
            "With --accessibility or --conflicts, check only this panel: its id in the files, or its name.",
            valueName: "device"),
        completion: DaemonNames.devices)
    var device: String?

    @OptionGroup var socket: SocketOptions

    @Option(
        help: ArgumentHelp("Check with this profile in force. (default: \"default\")", valueName: "id"),
        completion: DaemonNames.profiles)
    var profile: String?

    @OptionGroup var table: TableOptions

    @Flag(help: "Print diagnostics and gestures as one line of JSON.")
    var json = false

    @Flag(name: .shortAndLong, help: "Print only errors and warnings.")
    var quiet = false

    func validate() throws {
        if json, quiet { throw ValidationError("--json and --quiet cannot be combined; use one of them") }
        let programs = [(mqtt, "--mqtt"), (web, "--web"), (report, "--report"), (keys, "--keys")].compactMap {
            $0 ? $1 : nil
        }
        if programs.count > 1 {
            throw ValidationError("\(programs[0]) and \(programs[1]) cannot be combined; use one of them")
        }
        if mqtt || web || report, source.config.count + files.count > 1 || source.confDir != nil {
            throw ValidationError("\(programs[0]) checks one file; pass only that file")
        }
        if profile != nil, !programs.isEmpty {
            throw ValidationError("--profile is for the files of the daemon; leave it out")
        }
        if accessibility, let program = programs.first {
            throw ValidationError("--accessibility checks the files of the daemon; leave out \(program)")
        }
        if conflicts, accessibility {
            throw ValidationError("--accessibility and --conflicts cannot be combined; use one of them")
        }
        if conflicts, let program = programs.first {
            throw ValidationError("--conflicts searches the files of the daemon; leave out \(program)")
        }
        if device != nil, !accessibility, !conflicts {
            throw ValidationError("--device is for --accessibility and --conflicts; leave it out")
        }
        if seed != 1, !conflicts { throw ValidationError("--seed is for --conflicts; leave it out") }
        if keys, files.count > 1 {
            throw ValidationError("--keys checks one file; pass the files of the daemon with --config")
        }
        if socket.given != nil, !keys || source.isGiven {
            throw ValidationError("--socket is for --keys without --config; leave it out")
        }
    }

    func run() throws {
        if mqtt { return try check(MQTTSettings.self, path: bridgeFile) }
        if web { return try check(WebSettings.self, path: bridgeFile) }
        if report { return try check(ReportSettings.self, path: bridgeFile) }
        if keys { return try check(KeysSettings.self, path: files.first) { try warnings(about: $0) } }
        let outcome = try ConfigurationLoading.read(source.files(and: files))
        if outcome.paths.isEmpty {
            StandardError.tell("\(ConfigurationLoading.missing), so the daemon would use none; pass a file to check it")
        } else if !source.isGiven, files.isEmpty, outcome.paths.first == ConfigurationFiles.defaultFile {
            StandardError.tell("there is no \(ConfigurationFiles.standardFile); the installed default is used")
        }
        if !json { ConfigurationLoading.show(outcome.diagnostics) }
        guard let configuration = try outcome.configuration?.switched(profile: profile) else {
            if json { StandardOutput.write(Self.line(outcome.diagnostics, nil)) }
            throw ToolError(.configuration, json ? "" : Self.refusal(outcome.diagnostics))
        }
        let (regions, diagnostics) = ConfigurationLoading.layout(of: configuration, withProfiles: profile == nil)
        let findings = accessibility ? try findings(in: configuration) : nil
        if !json { ConfigurationLoading.show(diagnostics) }
        let search = conflicts ? try search(configuration) : nil
        guard !json else {
            return StandardOutput.write(Self.line(outcome.diagnostics + diagnostics, regions, findings, search))
        }
        if let search {
            return search.show(
                options: tryOptions,
                verdict: quiet || table.noLegend || outcome.paths.isEmpty ? nil : Self.list(outcome.paths))
        }
        if let findings {
            return show(findings, in: outcome.paths, panels: device == nil ? configuration.panelRules.count : 1)
        }
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

    /// Returns the findings about the panel that `--device` names, or about all panels that the files describe.
    private func findings(in configuration: Configuration) throws(ToolError) -> [AccessibilityFinding] {
        if let device { return try PanelOption.panel(device, of: configuration).layout.accessibility }
        return configuration.panelRules.flatMap { PanelSetup(nominal: configuration, rule: $0).layout.accessibility }
    }

    /// Searches the panel that `--device` names, or all panels that the files describe.
    private func search(_ configuration: Configuration) throws(ToolError) -> ConflictSearch {
        let named = try device.map { device throws(ToolError) in
            try PanelOption.panel(device, of: configuration).device
        }
        let rules = configuration.panelRules.filter { rule in
            named.map { PanelSetup(nominal: configuration, rule: rule).device == $0 } ?? true
        }
        return ConflictSearch.run(configuration, rules, seed: seed)
    }

    /// The options with which another command reads the same configuration.
    private var tryOptions: String {
        let given =
            (source.config + files).map { ["-c", $0] }
            + [source.confDir.map { ["--conf-dir", $0] }, profile.map { ["--profile", $0] }].compactMap(\.self)
        return given.joined().map { "\(ShellWord.quoted($0)) " }.joined()
    }

    /// Prints findings, each once even if several panels have it. Those that not every panel has name the panel.
    private func show(_ findings: [AccessibilityFinding], in paths: [String], panels: Int) {
        let layout = StandardOutput.layout
        let places = Dictionary(grouping: findings) { $0.text { _ in 1 } }.mapValues { $0.count }
        var shown: Set<String> = []
        var counts: [AccessibilityFinding.Severity: Int] = [:]
        for finding in findings {
            let isEverywhere = (places[finding.text { _ in 1 }] ?? 0) >= panels
            let text = finding.text(namesPanel: !isEverywhere) { layout.plain(String($0)).columns }
            guard shown.insert(text).inserted else { continue }
            counts[finding.rule.severity, default: 0] += 1
            StandardOutput.write(layout.diagnostic(text) + "\n", in: layout)
        }
        guard !quiet, !table.noLegend, !paths.isEmpty else { return }
        let found = [(AccessibilityFinding.Severity.warning, "warning"), (.hint, "hint")]
            .compactMap { severity, word in counts[severity].map { counted($0, word) } }
        StandardOutput.write(
            Self.list(paths) + ": checked, " + (found.isEmpty ? "nothing found" : found.joined(separator: ", "))
                + "; what the application does was not checked\n")
    }

    private static func refusal(_ diagnostics: [Diagnostic]) -> String {
        let errors = diagnostics.count { $0.severity == .error }
        return "the configuration has \(counted(errors, "error")), so the daemon would not use it; correct them first"
    }

    /// Returns a line such as `/etc/gestured/gestured.toml: ok, 1 warning`.
    static func verdict(_ paths: [String], warnings: Int) -> String {
        list(paths) + ": ok" + (warnings > 0 ? ", \(counted(warnings, "warning"))" : "") + "\n"
    }

    private static func list(_ paths: [String]) -> String { paths.map(\.safe).joined(separator: ", ") }

    /// Returns `{"ok":true,"diagnostics":[…],"gestures":[…]}`, perhaps with `accessibility` or `conflicts`.
    /// - Parameter regions: `nil` if the configuration has errors.
    static func line(
        _ diagnostics: [Diagnostic], _ regions: [Region]?, _ findings: [AccessibilityFinding]? = nil,
        _ search: ConflictSearch? = nil
    ) -> [UInt8] {
        JSONWriter.line { json in
            CheckReply.write(diagnostics, regions, findings, into: &json)
            search?.write(into: &json)
        }
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
