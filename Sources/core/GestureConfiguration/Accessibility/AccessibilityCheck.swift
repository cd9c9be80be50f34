// SPDX-License-Identifier: MIT
import GestureEngine
import GestureProtocol

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
    /// The first touch that has an action, but is no alternative, with the reason.
    private let obstacles: [String: (index: RegionIndex, gesture: String, reason: String)]

    var rules: [RegionRule] { layout.rules }
    var regions: [Region] { layout.regions }

    init(_ layout: PanelLayout) {
        self.layout = layout
        let scenes = SceneMembers(layout)
        let neverHit = Set(layout.diagnostics.filter { $0.code == .neverHit }.map(\.location))
        var taps: [String: [RegionIndex]] = [:]
        var obstacles: [String: (RegionIndex, String, String)] = [:]
        for index in layout.regions.regionIndices {
            let isHit = !neverHit.contains(layout.rules[index].shapeLocation)
            for gesture in layout.regions[index].gestures where gesture.isTouch {
                guard let action = gesture.action else { continue }
                if let reason = gesture.obstacle ?? (isHit ? nil : "can never be hit") {
                    obstacles[action] = obstacles[action] ?? (index, gesture.name, reason)
                } else {
                    taps[action, default: []].append(index)
                }
            }
        }
        (self.taps, self.obstacles) = (taps, obstacles)
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
        let (missing, cure) = missing(action, for: gesture, in: index)
        report(code, index, of: rule, "\(name) \(need), and \(missing)", cure: cure)
    }

    /// Returns the text about an action that no tap has where a gesture has it, and the cure.
    private func missing(_ action: String, for gesture: Gesture, in index: RegionIndex) -> (String, cure: String) {
        if let regions = taps[action],
            let scene = scenes.scenes(of: index).first(where: { scene in !regions.contains { scenes.has(scene, $0) } })
        {
            return (
                "in scene \"\(layout.scenes[scene].id)\" no tap has its action \"\(action)\"",
                "give a tap in this scene the action \"\(action)\""
            )
        }
        let (text, cure) = ("no tap has its action \"\(action)\"", "give a tap the action \"\(action)\"")
        if let other = obstacles[action], (other.index, other.gesture) != (index, gesture.name) {
            return ("\(text): \"\(regions[other.index].name).\(other.gesture)\" has it, but \(other.reason)", cure)
        }
        return (text, cure + Spelling.hint(Spelling.nearest(to: action, among: taps.keys.sorted())))
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
