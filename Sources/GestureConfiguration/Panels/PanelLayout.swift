// SPDX-License-Identifier: MIT
import ContactTracking
package import GestureEngine
import GestureProtocol
import TouchSharing

/// The configuration's regions, laid out on one panel.
///
/// What it has found out about each region is kept, so that the next layout of the panel costs as much as has changed.
package struct PanelLayout: Hashable, Sendable {
    let panel: PanelSize
    /// What warnings call the output.
    let name: String
    let share: PanelShare
    let cancel: TouchCancel
    /// The layers below those of the regions.
    private let base: [GestureDefaults]
    private let scenes: [SceneRule]
    /// Parents before their children.
    let rules: [RegionRule]
    /// By rule.
    package private(set) var regions: [Region] = []
    /// By rule.
    var notes: [Notes] = []
    /// By rule.
    private(set) var isParent: [Bool]
    /// By scene and rule.
    private(set) var isInScene: [[Bool]]
    /// Of parents.
    private var surroundings: [Int: Surroundings] = [:]
    /// Where each region was in the layout before, if nothing about it has changed.
    private(set) var predecessors: Counterparts
    /// What some region has.
    private(set) var traits: Region.Traits = []
    /// What was found last.
    private var found: [Diagnostic] = []

    /// - Parameters:
    ///   - rules: those that the panel has, parents before their children.
    ///   - device: the one that matches the panel.
    ///   - old: an earlier layout. Nothing but the cost depends on it.
    init(
        _ rules: [RegionRule], panel: PanelSize, name: String, device: DeviceRule?, base: [GestureDefaults],
        scenes: [SceneRule], since old: PanelLayout? = nil
    ) {
        share = device?.share ?? .listen
        cancel = device?.cancel ?? .lift
        self.rules = rules
        self.panel = panel
        self.name = name
        self.base = base
        self.scenes = scenes
        isParent = [Bool](repeating: false, count: rules.count)
        isInScene = [[Bool]](repeating: [], count: scenes.count)
        predecessors = Counterparts(rules.count, in: 0) { _, _ in false }
        addAll(since: comparable(old))
    }

    /// The earlier layout, if regions may be the same in both.
    private func comparable(_ old: PanelLayout?) -> PanelLayout? {
        guard let old, old.panel == panel, old.name == name, old.base == base, old.scenes == scenes else { return nil }
        return old.share == share && old.cancel == cancel ? old : nil
    }

    /// Switches regions on and off, and looks for all that deserves a warning.
    ///
    /// - Parameters:
    ///   - isShown: by rule.
    ///   - isSizeKnown: `false` if the size in millimetres was assumed.
    ///   - old: the one of `init`.
    mutating func complete(isShown: [Bool], isSizeKnown: Bool, since old: PanelLayout?) {
        traits = regions.allTraits
        for (index, isOn) in zip(regions.indices, isShown) where regions[index].isEnabled != isOn {
            regions[index].isEnabled = isOn
        }
        for index in regions.indices where regions[index].isShadowed != rules[index].isShadowed {
            regions[index].isShadowed.toggle()
        }
        for index in notes.indices where notes[index].hasWarnings { notes[index].set(.size, []) }
        warnAboutGestures()
        warnAboutCovered(since: comparable(old))
        if !isSizeKnown { warnAboutMillimeters() }
    }

    /// Warnings (never errors) that hold for this panel only, in the order of the text.
    package var diagnostics: [Diagnostic] {
        sorted(listed(among: notes.indices.filter { notes[$0].hasWarnings }))
    }

    private func listed(among places: [Int]) -> [Diagnostic] {
        let warnings = places.flatMap { notes[$0].warnings }
        return Aspect.allCases.flatMap { aspect in warnings.filter { $0.aspect == aspect }.map { $0.diagnostic } }
    }

    /// The warnings about some regions.
    package func diagnostics(of ids: Set<String>) -> [Diagnostic] {
        listed(among: notes.indices.filter { notes[$0].hasWarnings && ids.contains(rules[$0].id) })
    }

    private mutating func addAll(since old: PanelLayout?) {
        let rules = rules
        if let old { compare(with: old) }
        let (range, oldRange) = (predecessors.range, predecessors.otherRange)
        regions.reserveCapacity(rules.count)
        notes.reserveCapacity(rules.count)
        if let old {
            takeOver(0..<range.lowerBound, of: old)
            surroundings = old.surroundings.filter { $0.key < range.lowerBound }
        }
        addEach(range, since: old)
        if let old { takeOver(oldRange.upperBound..<old.rules.count, of: old) }
        for index in rules.indices where rules[index].traits.contains(.hasParent) {
            if let parent = regions[index].parent { isParent[parent] = true }
        }
    }

    /// Finds those at the beginning and at the end that are as they were, and so are their parents.
    private mutating func compare(with old: PanelLayout) {
        let rules = rules
        predecessors = Counterparts(rules.count, in: old.rules.count) { rules[$0].isSame(as: old.rules[$1]) }
        let changed = predecessors.otherRange
        let isIntact = (changed.upperBound..<old.rules.count).allSatisfy { place in
            guard old.rules[place].traits.contains(.hasParent) else { return true }
            return old.regions[place].parent.map { !changed.contains($0) } ?? false
        }
        if !isIntact { predecessors.dropLast(of: rules.count) }
    }

    /// Takes over regions that are as they were, at less cost than one by one.
    private mutating func takeOver(_ places: Range<Int>, of old: PanelLayout) {
        let (start, shift) = (regions.count, regions.count - places.lowerBound)
        regions += old.regions[places]
        notes += old.notes[places]
        for scene in scenes.indices { isInScene[scene] += old.isInScene[scene][places] }
        guard shift != 0 else { return }
        for index in start..<regions.count where rules[index].traits.contains(.hasParent) {
            guard let parent = regions[index].parent, parent >= predecessors.otherRange.upperBound else { continue }
            regions[index].parent = parent + shift
        }
    }

    private mutating func addEach(_ places: Range<Int>, since old: PanelLayout?) {
        let rules = rules
        var parents = NameSearch(count: rules.count) { rules[$0].id }
        // Regions in the same one often follow each other.
        var (lastParent, lastPlace) = (String?.none, Int?.none)
        var search = RuleSearch(old?.rules ?? [], in: predecessors.otherRange)
        for index in places {
            if rules[index].traits.contains(.hasParent), let name = rules[index].parent, name != lastParent {
                (lastParent, lastPlace) = (name, parents.find(name, near: lastPlace ?? 0))
            }
            let parent = rules[index].traits.contains(.hasParent) ? lastPlace : nil
            if let old, let place = search.find(index, of: rules), isSameParent(parent, old.regions[place].parent) {
                regions.append(old.regions[place])
                regions[index].parent = parent
                notes.append(old.notes[place])
                for scene in scenes.indices { isInScene[scene].append(old.isInScene[scene][place]) }
                predecessors[index] = place
            } else {
                add(rules[index], parent: parent)
            }
        }
    }

    private func isSameParent(_ parent: Int?, _ before: Int?) -> Bool {
        guard let parent, let before else { return parent == before }
        return predecessors[parent] == before
    }

    private mutating func add(_ rule: RegionRule, parent: Int?) {
        let around = parent.map { surroundings(of: $0) }
        let scale = LengthScale(panel: panel, parent: around?.box ?? PixelBox(panel))
        let layers = layers(of: rule, in: around)
        let shape = rule.shape.resolved(scale).shape
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
        // A guest's private region need not yield: only clients that may see the other private regions hear of it.
        region.yields = rule.isOutsider || (rule.isGuest && !region.isPrivate)
        region.capture = rule.capture
        region.contacts = rule.contacts
        region.touches = rule.touches
        region.restAfter = rule.restAfter
        region.letTapsWait(GestureSchema.tap.settings(layers.flatMap { $0.overrides[.tap] ?? [] }, scale))
        regions.append(region)
        for scene in scenes.indices { isInScene[scene].append(scenes[scene].has(rule.name)) }
        notes.append(Notes())
        warnIfOutside(regions.count - 1)
        notes[notes.count - 1].set(.outside, takeFound())
    }

    /// What those need to know that lie in a region.
    private mutating func surroundings(of index: Int) -> Surroundings {
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

    /// In the order of the text.
    private func sorted(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
        guard !diagnostics.isEmpty else { return [] }
        var missing = Set(diagnostics.map { $0.file })
        var files: [String: Int] = [:]
        var last = ""
        for index in rules.indices where !missing.isEmpty && rules[index].location.file != last {
            last = rules[index].location.file
            if missing.remove(last) != nil { files[last] = files.count }
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
