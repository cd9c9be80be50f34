// SPDX-License-Identifier: MIT
import ContactTracking
package import GestureEngine

extension Configuration {
    /// The regions of one panel in millimetres; parents before their children.
    ///
    /// - Parameters:
    ///   - panel: the output and the size of the glass.
    ///   - rule: the `[[device]]` that matches the panel, for its defaults.
    ///   - name: what warnings call the output; by default the rule's id.
    ///   - isSizeKnown: `false` if the size in millimetres was assumed, which may be worth a warning.
    /// - Returns: also warnings (never errors) that hold for this panel only.
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

    /// The warnings of `regions(for:)` for the panels that the configuration itself describes.
    package func panelWarnings() -> [Diagnostic] {
        let rules = devices.filter { !$0.ignore }.map { Optional($0) }
        var result: [Diagnostic] = []
        for rule in rules.isEmpty ? [nil] : rules {
            let found = regions(for: nominalPanel(for: rule).size, rule: rule).diagnostics
            result += found.filter { !result.contains($0) }
        }
        return result
    }

    /// A panel to check a file with when there is no device: the output of `rule`, by default 1920 x 1080
    /// pixels at 96 dpi.
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
