// SPDX-License-Identifier: MIT
import ContactTracking
package import GestureEngine

extension Configuration {
    /// The regions of one panel, complete and in millimetres, on or off; parents before their children.
    ///
    /// - Parameters:
    ///   - panel: its output, with the size of the glass.
    ///   - rule: the `[[device]]` that matched it, for its defaults.
    ///   - name: what warnings call the output; by default the rule's id.
    ///   - isSizeKnown: `false`: its millimetres were assumed, which is worth a warning.
    /// - Returns: also warnings (never errors) about what is odd on this panel only.
    package func regions(
        for panel: PanelSize, rule: DeviceRule? = nil, name: String? = nil, isSizeKnown: Bool = true
    ) -> (regions: [Region], diagnostics: [Diagnostic]) {
        var layout = PanelLayout(panel: panel, name: name ?? rule?.id ?? "panel")
        layout.add(regions, base: [defaults, rule?.defaults ?? GestureDefaults()])
        layout.switchRegions(isShown)
        layout.warnAboutGestures()
        layout.warnAboutCovered(scenes)
        if !isSizeKnown { layout.warnAboutMillimeters() }
        return (layout.regions, layout.sortedDiagnostics)
    }

    /// What `regions(for:)` would warn about, on the panels that the configuration itself speaks of.
    package func panelWarnings() -> [Diagnostic] {
        let rules = devices.filter { !$0.ignore }.map { Optional($0) }
        var result: [Diagnostic] = []
        for rule in rules.isEmpty ? [nil] : rules {
            let found = regions(for: nominalPanel(for: rule).size, rule: rule).diagnostics
            result += found.filter { !result.contains($0) }
        }
        return result
    }

    /// A panel as the configuration alone describes it, to check a file where no panel is: the
    /// output of `rule`, else 1920 x 1080 pixels, at 96 dpi unless it gives millimetres.
    package func nominalPanel(for rule: DeviceRule?) -> (size: PanelSize, isSizeKnown: Bool) {
        let pixels = rule?.output.sizePixels
        let (width, height) = (pixels?.width ?? 1920, pixels?.height ?? 1080)
        let millimeters = rule?.output.sizeMillimeters
        let size = PanelSize(
            widthPixels: width, heightPixels: height, widthMillimeters: millimeters?.width ?? width * 25.4 / 96,
            heightMillimeters: millimeters?.height ?? height * 25.4 / 96)
        return (size, millimeters != nil)
    }
}
