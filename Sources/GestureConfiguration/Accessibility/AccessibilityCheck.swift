// SPDX-License-Identifier: MIT
import GestureEngine

extension PanelLayout {
    /// The findings about this panel, in the order of the files.
    package var accessibility: [AccessibilityFinding] {
        var check = AccessibilityCheck(self)
        check.run()
        return sorted(check.found, by: \.location)
    }
}

/// Finds the places of one panel's layout that may keep somebody from using it.
struct AccessibilityCheck {
    let layout: PanelLayout
    private(set) var found: [AccessibilityFinding] = []
    /// The regions that are touched at a place, which depends on no movement and on one finger.
    let targets: [AccessibilityTarget]
    let scenes: SceneMembers
    /// The regions in which one tap of one finger has an action.
    private let taps: [String: [RegionIndex]]

    var rules: [RegionRule] { layout.rules }
    var regions: [Region] { layout.regions }

    init(_ layout: PanelLayout) {
        self.layout = layout
        let scenes = SceneMembers(layout)
        var taps: [String: [RegionIndex]] = [:]
        for index in layout.regions.regionIndices {
            for gesture in layout.regions[index].gestures where gesture.isOneTap {
                if let action = gesture.action { taps[action, default: []].append(index) }
            }
        }
        self.taps = taps
        self.scenes = scenes
        targets = layout.regions.regionIndices.compactMap { AccessibilityTarget($0, in: layout, scenes) }
    }

    mutating func run() {
        if !layout.isSizeKnown { reportUnknownSize() }
        checkTargets()
        for index in regions.regionIndices {
            for (gesture, rule) in zip(regions[index].gestures, rules[index].gestures) {
                check(gesture, rule, in: index)
            }
        }
    }

    mutating func report(
        _ rule: AccessibilityRule, _ index: RegionIndex, of gesture: GestureRule? = nil, _ message: String, cure: String
    ) {
        found.append(
            AccessibilityFinding(
                rule, panel: layout.name, region: regions[index].name, gesture: gesture?.name, message, cure: cure,
                at: gesture?.location ?? rules[index].shapeLocation))
    }

    private mutating func reportUnknownSize() {
        guard let target = targets.first else { return }
        found.append(
            AccessibilityFinding(
                .sizeUnknown, panel: layout.name,
                "the size of panel \"\(layout.name)\" is unknown, so regions were not compared with "
                    + "\(plain(AccessibilityTarget.fingerMillimeters)) mm",
                cure: "set size_mm in its [[device]]",
                at: SourceLocation(file: rules[target.index].location.file)))
    }

    // MARK: Alternatives

    /// Whether one tap has the action in every scene in which a region is on.
    /// - Parameter isUseful: whether the tap may be in a region.
    func hasTap(
        for action: String, inScenesOf index: RegionIndex, where isUseful: (RegionIndex) -> Bool = { _ in true }
    ) -> Bool {
        let useful = (taps[action] ?? []).filter(isUseful)
        let needed = scenes.scenes(of: index)
        if needed.isEmpty { return !useful.isEmpty }
        return needed.allSatisfy { scene in useful.contains { scenes.has(scene, $0) } }
    }

    /// Reports a gesture that somebody may be unable to make, unless a tap has the same action.
    /// - Parameter need: the text after the gesture's name.
    mutating func reportUnlessTap(
        _ code: AccessibilityRule, _ gesture: Gesture, _ rule: GestureRule, in index: RegionIndex, _ need: String
    ) {
        let name = "\(regions[index].name).\(gesture.name)"
        guard let action = gesture.action else {
            return report(
                code, index, of: rule, "\(name) \(need), and has no action, so no alternative is known",
                cure: "give it an action, and give a tap the same one")
        }
        guard !hasTap(for: action, inScenesOf: index) else { return }
        let missing =
            layout.scenes.isEmpty
            ? "no tap has its action \"\(action)\""
            : "not every scene of region \"\(regions[index].name)\" has a tap with its action \"\(action)\""
        report(
            code, index, of: rule, "\(name) \(need), and \(missing)",
            cure: "give a tap the action \"\(action)\"")
    }
}

/// The regions of each scene in the files.
///
/// The default scene has all regions. If the files define scenes, it is often never in use, so only regions that are in no
/// other scene are compared there.
struct SceneMembers {
    /// Whether each scene has each region, by the index of the scene.
    private let isMember: [[Bool]]

    init(_ layout: PanelLayout) {
        isMember = layout.scenes.map { scene in layout.rules.map { scene.has($0.name) } }
    }

    func has(_ scene: Int, _ region: RegionIndex) -> Bool { isMember[scene][region.raw] }

    /// The indices of the scenes that have a region.
    func scenes(of region: RegionIndex) -> [Int] { isMember.indices.filter { has($0, region) } }

    /// Whether two regions may be on at the same time.
    func areTogether(_ a: RegionIndex, _ b: RegionIndex) -> Bool {
        let scenesOfA = scenes(of: a)
        return scenesOfA.isEmpty || scenesOfA.contains { has($0, b) } || scenes(of: b).isEmpty
    }
}
