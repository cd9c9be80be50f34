// SPDX-License-Identifier: MIT
import ContactTracking
import GestureConfiguration
import GesturePipeline

/// A panel that is open, for a thread that lays regions out on it.
struct OpenPanel: Sendable {
    let path: String
    let description: DeviceDescription
    let fallbackName: String
    let layout: PanelLayout
}

/// The decisions of a configuration about the panels that are open: to lay thousands of regions out holds the loop for longer than
/// a touch may wait, so a thread does it.
struct PreparedPanels: Sendable {
    /// The changes by clients in the configuration.
    private let runtime: RuntimeState
    /// By the panels' paths.
    private let decisions: [String: PanelDecision]

    init(_ panels: [OpenPanel], _ configuration: Configuration) {
        runtime = configuration.runtime
        var decisions: [String: PanelDecision] = [:]
        for panel in panels {
            decisions[panel.path] = PanelDecision(
                panel.description, configuration, fallbackName: panel.fallbackName, since: panel.layout)
        }
        self.decisions = decisions
    }

    /// The decision about a panel, if it is the one that was decided about, and clients have changed
    /// nothing else meanwhile.
    func decision(for path: String, _ description: DeviceDescription, with runtime: RuntimeState) -> PanelDecision? {
        guard case .ready(let setup)? = decisions[path], setup.description == description, self.runtime == runtime
        else { return nil }
        return .ready(setup)
    }

    /// The next layout of a panel is made faster with it.
    func layout(of path: String) -> PanelLayout? {
        if case .ready(let setup)? = decisions[path] { setup.layout } else { nil }
    }
}
