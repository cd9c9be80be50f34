// SPDX-License-Identifier: MIT
import ContactTracking
import GestureConfiguration
import GesturePipeline

/// The properties of an open panel that a thread needs to lay out regions on it.
struct OpenPanel: Sendable {
    let path: String
    let description: DeviceDescription
    let fallbackName: String
}

/// The decision that a configuration leads to for each open panel. A thread makes these decisions, because laying out
/// thousands of regions would block the loop for longer than a touch may wait.
struct PreparedPanels: Sendable {
    /// The changes made by clients that were included in the configuration.
    private let runtime: RuntimeState
    /// The decisions, keyed by the panel's path.
    private let decisions: [String: PanelDecision]
    /// The diagnostics of the configuration, keyed by the panel's path. Empty unless requested.
    private var diagnostics: [String: [Diagnostic]] = [:]

    /// Lays out the regions.
    /// - Parameter warns: whether to find diagnostics as well.
    init(_ panels: [OpenPanel], _ configuration: Configuration, warns: Bool = false) {
        runtime = configuration.runtime
        var decisions: [String: PanelDecision] = [:]
        for panel in panels {
            decisions[panel.path] = PanelDecision(
                panel.description, configuration, fallbackName: panel.fallbackName)
        }
        self.decisions = decisions
        guard warns else { return }
        for case (let path, .ready(let setup)) in decisions { diagnostics[path] = setup.diagnostics }
    }

    /// The diagnostics of the configuration on a panel with this layout; `nil` if they were not requested.
    func diagnostics(for path: String, _ layout: PanelLayout) -> [Diagnostic]? {
        guard case .ready(let setup)? = decisions[path], setup.layout == layout else { return nil }
        return diagnostics[path]
    }

    /// The decision about a panel; `nil` if the panel or the changes made by clients are no longer the same as when the
    /// decision was made.
    func decision(for path: String, _ description: DeviceDescription, with runtime: RuntimeState) -> PanelDecision? {
        guard case .ready(let setup)? = decisions[path], setup.description == description, self.runtime == runtime
        else { return nil }
        return .ready(setup)
    }
}
