// SPDX-License-Identifier: MIT
import ContactTracking
package import GestureEngine
import GestureProtocol
import TouchSharing

/// The configuration's regions, laid out on one panel.
package struct PanelLayout: Hashable, Sendable {
    /// The values that a parent passes on to its children.
    private struct Surroundings: Hashable {
        var box: PixelBox
        var layers: [GestureDefaults]
    }

    let panel: PanelSize
    /// The name of the output in warnings.
    let name: String
    let share: PanelShare
    let cancel: TouchCancel
    /// The layers of defaults that the defaults of regions override.
    private let base: [GestureDefaults]
    /// The layer that overrides the defaults of all regions.
    private let profile: [GestureDefaults]
    let scenes: [SceneRule]
    /// The rules of the regions, parents before their children.
    let rules: [RegionRule]
    /// The regions as laid out, with the same indices as `rules`.
    package private(set) var regions: [Region] = []
    /// Whether each region has children, with the same indices as `rules`.
    private(set) var isParent: [Bool]
    /// A cache, keyed by the index of the parent.
    private var surroundings: [RegionIndex: Surroundings] = [:]
    /// `false` if the panel's size in millimetres was assumed.
    private(set) var isSizeKnown = true

    /// Lays out all regions, and switches each of them on.
    ///
    /// - Parameters:
    ///   - rules: the regions that the panel has, parents before their children.
    ///   - device: the rule that matches the panel.
    ///   - profile: the defaults of the profile in force.
    init(
        _ rules: [RegionRule], panel: PanelSize, name: String, device: DeviceRule?, base: [GestureDefaults],
        profile: GestureDefaults?, scenes: [SceneRule]
    ) {
        share = device?.share ?? .listen
        cancel = device?.cancel ?? .lift
        self.rules = rules
        self.panel = panel
        self.name = name
        self.base = base
        self.profile = profile.map { [$0] } ?? []
        self.scenes = scenes
        isParent = [Bool](repeating: false, count: rules.count)
        let places = rules.placesByID
        for rule in rules {
            let parent = rule.traits.contains(.hasParent) ? rule.parent.flatMap { places[$0] } : nil
            if let parent { isParent[parent.raw] = true }
            add(rule, parent: parent)
        }
        surroundings = [:]
    }

    /// The regions that clients have defined, as they defined them, parents before their children.
    package func definitions(seesPrivate: Bool) -> [String] {
        zip(rules, regions).compactMap { $1.isVisible(seesPrivate: seesPrivate) ? $0.definition : nil }
    }

    /// Switches regions on and off.
    ///
    /// - Parameters:
    ///   - isShown: whether each region is on, with the same indices as `rules`.
    ///   - isSizeKnown: `false` if the size in millimetres was assumed.
    mutating func complete(isShown: [Bool], isSizeKnown: Bool) {
        for (index, isOn) in zip(regions.indices, isShown) where regions[index].isEnabled != isOn {
            regions[index].isEnabled = isOn
        }
        for index in regions.indices where regions[index].isShadowed != rules[index].isShadowed {
            regions[index].isShadowed.toggle()
        }
        self.isSizeKnown = isSizeKnown
    }

    /// Warnings (never errors) that apply to this panel, in the order of the files. Finding them takes longer than laying
    /// out the regions.
    package var diagnostics: [Diagnostic] {
        sorted(LayoutWarnings.find(in: self, about: rules.regionIndices), by: \.location)
    }

    /// Returns the warnings about some regions.
    package func diagnostics(of ids: Set<String>) -> [Diagnostic] {
        LayoutWarnings.find(in: self, about: rules.regionIndices.filter { ids.contains(rules[$0].id) })
    }

    /// Whether the profile in force sets a key of a gesture, so that `defaults` have no effect on it.
    /// - Parameter i: the index of the gesture in region `index`.
    package func profileSets(_ key: String, of i: Int, in index: RegionIndex) -> Bool {
        let gesture = rules[index].gestures[i]
        return !gesture.overrides.contains { $0.key == key }
            && profile.contains { $0.overrides[gesture.type.kind]?.contains { $0.key == key } == true }
    }

    private mutating func add(_ rule: RegionRule, parent: RegionIndex?) {
        let around = parent.map { surroundings(of: $0) }
        let scale = LengthScale(panel: panel, parent: around?.box ?? PixelBox(panel))
        let layers = layers(of: rule, in: around) + profile
        let shape = rule.shape.resolved(scale).shape
        let clip = parent.map { regions[$0].bounds.intersection(regions[$0].clip) } ?? panel.bounds
        var gestures = rule.gestures.map { $0.resolved(layers, scale) }
        // Consecutive regions often have equal gestures; a copy of the same array shares its memory.
        if let last = regions.last?.gestures, last == gestures { gestures = last }
        var region = Region(
            id: rule.id, shape: shape, bounds: shape.boundingBox, clip: clip, parent: parent, z: rule.z,
            margin: rule.margin.map { scale.millimeters($0) } ?? 0, pass: rule.pass,
            isPrivate: rule.isPrivate || parent.map { regions[$0].isPrivate } == true,
            gestures: gestures)
        if let leave = layers.last(where: { $0.leave != nil })?.leave {
            region.leaveDistance = scale.millimeters(leave)
        }
        // A guest's private region need not yield to other private regions, because its events go only to clients that
        // may see those regions too.
        region.yields = rule.isOutsider || (rule.isGuest && !region.isPrivate)
        if rule.isLeased { region.isLeased = true }
        region.capture = rule.capture
        region.contacts = rule.contacts
        region.touches = rule.touches
        region.restAfter = rule.restAfter
        // Set only if it has an effect. Otherwise regions with the same behaviour would compare as different.
        if gestures.contains(where: { $0.settings.taps > 0 }) {
            region.letTapsWait(GestureKind.tap.row.settings(layers.flatMap { $0.overrides[.tap] ?? [] }, scale))
        }
        regions.append(region)
    }

    private mutating func surroundings(of index: RegionIndex) -> Surroundings {
        if let known = surroundings[index] { return known }
        let rule = rules[index]
        let around = regions[index].parent.map { surroundings(of: $0) }
        let (_, box) = rule.shape.resolved(LengthScale(panel: panel, parent: around?.box ?? PixelBox(panel)))
        let made = Surroundings(box: box, layers: layers(of: rule, in: around))
        surroundings[index] = made
        return made
    }

    private func layers(of rule: RegionRule, in around: Surroundings?) -> [GestureDefaults] {
        let layers = around?.layers ?? base
        return rule.defaults == GestureDefaults() ? layers : layers + [rule.defaults]
    }

    /// Returns the items in the order of their locations in the files.
    func sorted<Item>(_ items: [Item], by location: KeyPath<Item, SourceLocation>) -> [Item] {
        guard !items.isEmpty else { return [] }
        var missing = Set(items.map { $0[keyPath: location].file })
        var files: [String: Int] = [:]
        var last = ""
        for index in rules.indices where !missing.isEmpty && rules[index].location.file != last {
            last = rules[index].location.file
            if missing.remove(last) != nil { files[last] = files.count }
        }
        return items.sorted { a, b in
            let (a, b) = (a[keyPath: location], b[keyPath: location])
            return (files[a.file] ?? 0, a.line, a.column) < (files[b.file] ?? 0, b.line, b.column)
        }
    }
}

extension Region {
    /// Makes taps with `wait` wait for gestures that begin with taps.
    /// - Parameter settings: the default settings of a tap in this region.
    fileprivate mutating func letTapsWait(_ settings: GestureSettings) {
        guard case .tap(let standard) = settings else { return }
        taps = standard
        for i in gestures.indices {
            guard case .tap(let tap) = gestures[i].settings, tap.wait, tap.fingers == 1 else { continue }
            for other in gestures where other.settings.taps >= tap.count && !other.unless.contains(gestures[i].name) {
                if !gestures[i].unless.contains(other.name) { gestures[i].unless.append(other.name) }
            }
        }
    }
}
