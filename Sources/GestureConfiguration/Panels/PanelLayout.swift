// SPDX-License-Identifier: MIT
import ContactTracking
package import GestureEngine
import GestureProtocol

/// The configuration's regions, laid out on one panel.
///
/// What it has found out about each region is kept, so that the next layout of the panel costs as much as has changed.
package struct PanelLayout: Hashable, Sendable {
    /// What is known about one region.
    struct Notes: Hashable, Sendable {
        var box: PixelBox
        var layers: [GestureDefaults]
        var isParent = false
        /// By scene: whether it has the region.
        var isShown: [Bool]
        /// The place of the same region in the layout before, if nothing about it has changed.
        var predecessor: Int?
        var outside: [Diagnostic] = []
        var guest: [Diagnostic] = []
        var gestures: [Diagnostic] = []
        var covered: [Diagnostic] = []
        /// Of the first region with a length in millimetres, if the panel's size is not known.
        var size: [Diagnostic] = []

        var diagnostics: [Diagnostic] { outside + guest + gestures + covered + size }
    }

    let panel: PanelSize
    /// What warnings call the output.
    let name: String
    /// The layers below those of the regions.
    private let base: [GestureDefaults]
    private let scenes: [SceneRule]
    /// Parents before their children.
    let rules: [RegionRule]
    /// By rule.
    package private(set) var regions: [Region] = []
    /// By rule.
    var notes: [Notes] = []
    /// Warnings (never errors) that hold for this panel only, in the order of the text.
    package private(set) var diagnostics: [Diagnostic] = []
    /// What was found last.
    private var found: [Diagnostic] = []

    /// - Parameters:
    ///   - rules: those that the panel has, parents before their children.
    ///   - old: an earlier layout. Nothing but the cost depends on it.
    init(
        _ rules: [RegionRule], panel: PanelSize, name: String, base: [GestureDefaults], scenes: [SceneRule],
        since old: PanelLayout? = nil
    ) {
        self.rules = rules
        self.panel = panel
        self.name = name
        self.base = base
        self.scenes = scenes
        addAll(since: comparable(old))
    }

    /// The earlier layout, if regions may be the same in both.
    private func comparable(_ old: PanelLayout?) -> PanelLayout? {
        guard let old, old.panel == panel, old.name == name, old.base == base, old.scenes == scenes else { return nil }
        return old
    }

    /// Switches regions on and off, and looks for all that deserves a warning.
    ///
    /// - Parameters:
    ///   - isShown: by rule.
    ///   - isSizeKnown: `false` if the size in millimetres was assumed.
    ///   - old: the one of `init`.
    mutating func complete(isShown: [Bool], isSizeKnown: Bool, since old: PanelLayout?) {
        for (index, isEnabled) in zip(regions.indices, isShown) { regions[index].isEnabled = isEnabled }
        for index in notes.indices {
            notes[index].guest = []
            notes[index].size = []
        }
        switchOffGuests()
        warnAboutGestures()
        warnAboutCovered(since: comparable(old))
        if !isSizeKnown { warnAboutMillimeters() }
        diagnostics = sorted(
            notes.flatMap { $0.outside } + notes.flatMap { $0.guest } + notes.flatMap { $0.gestures }
                + notes.flatMap { $0.covered } + notes.flatMap { $0.size })
    }

    /// The warnings about some regions.
    package func diagnostics(of ids: Set<String>) -> [Diagnostic] {
        let chosen = rules.indices.filter { ids.contains(rules[$0].id) }
        return chosen.flatMap { notes[$0].diagnostics }
    }

    private mutating func addAll(since old: PanelLayout?) {
        let parents = Set(rules.compactMap { $0.parent })
        var indices: [String: Int] = [:]
        var search = RuleSearch(old?.rules ?? [])
        regions.reserveCapacity(rules.count)
        notes.reserveCapacity(rules.count)
        for index in rules.indices {
            let parent = rules[index].parent.flatMap { indices[$0] }
            let isParent = !parents.isEmpty && parents.contains(rules[index].id)
            if isParent { indices[rules[index].id] = index }
            if let old, let place = search.find(index, of: rules), isSameParent(parent, old.regions[place].parent) {
                regions.append(old.regions[place])
                regions[regions.count - 1].parent = parent
                notes.append(old.notes[place])
                notes[notes.count - 1].predecessor = place
            } else {
                add(rules[index], parent: parent)
            }
            notes[notes.count - 1].isParent = isParent
        }
    }

    private func isSameParent(_ parent: Int?, _ before: Int?) -> Bool {
        guard let parent, let before else { return parent == before }
        return notes[parent].predecessor == before
    }

    private mutating func add(_ rule: RegionRule, parent: Int?) {
        let scale = LengthScale(panel: panel, parent: parent.map { notes[$0].box } ?? PixelBox(panel))
        var layers = parent.map { notes[$0].layers } ?? base
        if rule.defaults != GestureDefaults() { layers.append(rule.defaults) }
        let (shape, box) = rule.shape.resolved(scale)
        let clip = parent.map { regions[$0].bounds.intersection(regions[$0].clip) } ?? panel.bounds
        var gestures = rule.gestures.map { $0.resolved(layers, scale) }
        // Many regions in a row have the same ones: they share their memory.
        if let last = regions.last?.gestures, last == gestures { gestures = last }
        var region = Region(
            id: rule.id, shape: shape, bounds: shape.boundingBox, clip: clip, parent: parent, z: rule.z,
            margin: rule.margin.map { scale.millimeters($0) } ?? 0, pass: rule.pass,
            isPrivate: rule.isPrivate || parent.map { regions[$0].isPrivate } == true,
            gestures: gestures)
        if let leave = layers.last(where: { $0.leave != nil })?.leave {
            region.leaveDistance = scale.millimeters(leave)
        }
        region.capture = rule.capture
        region.contacts = rule.contacts
        region.restAfter = rule.restAfter
        region.letTapsWait(GestureSchema.tap.settings(layers.flatMap { $0.overrides[.tap] ?? [] }, scale))
        regions.append(region)
        notes.append(Notes(box: box, layers: layers, isShown: scenes.map { $0.has(rule.id) }))
        warnIfOutside(regions.count - 1)
        notes[notes.count - 1].outside = takeFound()
    }

    /// Switches off what clients have defined above private regions, where it could be touched instead of those.
    private mutating func switchOffGuests() {
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
                notes[index].guest = takeFound()
            }
        }
    }

    /// In the order of the text.
    private func sorted(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
        guard !diagnostics.isEmpty else { return [] }
        var missing = Set(diagnostics.map { $0.file })
        var files: [String: Int] = [:]
        // By index: to copy a rule costs more than to look at it.
        for index in rules.indices where !missing.isEmpty {
            let file = rules[index].location.file
            if missing.remove(file) != nil { files[file] = files.count }
        }
        return diagnostics.sorted { a, b in
            (files[a.file] ?? 0, a.line, a.column) < (files[b.file] ?? 0, b.line, b.column)
        }
    }

    mutating func warn(_ code: DiagnosticCode, _ message: String, at location: SourceLocation) {
        found.append(Diagnostic(severity: .warning, code: code, message: message, at: location))
    }

    mutating func takeFound() -> [Diagnostic] {
        guard !found.isEmpty else { return [] }
        defer { found = [] }
        return found
    }
}

/// Finds rules among those of an earlier layout. Most are at the same place.
private struct RuleSearch {
    private let rules: [RegionRule]
    private var next = 0
    /// The places of those that come after the first which was elsewhere.
    private var rest: [String: Int]?

    init(_ rules: [RegionRule]) {
        self.rules = rules
    }

    /// The place of a rule that is equal to one of `others`.
    mutating func find(_ index: Int, of others: [RegionRule]) -> Int? {
        let place: Int
        if rest == nil, next < rules.count, rules[next].id == others[index].id {
            place = next
            next += 1
        } else {
            let rest = rest ?? Dictionary(zip(rules[next...].map { $0.id }, next...)) { $1 }
            self.rest = rest
            guard let found = rest[others[index].id] else { return nil }
            place = found
        }
        return rules[place] == others[index] ? place : nil
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
