// SPDX-License-Identifier: MIT
import ContactTracking
import GestureConfiguration
import GestureEngine
import GesturePipeline
import TouchScripts

/// One panel in one scene, on which touches are played.
final class ConflictStage {
    /// The configuration, switched to the scene.
    let configuration: Configuration
    let rule: DeviceRule?
    /// The scene; `nil` for the one that has all regions.
    let scene: String?
    let setup: PanelSetup
    let map: LandingMap
    /// The number of touches that were played for the search.
    private(set) var touches = 0
    /// The regions that have others in them.
    let parents: Set<RegionIndex>
    private let player: TouchPlayer
    /// The panel that has nothing but one gesture, and that gesture.
    private var lone: (place: GesturePlace, player: TouchPlayer)?

    init(_ configuration: Configuration, _ rule: DeviceRule?, scene: String?) {
        (self.configuration, self.rule, self.scene) = (configuration, rule, scene)
        setup = PanelSetup(virtual: configuration, rule: rule)
        map = LandingMap(setup)
        player = TouchPlayer(setup)
        parents = Set(setup.regions.compactMap(\.parent))
    }

    var regions: [Region] { setup.regions }

    /// Plays a touch on the whole panel.
    func outcome(of touch: SketchedTouch, watchesFilters: Bool = false) -> TouchOutcome {
        touches += 1
        return player.play(touch, watchesFilters: watchesFilters)
    }

    /// Plays a touch on a panel that has nothing but one gesture.
    func outcome(of touch: SketchedTouch, aloneFor place: GesturePlace) -> TouchOutcome? {
        if lone?.place != place { lone = setup.alone(place).map { (place, TouchPlayer($0)) } }
        return lone?.player.play(touch)
    }

    /// Whether a touch makes the gesture if there is nothing else on the panel.
    func isValid(_ touch: SketchedTouch, for place: GesturePlace) -> Bool {
        outcome(of: touch, aloneFor: place)?.completed.contains(place) == true
    }

    /// The landing of a touch, in millimetres.
    func landing(of touch: SketchedTouch) -> Point {
        touch.frames.first?.changes.first?.place(on: setup.size) ?? .zero
    }
}

extension PanelSetup {
    /// The index of a region and a gesture in it.
    func find(_ place: GesturePlace) -> (region: RegionIndex, gesture: Gesture)? {
        guard let region = regions.regionIndices.first(where: { regions[$0].id == place.region }),
            let gesture = regions[region].gestures.first(where: { $0.name == place.gesture })
        else { return nil }
        return (region, gesture)
    }

    /// The panel without everything that may take a touch from a gesture: without filters, other regions, and other
    /// gestures, except those that must come before it.
    func alone(_ place: GesturePlace) -> PanelSetup? {
        guard let (index, gesture) = find(place) else { return nil }
        if case .pattern(let pattern) = gesture.settings { return alone(pattern, index, gesture) }
        var region = regions[index]
        let names = gesture.after + [gesture.name]
        region.gestures = region.gestures.filter { names.contains($0.name) }.map { kept in
            var kept = kept
            (kept.unless, kept.exclusive) = ([], false)
            return kept
        }
        (region.parent, region.capture, region.pass) = (nil, .implicit, false)
        return with([region])
    }

    /// The panel with a pattern and the gestures of its steps only.
    private func alone(_ pattern: PatternSettings, _ index: RegionIndex, _ gesture: Gesture) -> PanelSetup {
        let steps = regions.gestures(of: pattern)
        return with(
            regions.regionIndices.compactMap { other in
                let own = steps.filter { $0.region == other }.map(\.gesture) + (other == index ? [gesture] : [])
                guard !own.isEmpty else { return nil }
                var region = regions[other]
                region.parent = nil
                region.gestures = region.gestures.filter(own.contains)
                return region
            })
    }

    /// The panel with other regions, and without filters and rules.
    private func with(_ regions: [Region]) -> PanelSetup {
        var setup = self
        setup.regions = regions
        setup.arbitration = ArbitrationSettings()
        setup.filter = FilterSettings(maxTouch: nil, maxContactAge: nil, storm: nil)
        return setup
    }
}
