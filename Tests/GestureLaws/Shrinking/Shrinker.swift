// SPDX-License-Identifier: MIT
import GestureEngine

/// Makes a run that violates a law smaller while it still violates the same law.
package struct Shrinker {
    package private(set) var run: LawRun
    private let isBroken: (LawRun) -> Bool
    /// The remaining number of attempts, which limits the time for runs that are slow to play.
    private var patience: Int

    /// - Parameter isBroken: whether a run still violates the law in question.
    package init(_ run: LawRun, patience: Int = 20_000, isBroken: @escaping (LawRun) -> Bool) {
        self.run = run
        self.patience = patience
        self.isBroken = isBroken
    }

    /// The smallest run with the violation of `finding`.
    package static func smallest(_ finding: LawCampaign.Finding) -> LawRun {
        let law = finding.violation.law
        var shrinker = Shrinker(finding.run) { finding.check.violation(of: $0)?.law == law }
        shrinker.shrink()
        return shrinker.run
    }

    package mutating func shrink() {
        attempt(run.normal)
        var before: LawRun
        repeat {
            before = run
            dropSteps()
            dropContacts()
            dropWorlds()
            dropRegions()
            simplifyRegions()
            simplifySteps()
        } while run != before && patience > 0
    }

    @discardableResult
    private mutating func attempt(_ candidate: LawRun) -> Bool {
        guard patience > 0, candidate != run else { return false }
        patience -= 1
        guard isBroken(candidate) else { return false }
        run = candidate
        return true
    }

    /// Drops steps: first halves of the run, then quarters, and so on down to single steps.
    private mutating func dropSteps() {
        var length = max(1, run.steps.count / 2)
        while length >= 1 {
            var start = 0
            while start < run.steps.count {
                var candidate = run
                candidate.steps.removeSubrange(start..<min(start + length, run.steps.count))
                if !attempt(candidate.normal) { start += length }
            }
            length = length == 1 ? 0 : length / 2
        }
    }

    private mutating func dropContacts() {
        for contact in run.contacts { attempt(run.without(contact)) }
    }

    private mutating func dropWorlds() {
        var last = run.worlds.count - 1
        while last >= 0, run.worlds.count > 1 {
            var candidate = run
            candidate.worlds.remove(at: last)
            candidate.steps = candidate.steps.map { step in
                guard case .reload(let world) = step, world >= last else { return step }
                return .reload(max(0, world - 1))
            }
            attempt(candidate)
            last -= 1
        }
        for i in run.worlds.indices {
            var candidate = run
            candidate.worlds[i].arbitration = ArbitrationSettings()
            attempt(candidate)
        }
    }

    private mutating func dropRegions() {
        var names: [String] = []
        for world in run.worlds { for region in world.regions { names.append(region.id) } }
        for name in Set(names).sorted() where run.worlds.allSatisfy({ $0.regions.count > 1 }) {
            attempt(run.without(region: name))
        }
    }

    private mutating func simplifyRegions() {
        for region in run.worlds[0].regions {
            let id = region.id
            attempt(run.changing(region: id) { $0.parent = nil })
            attempt(run.changing(region: id) { $0.z = 0 })
            attempt(run.changing(region: id) { $0.margin = 0 })
            attempt(run.changing(region: id) { $0.pass = false })
            attempt(run.changing(region: id) { $0.leaveDistance = 4 })
            attempt(run.changing(region: id) { $0.capture = .implicit })
            attempt(run.changing(region: id) { $0.restAfter = nil })
            attempt(run.changing(region: id) { $0.contacts = .together })
            attempt(run.changing(region: id) { $0.round() })
            let full = Rectangle(minX: 0, minY: 0, maxX: run.size.dx, maxY: run.size.dy)
            attempt(run.changing(region: id) { $0.become(full) })
            for gesture in region.gestures {
                let name = gesture.name
                attempt(run.changing(region: id) { $0.gestures.removeAll { $0.name == name } })
                attempt(run.changing(region: id) { $0.change(name) { $0.after = [] } })
                attempt(run.changing(region: id) { $0.change(name) { $0.unless = [] } })
                attempt(run.changing(region: id) { $0.change(name) { $0.exclusive = false } })
                for settings in gesture.settings.simpler {
                    attempt(run.changing(region: id) { $0.change(name) { $0.settings = settings } })
                }
            }
        }
    }

    /// Rounds positions, and shortens and rounds waits.
    private mutating func simplifySteps() {
        attempt(run.mapChanges { $0.rounded(1) })
        attempt(run.mapChanges { $0.rounded(4) })
        var i = 0
        while i < run.steps.count {
            switch run.steps[i] {
            case .wait(let microseconds):
                for simpler in [0, 1000, 10_000, 100_000, microseconds / 100_000 * 100_000, microseconds / 1000 * 1000]
                where abs(simpler) <= abs(microseconds) {
                    var candidate = run
                    candidate.steps[i] = .wait(simpler)
                    if attempt(candidate) { break }
                }
            case .frame(let changes):
                for j in changes.indices {
                    var fewer = changes
                    if changes.count > 1, case .moved = changes[j].kind {
                        fewer.remove(at: j)
                    } else {
                        fewer[j] = changes[j].rounded(1)
                    }
                    var candidate = run
                    candidate.steps[i] = .frame(fewer)
                    if attempt(candidate.normal) { break }
                }
            default: break
            }
            i += 1
        }
    }
}

extension ContactChange {
    /// The change with its position rounded to a grid of `1 / parts` mm.
    func rounded(_ parts: Double) -> ContactChange {
        var change = self
        change.position = position.rounded(parts)
        return change
    }
}

extension Point {
    func rounded(_ parts: Double) -> Point {
        Point(x: (x * parts).rounded(.down) / parts, y: (y * parts).rounded(.down) / parts)
    }
}

extension Region {
    mutating func change(_ name: String, _ change: (inout Gesture) -> Void) {
        for i in gestures.indices where gestures[i].name == name { change(&gestures[i]) }
    }

    mutating func become(_ box: Rectangle) {
        shape = .rectangle(box)
        bounds = box
        clip = box
    }

    mutating func round() {
        let box = bounds
        become(
            Rectangle(
                minX: box.minX.rounded(), minY: box.minY.rounded(), maxX: box.maxX.rounded(), maxY: box.maxY.rounded()))
    }
}

extension GestureSettings {
    /// Simpler settings of the same kind, in which most values are the defaults.
    var simpler: [GestureSettings] {
        switch self {
        case .press(let own): Self.merges(own, PressSettings(), [{ $0.taps = $1.taps }]).map { .press($0) }
        case .tap(let own):
            Self.merges(
                own, TapSettings(), [{ $0.fingers = $1.fingers }, { $0.count = $1.count }, { $0.wait = $1.wait }]
            )
            .map { .tap($0) }
        case .longPress(let own):
            Self.merges(own, LongPressSettings(), [{ $0.fingers = $1.fingers }, { $0.taps = $1.taps }]).map {
                .longPress($0)
            }
        case .repeat: [.repeat(RepeatSettings())]
        case .drag(let own):
            Self.merges(
                own, DragSettings(),
                [
                    { $0.fingerRange = $1.fingerRange }, { $0.minFingers = $1.minFingers }, { $0.axis = $1.axis },
                    { $0.start = $1.start }, { $0.taps = $1.taps },
                ]
            )
            .map { .drag($0) }
        case .swipe(let own):
            Self.merges(
                own, SwipeSettings(),
                [
                    { $0.fingers = $1.fingers }, { $0.when = $1.when }, { $0.minVelocity = $1.minVelocity },
                    { $0.taps = $1.taps },
                ]
            )
            .map { .swipe($0) }
        case .pinch: [.pinch(PinchSettings())]
        case .rotate: [.rotate(RotateSettings())]
        case .dial(let own): Self.merges(own, DialSettings(), [{ $0.center = $1.center }]).map { .dial($0) }
        case .chain(let own):
            Self.merges(
                own, ChainSettings().with { $0.path = Array(own.path.prefix(1)) },
                [{ $0.path = $1.path }, { $0.when = $1.when }, { $0.minSegment = $1.minSegment }]
            )
            .map { .chain($0) }
        case .stroke(let own): Self.merges(own, StrokeSettings(), [{ $0.templates = $1.templates }]).map { .stroke($0) }
        case .pattern(let own):
            [
                .pattern(
                    {
                        var settings = PatternSettings(); settings.steps = own.steps; return settings
                    }())
            ]
        }
    }

    /// Returns the defaults, then the defaults with each of these values kept in turn, then with all of them kept.
    private static func merges<Settings>(
        _ own: Settings, _ standard: Settings, _ keep: [(inout Settings, Settings) -> Void]
    ) -> [Settings] {
        var all = standard
        var results = [standard]
        for keeper in keep {
            var one = standard
            keeper(&one, own)
            results.append(one)
            keeper(&all, own)
        }
        return results + [all]
    }
}
