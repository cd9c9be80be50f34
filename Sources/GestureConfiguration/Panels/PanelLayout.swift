// SPDX-License-Identifier: MIT
import ContactTracking
package import GestureEngine
import GestureProtocol

/// Lays the configuration's regions out on one panel.
struct PanelLayout {
    let panel: PanelSize
    /// What warnings call the output.
    let name: String
    private(set) var rules: [RegionRule] = []
    /// As many as there are rules.
    private(set) var regions: [Region] = []
    private var boxes: [PixelBox] = []
    private var layers: [[GestureDefaults]] = []
    private var diagnostics: [Diagnostic] = []

    init(panel: PanelSize, name: String) {
        self.panel = panel
        self.name = name
    }

    /// - Parameter base: the layers below those of the regions.
    mutating func add(_ rules: [RegionRule], base: [GestureDefaults]) {
        var indices: [String: Int] = [:]
        for rule in rules {
            let parent = rule.parent.flatMap { indices[$0] }
            indices[rule.id] = regions.count
            add(rule, parent: parent, base: base)
        }
    }

    private mutating func add(_ rule: RegionRule, parent: Int?, base: [GestureDefaults]) {
        let scale = LengthScale(panel: panel, parent: parent.map { boxes[$0] } ?? PixelBox(panel))
        let layers = (parent.map { self.layers[$0] } ?? base) + [rule.defaults]
        let (shape, box) = rule.shape.resolved(scale)
        let clip = parent.map { regions[$0].bounds.intersection(regions[$0].clip) } ?? panel.bounds
        var region = Region(
            id: rule.id, shape: shape, bounds: shape.boundingBox, clip: clip, parent: parent, z: rule.z,
            margin: rule.margin.map { scale.millimeters($0) } ?? 0, pass: rule.pass,
            isPrivate: rule.isPrivate || parent.map { regions[$0].isPrivate } == true,
            gestures: rule.gestures.map { $0.resolved(layers, scale) })
        if let leave = layers.last(where: { $0.leave != nil })?.leave {
            region.leaveDistance = scale.millimeters(leave)
        }
        region.capture = rule.capture
        region.contacts = rule.contacts
        region.restAfter = rule.restAfter
        region.letTapsWait(GestureSchema.tap.settings(layers.flatMap { $0.overrides[.tap] ?? [] }, scale))
        self.rules.append(rule)
        regions.append(region)
        boxes.append(box)
        self.layers.append(layers)
        warnIfOutside(regions.count - 1)
    }

    /// - Parameter isShown: for each region.
    mutating func switchRegions(_ isShown: [Bool]) {
        for (index, isEnabled) in zip(regions.indices, isShown) { regions[index].isEnabled = isEnabled }
    }

    /// Switches off what clients have defined above private regions, where it could be touched instead of those.
    mutating func switchOffGuests() {
        let hidden = regions.filter { $0.isPrivate }.map { $0.reach }
        guard !hidden.isEmpty else { return }
        for index in regions.indices where rules[index].isGuest && regions[index].isEnabled {
            let region = regions[index]
            if let parent = region.parent, rules[parent].isGuest, !regions[parent].isEnabled {
                regions[index].isEnabled = false
            } else if !region.isPrivate, hidden.contains(where: { !$0.intersection(region.reach).isEmpty }) {
                regions[index].isEnabled = false
                warn(
                    .neverHit, "region \"\(region.id)\" can never be hit: it would lie above a private region",
                    at: rules[index].shapeLocation)
            }
        }
    }

    /// In the order of the text.
    var sortedDiagnostics: [Diagnostic] {
        var files: [String] = []
        for rule in rules where !files.contains(rule.location.file) { files.append(rule.location.file) }
        return diagnostics.sorted { a, b in
            (files.firstIndex(of: a.file) ?? 0, a.line, a.column) < (
                files.firstIndex(of: b.file) ?? 0, b.line, b.column
            )
        }
    }

    mutating func warn(_ code: DiagnosticCode, _ message: String, at location: SourceLocation) {
        diagnostics.append(Diagnostic(severity: .warning, code: code, message: message, at: location))
    }
}

extension Region {
    /// Lets taps with `wait` wait for gestures that come after them.
    /// - Parameter settings: what a tap of this region is by default.
    fileprivate mutating func letTapsWait(_ settings: GestureSettings) {
        // Else they would make a region another one that never looks at them.
        guard gestures.contains(where: { $0.settings.taps > 0 }), case .tap(let standard) = settings else { return }
        taps = standard
        for i in gestures.indices {
            guard case .tap(let tap) = gestures[i].settings, tap.wait, tap.fingers == 1 else { continue }
            for other in gestures where other.settings.taps >= tap.count && !other.unless.contains(gestures[i].name) {
                if !gestures[i].unless.contains(other.name) { gestures[i].unless.append(other.name) }
            }
        }
    }
}

extension ShapeRule {
    /// On the glass, and the bounding box that children lie in.
    func resolved(_ scale: LengthScale) -> (shape: Shape, box: PixelBox) {
        switch self {
        case .full: Self.rectangle(scale.parent, scale)
        case .rectangle(let rule): Self.rectangle(rule.box(scale), scale)
        case .edge(let rule): Self.rectangle(rule.box(scale), scale)
        case .circle(let center, let radius):
            Self.bounded(.circle(center: center.point(scale), radius: scale.millimeters(radius)), scale)
        case .polygon(let corners):
            Self.bounded(.polygon(corners.map { $0.point(scale) }), scale)
        }
    }

    private static func rectangle(_ box: PixelBox, _ scale: LengthScale) -> (shape: Shape, box: PixelBox) {
        (.rectangle(box.rectangle(scale.panel)), box)
    }

    private static func bounded(_ shape: Shape, _ scale: LengthScale) -> (shape: Shape, box: PixelBox) {
        let bounds = shape.boundingBox
        let (x, y) = (scale.panel.millimetersPerPixelX, scale.panel.millimetersPerPixelY)
        return (
            shape, PixelBox(minX: bounds.minX / x, minY: bounds.minY / y, maxX: bounds.maxX / x, maxY: bounds.maxY / y)
        )
    }
}

extension PointRule {
    /// On the glass; on the grid of 1/1024 px.
    func point(_ scale: LengthScale) -> Point {
        let x = PixelBox.snapped(scale.parent.minX + scale.pixelsX(self.x))
        let y = PixelBox.snapped(scale.parent.minY + scale.pixelsY(self.y))
        return Point(x: x * scale.panel.millimetersPerPixelX, y: y * scale.panel.millimetersPerPixelY)
    }
}

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
        var layout = layout(panel, rule, name: name ?? rule?.id ?? "panel")
        let shown = Dictionary(zip(regions.map { $0.id }, isShown)) { $1 }
        layout.switchRegions(layout.rules.map { shown[$0.id] ?? true })
        layout.switchOffGuests()
        layout.warnAboutGestures()
        layout.warnAboutCovered(scenes)
        if !isSizeKnown { layout.warnAboutMillimeters() }
        return (layout.regions, layout.sortedDiagnostics)
    }

    /// The regions that a panel has.
    private func layout(_ panel: PanelSize, _ rule: DeviceRule?, name: String) -> PanelLayout {
        var layout = PanelLayout(panel: panel, name: name)
        let ids = ids(on: rule?.id ?? name)
        layout.add(regions.filter { ids.contains($0.id) }, base: [defaults, rule?.defaults ?? GestureDefaults()])
        return layout
    }

    /// Reports polygons that have no area on a panel which the files describe. (On others that is a warning.)
    func checkPolygons(_ sink: DiagnosticSink) {
        var reported: Set<String> = []
        for device in devices where !device.ignore && device.output.sizePixels != nil {
            let (panel, isSizeKnown) = nominalPanel(for: device)
            let layout = layout(panel, device, name: device.id)
            for (rule, region) in zip(layout.rules, layout.regions) where region.shape.isFlat {
                guard isSizeKnown || !usesMillimeters(rule), reported.insert(rule.id).inserted else { continue }
                sink.error(
                    .badValue, "polygon of region \"\(rule.id)\" \(ShapeRule.flatness) on panel \"\(device.id)\"",
                    at: rule.shapeLocation)
            }
        }
    }

    /// Whether where a region lies depends on the size of the glass.
    private func usesMillimeters(_ rule: RegionRule) -> Bool {
        if rule.shape.lengths.contains(where: { $0.unit == .millimeters }) { return true }
        // Parents come first, so this ends.
        return regions.first { $0.id == rule.parent }.map { usesMillimeters($0) } ?? false
    }

    /// The regions that a panel has: neither they nor their parents name another `device`.
    private func ids(on panel: String) -> Set<String> {
        var result: Set<String> = []
        for region in regions where region.parent.map({ result.contains($0) }) ?? true {
            if region.device?.glob.matches(panel) ?? true { result.insert(region.id) }
        }
        return result
    }

    /// The warnings of `regions(for:)` for the panels that the configuration itself describes.
    package func panelWarnings() -> [Diagnostic] {
        var result: [Diagnostic] = []
        for rule in panelRules {
            let found = regions(for: nominalPanel(for: rule).size, rule: rule).diagnostics
            result += found.filter { !result.contains($0) }
        }
        return result
    }

    /// The `[[device]]`s that describe panels; `nil` for a panel without one, if there is none.
    package var panelRules: [DeviceRule?] {
        let rules = devices.filter { !$0.ignore }.map { Optional($0) }
        return rules.isEmpty ? [nil] : rules
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
