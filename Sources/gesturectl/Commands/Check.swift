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

    @Flag(help: "Print no line of column names.")
    var noLegend = false

    @Flag(name: .shortAndLong, help: "Only errors and warnings.")
    var quiet = false

    func run() throws {
        let configuration = try ConfigurationLoading.load(file)
        // The first output that the configuration describes; the daemon checks each panel that is there.
        let rule = configuration.devices.first { !$0.ignore && $0.output.sizePixels != nil }
        let (size, isSizeKnown) = configuration.nominalPanel(for: rule)
        let (regions, diagnostics) = configuration.regions(
            for: size, rule: rule, isSizeKnown: rule == nil || isSizeKnown)
        ConfigurationLoading.show(diagnostics)
        guard !quiet else { return }
        if regions.isEmpty { StandardError.write("gesturectl: no regions: nothing will be recognized\n") }
        StandardOutput.write(Self.table(regions).text(withLegend: !noLegend))
    }

    static func table(_ regions: [Region]) -> Table {
        var table = Table("REGION", "GESTURE", "NAME", "DECIDED")
        for (index, region) in regions.enumerated() {
            for (gesture, delay) in zip(region.gestures, regions.decisionDelays(of: index)) {
                table.rows.append([region.id.safe, gesture.word.safe, gesture.name.safe, "\(delay)"])
            }
        }
        return table
    }
}
