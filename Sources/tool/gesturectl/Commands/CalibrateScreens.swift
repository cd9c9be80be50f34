// SPDX-License-Identifier: MIT
import ContactTracking
import GestureClient
import LinuxSystem
import Recordings

/// `gesturectl calibrate --screens`.
extension Calibrate {
    /// A panel that may lie on one of the screens.
    private struct Candidate {
        let panel: GestureClient.Device
        let description: DeviceDescription
        /// The id of its `[[device]]`.
        let id: String
        let files: [CalibrationFile]
        /// `nil` if the panel shares its `[[device]]` with another one.
        let configured: CalibrationConfiguration?

        func lines(_ finding: PanelFinding) -> ScreenLines {
            guard let configured else {
                let first = panel.id.prefix { $0 != "@" }
                let table = finding.table(device: id, match: CalibrationConfiguration.match(description))
                return ScreenLines(
                    table: ["# This comes before the [[device]] \"\(first)\", which the panel shares now."] + table,
                    finding: finding, description: description)
            }
            let table = finding.table(device: configured.id, match: configured.match(description))
            return ScreenLines(table: table, finding: finding, description: description)
        }
    }

    func findScreens(_ connection: DaemonConnection, _ signals: borrowing SignalWait) throws {
        let candidates = try candidates(connection)
        var findings: [(candidate: Candidate, finding: PanelFinding)] = []
        if last {
            findings = candidates.compactMap { each in PanelFinding(last: .screen, of: each.id).map { (each, $0) } }
            if findings.isEmpty { _ = try Self.lastFinding(.screen, candidates.map(\.id).joined(separator: ", ")) }
        } else {
            try TargetDisplay.checkRegions(connection)
            let search = ScreenSearch(
                connection: connection, screens: try WaylandScreens(), interrupt: signals.rawValue)
            guard let found = try search.run(for: candidates.map(\.panel.id)) else {
                return Self.endInterrupted(signals)
            }
            for (id, screen) in found {
                guard let candidate = candidates.first(where: { $0.panel.id == id }) else { continue }
                findings.append((candidate, screen.finding))
            }
            guard !findings.isEmpty else { throw ToolError(.notFound, "no panel was touched") }
        }
        StandardOutput.write(Array(ScreenLines.text(findings.map { $0.candidate.lines($0.finding) }).utf8))
        let areKept = findings.map { $0.finding.keep(for: $0.candidate.id) }
        for (each, finding) in findings {
            try writeFiles(finding, each.files, each.panel, each.id, each.description, each.configured)
        }
        guard write == nil, udev == nil else { return }
        let isKept = !areKept.contains(false)
        StandardError.tell("nothing was written; to keep it, pass --write or --udev" + (isKept ? " with --last" : ""))
    }

    /// - Throws: `ToolError` if no panel is ready, or a file cannot be written.
    private func candidates(_ connection: DaemonConnection) throws -> [Candidate] {
        let panels = try device.map { [try connection.panel($0)] } ?? connection.devices()
        let candidates = try panels.filter { $0.output != nil }.map { panel in
            let description = try connection.describe(panel.id).recording.description
            let id = panel.calibrationID(description)
            let files = files(of: id)
            for file in files { try file.check() }
            if !files.isEmpty { try panel.checkDistinct(description, on: connection) }
            let isShared = panel.id.contains("@") && write == nil
            let configured = try isShared ? nil : CalibrationConfiguration(configuration.files, panel, id: id)
            return Candidate(panel: panel, description: description, id: id, files: files, configured: configured)
        }
        guard !candidates.isEmpty else { throw ToolError(.notFound, "no panel is ready; see gesturectl devices") }
        return candidates
    }
}
