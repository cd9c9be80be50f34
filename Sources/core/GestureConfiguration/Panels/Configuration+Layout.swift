// SPDX-License-Identifier: MIT
import ContactTracking
package import GestureEngine
import GestureProtocol
import TouchSharing

extension Configuration {
    /// Returns the regions of one panel in millimetres, parents before their children.
    ///
    /// - Parameters:
    ///   - panel: the size of the output and of the glass.
    ///   - rule: the `[[device]]` that matches the panel, for its defaults.
    ///   - name: the name of the output in warnings; by default the rule's id.
    ///   - isSizeKnown: `false` if the size in millimetres was assumed; lengths in millimetres then cause a warning.
    package func layout(
        for panel: PanelSize, rule: DeviceRule? = nil, name: String? = nil, isSizeKnown: Bool = true
    ) -> PanelLayout {
        var layout = bareLayout(panel, rule, name: name ?? rule?.id ?? "panel")
        var isShown = self.isShown
        if layout.rules.count < regions.count {
            var next = 0
            // The layout contains some of the regions, in the same order.
            isShown = regions.indices.compactMap { index in
                guard next < layout.rules.count, layout.rules[next].isSame(as: regions[index]) else { return nil }
                next += 1
                return isShown[index]
            }
        }
        layout.complete(isShown: isShown, isSizeKnown: isSizeKnown)
        return layout
    }

    /// Returns the layout of a panel with all its regions on.
    private func bareLayout(_ panel: PanelSize, _ rule: DeviceRule?, name: String) -> PanelLayout {
        let missing = missingIDs(on: rule?.id ?? name)
        return PanelLayout(
            missing.isEmpty ? regions : regions.filter { !missing.contains($0.id) }, panel: panel, name: name,
            device: rule, base: [defaults, rule?.defaults ?? GestureDefaults()], profile: profile?.defaults,
            scenes: scenes)
    }

    /// Returns the regions of `layout(for:)`, and the warnings about them.
    package func regions(
        for panel: PanelSize, rule: DeviceRule? = nil, name: String? = nil, isSizeKnown: Bool = true
    ) -> (regions: [Region], diagnostics: [Diagnostic]) {
        let layout = layout(for: panel, rule: rule, name: name, isSizeKnown: isSizeKnown)
        return (layout.regions, layout.diagnostics)
    }

    /// Reports polygons that have no area on a panel that the files describe. On other panels this is only a warning.
    func checkPolygons(_ sink: DiagnosticSink) {
        guard regions.indices.contains(where: { regions[$0].shape.isPolygon }) else { return }
        var reported: Set<String> = []
        for device in devices where !device.ignore && device.output.sizePixels != nil {
            let (panel, isSizeKnown) = nominalPanel(for: device)
            let layout = bareLayout(panel, device, name: device.id)
            for (rule, region) in zip(layout.rules, layout.regions) where region.shape.isFlat {
                guard isSizeKnown || !usesMillimeters(rule), reported.insert(rule.id).inserted else { continue }
                sink.error(
                    .badValue, "polygon of region \"\(rule.id)\" \(ShapeRule.flatness) on panel \"\(device.id)\"",
                    at: rule.shapeLocation)
            }
        }
    }

    /// Warns about the first region that keeps touches from applications while no panel is shared with them.
    func warnIfNothingIsShared(_ sink: DiagnosticSink) {
        guard !devices.contains(where: { $0.share == .forward }) else { return }
        let rule = regions.first { $0.touches != .share || $0.gestures.contains { $0.consumes } }
        guard let rule else { return }
        sink.warning(
            .noEffect,
            "region \"\(rule.id)\" keeps nothing from applications: no [[device]] has share = \"forward\"",
            at: rule.location)
    }

    /// Whether the position of a region depends on the size of the glass.
    private func usesMillimeters(_ rule: RegionRule) -> Bool {
        if rule.shape.lengths.contains(where: { $0.unit == .millimeters }) { return true }
        // The recursion ends, because a parent comes before its children.
        return regions.first { $0.id == rule.parent }.map { usesMillimeters($0) } ?? false
    }

    /// The ids of the regions that are not on a panel, because they or their parents name another `device`.
    private func missingIDs(on panel: String) -> Set<String> {
        var result: Set<String> = []
        for index in regions.indices {
            let isElsewhere =
                regions[index].traits.contains(.hasDevice)
                && regions[index].device.map { !$0.glob.matches(panel) } ?? false
            guard isElsewhere || (!result.isEmpty && regions[index].isIn(result)) else { continue }
            result.insert(regions[index].id)
        }
        return result
    }

    /// The warnings of `regions(for:)` for the panels that the configuration itself describes.
    package func panelWarnings() -> [Diagnostic] {
        var listed: Set<Diagnostic> = []
        return panelRules.flatMap { rule in
            regions(for: nominalPanel(for: rule).size, rule: rule).diagnostics.filter { listed.insert($0).inserted }
        }
    }

    /// The `[[device]]`s that describe panels. If there are none, this contains one `nil`, for a panel without a rule.
    package var panelRules: [DeviceRule?] {
        let rules = devices.filter { !$0.ignore }.map { Optional($0) }
        return rules.isEmpty ? [nil] : rules
    }

    /// Returns the size of a panel with which a file can be checked without a device: that of the output of `rule`, by
    /// default 1920 x 1080 pixels at 96 dpi.
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
