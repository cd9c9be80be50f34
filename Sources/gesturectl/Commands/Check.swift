// SPDX-License-Identifier: MIT
import ArgumentParser
import ContactTracking
import GestureConfiguration
import GestureEngine

/// `gesturectl check`
struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check a configuration, and say how long each gesture takes to be decided.",
        discussion: """
            Prints every error and warning in the form of compilers. Without a file it checks what the daemon reads: \
            /etc/gestured/gestured.toml and /etc/gestured/conf.d. The exit status is 78 when there are errors.
            """)

    @Argument(help: ArgumentHelp("Only this file.", valueName: "file"), completion: .file())
    var file: String?

    @OptionGroup var table: TableOptions

    @Flag(help: "One line of JSON: diagnostics and gestures.")
    var json = false

    @Flag(name: .shortAndLong, help: "Only errors and warnings.")
    var quiet = false

    func validate() throws {
        if json, quiet { throw ValidationError("--json and --quiet exclude each other") }
    }

    func run() throws {
        let outcome = try ConfigurationLoading.read(file)
        if !json { ConfigurationLoading.show(outcome.diagnostics) }
        guard let configuration = outcome.configuration else {
            if json { StandardOutput.write(Self.object(outcome.diagnostics, nil).text + "\n") }
            throw ToolError(.configuration, "")
        }
        // The first output that the configuration describes; the daemon checks each panel that is there.
        let rule = configuration.devices.first { !$0.ignore && $0.output.sizePixels != nil }
        let (size, isSizeKnown) = configuration.nominalPanel(for: rule)
        let (regions, diagnostics) = configuration.regions(
            for: size, rule: rule, isSizeKnown: rule == nil || isSizeKnown)
        guard !json else {
            return StandardOutput.write(Self.object(outcome.diagnostics + diagnostics, regions).text + "\n")
        }
        ConfigurationLoading.show(diagnostics)
        guard !quiet else { return }
        if regions.isEmpty { StandardError.write("gesturectl: no regions: nothing will be recognized\n") }
        table.write(Self.table(regions))
    }

    /// `{"ok":true,"diagnostics":[…],"gestures":[…]}`
    /// - Parameter regions: nil when the configuration has errors.
    static func object(_ diagnostics: [Diagnostic], _ regions: [Region]?) -> JSONObject {
        var object = JSONObject()
        object.add("ok", regions != nil)
        object.add("diagnostics", diagnostics.map(Self.object))
        var gestures: [JSONObject] = []
        for (index, region) in (regions ?? []).enumerated() {
            for (gesture, delay) in zip(region.gestures, (regions ?? []).decisionDelays(of: index)) {
                var entry = JSONObject()
                entry.add("region", region.id)
                entry.add("gesture", gesture.word)
                entry.add("name", gesture.name)
                entry.add("decided", "\(delay)")
                entry.add("decided_ms", delay.interval.wholeMilliseconds)
                gestures.append(entry)
            }
        }
        object.add("gestures", gestures)
        return object
    }

    /// With the keys that it has on the socket.
    private static func object(_ diagnostic: Diagnostic) -> JSONObject {
        var object = JSONObject()
        object.add("severity", diagnostic.severity.rawValue)
        object.add("file", diagnostic.file)
        object.add("line", Int64(diagnostic.line))
        object.add("column", Int64(diagnostic.column))
        object.add("code", diagnostic.code.rawValue)
        object.add("message", diagnostic.message)
        if let suggestion = diagnostic.suggestion { object.add("suggestion", suggestion) }
        return object
    }

    static func table(_ regions: [Region]) -> Table {
        var table = Table("REGION", "GESTURE", "NAME", "DECIDED")
        table.colors = [0: { _ in .bold }, 3: { $0 == "perhaps never" ? .red : nil }]
        for (index, region) in regions.enumerated() {
            for (gesture, delay) in zip(region.gestures, regions.decisionDelays(of: index)) {
                table.rows.append([region.id.safe, gesture.word.safe, gesture.name.safe, "\(delay)"])
            }
        }
        return table
    }
}
