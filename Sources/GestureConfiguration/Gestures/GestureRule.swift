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
        /// Checked, and ignored by this version.
        case unsupported
    }

    /// The user's label, by default the word.
    package var name: String
    /// As configured: `tap`, `double_tap`, …
    package var word: String
    package var place: Place
    var patches: Patches

    /// The gesture with all defaults and layers applied; `nil` if this version does not know it.
    func resolved(_ layers: [GestureDefaults], _ scale: LengthScale) -> Gesture? {
        let settings: GestureSettings
        switch patches {
        case .press(let own):
            settings = .press(Self.merged(PressSettings(), layers.map { $0.press }, own, scale))
        case .tap(let own):
            settings = .tap(Self.merged(TapSettings(), layers.map { $0.tap }, own, scale))
        case .longPress(let own):
            settings = .longPress(Self.merged(LongPressSettings(), layers.map { $0.longPress }, own, scale))
        case .repeat(let own):
            settings = .repeat(Self.merged(RepeatSettings(), layers.map { $0.repeat }, own, scale))
        case .drag(let own):
            settings = .drag(Self.merged(DragSettings(), layers.map { $0.drag }, own, scale))
        case .swipe(let own):
            settings = .swipe(Self.merged(SwipeSettings(), layers.map { $0.swipe }, own, scale))
        case .unsupported:
            return nil
        }
        return Gesture(name: name, word: word, settings: settings)
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
        case .unsupported: []
        }
    }
}
