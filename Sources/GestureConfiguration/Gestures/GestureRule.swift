// SPDX-License-Identifier: MIT
import GestureEngine

/// One gesture of a region as the configuration gives it.
package struct GestureRule: Hashable, Sendable {
    enum Patches: Hashable, Sendable {
        case press([PressPatch])
        case tap([TapPatch])
        case longPress([LongPressPatch])
        case `repeat`([RepeatPatch])
        case drag([DragPatch])
        case swipe([SwipePatch])
        case pinch([PinchPatch])
        case rotate([RotatePatch])
        case pattern([PatternPatch])
    }

    /// The user's label, by default the word.
    package var name: String
    /// As configured: `tap`, `double_tap`, …
    package var word: String
    package var place: Place
    var patches: Patches
    /// Names of gestures of the same region, which exist.
    var after: [String] = []
    var unless: [String] = []
    var exclusive = false

    /// The gesture with all defaults and layers applied.
    func resolved(_ layers: [GestureDefaults], _ scale: LengthScale) -> Gesture {
        var gesture = Gesture(name: name, word: word, settings: resolvedSettings(layers, scale))
        gesture.after = after
        gesture.unless = unless
        gesture.exclusive = exclusive
        return gesture
    }

    private func resolvedSettings(_ layers: [GestureDefaults], _ scale: LengthScale) -> GestureSettings {
        switch patches {
        case .press(let own):
            return .press(Self.merged(PressSettings(), layers.map { $0.press }, own, scale))
        case .tap(let own):
            return .tap(Self.merged(TapSettings(), layers.map { $0.tap }, own, scale))
        case .longPress(let own):
            return .longPress(Self.merged(LongPressSettings(), layers.map { $0.longPress }, own, scale))
        case .repeat(let own):
            return .repeat(Self.merged(RepeatSettings(), layers.map { $0.repeat }, own, scale))
        case .drag(let own):
            return .drag(Self.merged(DragSettings(), layers.map { $0.drag }, own, scale))
        case .swipe(let own):
            return .swipe(Self.merged(SwipeSettings(), layers.map { $0.swipe }, own, scale))
        case .pinch(let own):
            return .pinch(Self.merged(PinchSettings(), layers.map { $0.pinch }, own, scale))
        case .rotate(let own):
            return .rotate(Self.merged(RotateSettings(), layers.map { $0.rotate }, own, scale))
        case .pattern(let own):
            return .pattern(Self.merged(PatternSettings(), [], own, scale))
        }
    }

    private static func merged<Patch: SettingsPatch>(
        _ builtIn: Patch.Settings, _ layers: [[Patch]], _ own: [Patch], _ scale: LengthScale
    ) -> Patch.Settings {
        var settings = builtIn
        for layer in layers { layer.apply(to: &settings, scale) }
        own.apply(to: &settings, scale)
        return settings
    }

    /// Lengths that the gesture itself gives.
    var lengths: [Length] {
        switch patches {
        case .press(let own): own.compactMap { $0.length }
        case .tap(let own): own.compactMap { $0.length }
        case .longPress(let own): own.compactMap { $0.length }
        case .repeat(let own): own.compactMap { $0.length }
        case .drag(let own): own.compactMap { $0.length }
        case .swipe(let own): own.compactMap { $0.length }
        case .pinch(let own): own.compactMap { $0.length }
        case .rotate, .pattern: []
        }
    }

    /// Of a pattern; others have none.
    var steps: [PatternStepRule] {
        guard case .pattern(let own) = patches else { return [] }
        for case .steps(let steps) in own { return steps }
        return []
    }
}
