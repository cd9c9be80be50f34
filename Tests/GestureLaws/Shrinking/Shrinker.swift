// SPDX-License-Identifier: MIT
import GestureEngine
import GestureTestSupport

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
                for (key, value) in gesture.settings.simpler {
                    attempt(run.changing(region: id) { $0.change(name) { key.set(value, &$0.settings) } })
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
    /// The keys that are set, with simpler values: that of a gesture without keys, and, for a list that must not be empty,
    /// its beginning.
    fileprivate var simpler: [(Setting, SettingValue)] {
        let row = kind.row
        return row.differences(self).compactMap { key in
            guard key.isRequired else { return (key, key.get(row.standard)) }
            return switch key.get(self) {
            case .words(let words) where words.count > 1: (key, .words(words.dropLast()))
            case .templates(let templates) where templates.count > 1: (key, .templates(templates.dropLast()))
            case .steps(let steps) where steps.count > 1: (key, .steps(steps.dropLast()))
            default: nil
            }
        }
    }
}
