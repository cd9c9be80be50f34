// SPDX-License-Identifier: MIT
import ContactTracking
import GestureConfiguration
import GestureEngine
import GesturePipeline
import TouchScripts

/// Searches for a change of the configuration with which a gesture wins the touches that it loses, while the winner is
/// still recognized for touches of its own.
struct ConflictCure {
    /// A change of the configuration.
    private enum Change {
        case key(GesturePlace, Remedy.Need)
        case rule(String, (inout PanelSetup) -> Void)
    }

    /// The number of touches that are played with a change.
    private static let played = 8
    /// The number of new touches of these that must be won. One or two may land beside a small region.
    private static let won = 6
    /// The most values of keys that are tried.
    private static let most = 120
    /// Keys that are tried first, because they tell gestures apart. A finger that stays is told apart by `start`.
    private static let telling = ["axis", "directions", "delay", "when", "start", "max_time", "min_distance"]
    private static let tellingStill = ["start", "delay", "max_time", "min_distance"]

    private let finding: ConflictFinding
    private let stage: ConflictStage
    private let seed: UInt64
    private let hasTime: () -> Bool

    init(_ finding: ConflictFinding, _ stage: ConflictStage, seed: UInt64, hasTime: @escaping () -> Bool) {
        (self.finding, self.stage, self.seed, self.hasTime) = (finding, stage, seed, hasTime)
    }

    /// The change in words; `nil` if there was no time to find it.
    var text: String? {
        for change in changes {
            guard hasTime() else { return nil }
            if helps(change) { return text(change) }
        }
        return fallback
    }

    private var fallback: String {
        switch finding.verdict.rule {
        case .covered, .overlap: "only their places: move or shrink one of the regions (shape)"
        case .shadowed:
            "leave room in the region beside those in it, or give one of the gestures another count or fingers"
        case .unreachable where !isPattern: "give it a larger region, or one that is elsewhere (shape)"
        case .both: "leave one of them out"
        default: "no single key changes it"
        }
    }

    private func text(_ change: Change) -> String {
        switch change {
        case .rule(let text, _): text
        case .key(let place, let need): "\(need.key) = \(need.value) in \(Self.text(place))"
        }
    }

    private static func text(_ place: GesturePlace) -> String {
        "gesture \"\(place.gesture.safe)\" of region \"\(place.region.safe)\""
    }

    // MARK: Changes

    private var changes: [Change] { isMovement ? rules + keys : keys + rules }

    private var loser: Gesture? { stage.setup.find(finding.place)?.gesture }
    private var isPattern: Bool { loser?.settings.kind == .pattern }
    /// Whether rules are tried before keys: a movement that is claimed by another one may be meant to come with it.
    private var isMovement: Bool {
        finding.verdict.rule != .claimed || loser?.settings.kind.row.motion.isMovement == true
    }

    private var rules: [Change] {
        let loser = finding.place
        switch finding.verdict.rule {
        case .covered, .overlap: return [above].compactMap(\.self)
        case .claimed: return order + axes + [simultaneous].compactMap(\.self)
        case .multiTouch, .lost: return bridge + unless + [simultaneous].compactMap(\.self)
        case .exclusive:
            return finding.verdict.winner.map { winner in
                [.rule("exclusive = false in \(Self.text(winner))") { $0.change(winner) { $0.exclusive = false } }]
            } ?? []
        case .unless: return unless
        case .both:
            return finding.verdict.winner.map { winner in
                [
                    .rule("unless = [\"\(loser.gesture.safe)\"] in \(Self.text(winner))") {
                        $0.change(winner) { $0.unless.append(loser.gesture) }
                    }
                ]
            } ?? []
        case .handover:
            return [
                .rule("capture = \"implicit\" in region \"\(loser.region.safe)\"") { setup in
                    setup.find(loser).map { setup.regions[$0.region.raw].capture = .implicit }
                }
            ]
        case .filter:
            return [
                .rule("[filter] mask without the area of the region") { $0.filter.masks = [] },
                .rule("[filter] max_contact_age = \"off\"") { $0.filter.maxContactAge = nil },
                .rule("[filter] storm = \"off\"") { $0.filter.storm = nil },
            ] + bridge
        case .gap: return [longer].compactMap(\.self)
        case .shadowed, .longPress, .unreachable: return []
        }
    }

    /// A `max_time` of a tap that leaves no gap before the long press.
    private var longer: Change? {
        guard case .between(_, let name) = finding.question.subject,
            case .longPress(let press)? = stage.setup.find(
                GesturePlace(region: finding.place.region, gesture: name))?.gesture.settings
        else { return nil }
        let value = "\"\(press.delay.wholeMilliseconds)ms\""
        return .key(finding.place, Remedy.Need(key: "max_time", value: value))
    }

    /// Without an order of the kinds, the innermost region comes first.
    private var order: [Change] {
        stage.setup.arbitration.priority.isEmpty
            ? [] : [.rule("[arbitration] without priority") { $0.arbitration.priority = [] }]
    }

    private var unless: [Change] {
        let place = finding.place
        return (loser?.unless ?? []).map { name in
            .rule("unless without \"\(name.safe)\" in \(Self.text(place))") {
                $0.change(place) { $0.unless.removeAll { $0 == name } }
            }
        }
    }

    private var bridge: [Change] {
        stage.setup.filter.bridge == nil ? [] : [.rule("[filter] bridge = \"off\"") { $0.filter.bridge = nil }]
    }

    /// The axes of a drag that takes touches in any direction.
    private var axes: [Change] {
        guard let winner = finding.verdict.winner, case .drag(let drag)? = stage.setup.find(winner)?.gesture.settings,
            drag.axis == .any
        else { return [] }
        return ["vertical", "horizontal"].map { .key(winner, Remedy.Need(key: "axis", value: "\"\($0)\"")) }
    }

    private var simultaneous: Change? {
        guard let winner = finding.verdict.winner else { return nil }
        let loser = finding.place
        let names = [loser, winner].map { "\"\($0.region.safe).\($0.gesture.safe)\"" }.joined(separator: ", ")
        return .rule("[arbitration] simultaneous = [[\(names)]], so that both are recognized") { setup in
            let pair = [loser, winner].map { ArbitrationSettings.Reference(region: $0.region, gesture: $0.gesture) }
            setup.arbitration.simultaneous.append(.init(pair[0], pair[1]))
        }
    }

    private var above: Change? {
        let loser = finding.place
        guard let top = stage.regions.first(where: { $0.id == finding.verdict.region })?.z else { return nil }
        return .rule("z = \(top + 1) in region \"\(loser.region.safe)\"") { setup in
            setup.find(loser).map { setup.regions[$0.region.raw].z = top + 1 }
        }
    }

    /// Values of the keys of both gestures, the winner's first.
    private var keys: [Change] {
        guard finding.verdict.rule != .shadowed, finding.verdict.rule != .both else { return [] }
        let changes = [finding.verdict.winner, finding.place].compactMap(\.self).flatMap { place in
            let keys = stage.configuration.keys(ofGesture: place.gesture, in: place.region).filter {
                isPattern || !$0.isIdentity
            }
            let telling = isMovement ? Self.telling : Self.tellingStill
            let rank = { (key: Setting) in telling.firstIndex(of: key.name) ?? telling.count }
            return keys.sorted { rank($0) < rank($1) }.flatMap { key in key.trials.map { Change.key(place, $0) } }
        }
        return Array(changes.prefix(Self.most))
    }

    // MARK: Trials

    private func setup(_ change: Change) -> PanelSetup? {
        switch change {
        case .rule(_, let apply):
            var setup = stage.setup
            apply(&setup)
            return setup
        case .key(let place, let need):
            let changed = stage.configuration.applying([need], to: place.gesture, in: place.region)
            return changed.map { PanelSetup(virtual: $0, rule: stage.rule) }
        }
    }

    private func helps(_ change: Change) -> Bool {
        guard let setup = setup(change) else { return false }
        let (map, player) = (LandingMap(setup), TouchPlayer(setup))
        let loser = finding.place
        if case .key(loser, _) = change, finding.question.subject == .ever {
            // The touches were meant for the key as it is.
            guard aimed(at: loser, setup, map).count(where: { isWon($0, player) }) >= Self.won else { return false }
        } else {
            let touches = finding.question.lost.prefix(Self.played)
            guard !touches.isEmpty, touches.allSatisfy({ isWon($0, player) }) else { return false }
        }
        guard let winner = finding.verdict.winner else { return true }
        return aimed(at: winner, setup, map).contains {
            player.play($0).completed.contains(winner)
        }
    }

    private func isWon(_ touch: SketchedTouch, _ player: TouchPlayer) -> Bool {
        let completed = player.play(touch).completed
        guard finding.verdict.rule == .both, let winner = finding.verdict.winner else {
            return completed.contains(finding.place)
        }
        return completed.contains(finding.place) && !completed.contains(winner)
    }

    private func aimed(at place: GesturePlace, _ setup: PanelSetup, _ map: LandingMap) -> [SketchedTouch] {
        guard let (index, gesture) = setup.find(place) else { return [] }
        var aim = TouchAim(
            regions: setup.regions, index: index, gesture: gesture, manner: .anywhere, map: map,
            random: .of(seed, index.raw))
        return (0..<Self.played).map { aim.touch($0) }
    }
}

extension PanelSetup {
    fileprivate mutating func change(_ place: GesturePlace, _ change: (inout Gesture) -> Void) {
        guard let (index, gesture) = find(place),
            let number = regions[index].gestures.firstIndex(where: { $0.name == gesture.name })
        else { return }
        change(&regions[index.raw].gestures[number])
    }
}
