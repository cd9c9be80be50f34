// SPDX-License-Identifier: MIT
import ContactTracking
import GestureConfiguration
import GesturePipeline

/// A panel that is open, for a thread that lays regions out on it.
struct OpenPanel: Sendable {
    let path: String
    let description: DeviceDescription
    let fallbackName: String
}

/// The decisions of a configuration about the panels that are open: to lay thousands of regions out holds the loop for longer than
/// a touch may wait, so a thread does it.
struct PreparedPanels: Sendable {
    /// The changes by clients in the configuration.
    private let runtime: RuntimeState
    /// By the panels' paths.
    private let decisions: [String: PanelDecision]
    /// The diagnostics of the configuration on each panel, by the panel's path. Empty if nobody has asked for them.
    private var diagnostics: [String: [Diagnostic]] = [:]

    /// - Parameter warns: whether to look for diagnostics, too.
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

    /// The diagnostics of the configuration on a panel with this layout; `nil`: nobody has looked for them.
    func diagnostics(for path: String, _ layout: PanelLayout) -> [Diagnostic]? {
        guard case .ready(let setup)? = decisions[path], setup.layout == layout else { return nil }
        return diagnostics[path]
    }

    /// The decision about a panel, if it is the one that was decided about, and clients have changed
    /// nothing else meanwhile.
    func decision(for path: String, _ description: DeviceDescription, with runtime: RuntimeState) -> PanelDecision? {
        guard case .ready(let setup)? = decisions[path], setup.description == description, self.runtime == runtime
        else { return nil }
        return .ready(setup)
    }
}
