// SPDX-License-Identifier: MIT
import GestureEngine

/// Variations of a run that must have equivalent events.
extension LawRun {
    func mapChanges(_ transform: (ContactChange) -> ContactChange) -> LawRun {
        var run = self
        for i in run.steps.indices {
            if case .frame(let changes) = run.steps[i] { run.steps[i] = .frame(changes.map(transform)) }
        }
        return run
    }

    /// The run with empty frames and unnecessary wake-ups between its steps.
    var interrupted: LawRun {
        var run = self
        run.steps = []
        for (i, step) in steps.enumerated() {
            guard case .wait(let microseconds) = step, microseconds > 0 else {
                run.steps.append(step)
                continue
            }
            run.steps += [.wait(microseconds / 3), i % 2 == 0 ? .frame([]) : .advance]
            run.steps.append(.wait(microseconds - microseconds / 3))
            if i % 5 == 0 { run.steps.append(.advance) }
        }
        return run
    }

    /// The run with reloads of the current world at intervals.
    var reloaded: LawRun {
        var run = self
        run.steps = []
        var world = 0
        for (i, step) in steps.enumerated() {
            run.steps.append(step)
            if case .reload(let new) = step { world = new }
            // Short runs come from the shrinker. They reload after every frame, because the relevant one is not known.
            if case .frame = step, i % 7 == 0 || steps.count < 100 { run.steps.append(.reload(world)) }
        }
        return run
    }

    func turned(_ turn: Turn) -> LawRun {
        var run = mapChanges { change in
            ContactChange(id: change.id, kind: change.kind, position: turn.point(change.position, size))
        }
        run.size = turn.size(size)
        for w in run.worlds.indices {
            for r in run.worlds[w].regions.indices {
                let region = run.worlds[w].regions[r]
                run.worlds[w].regions[r].shape = turn.shape(region.shape, size)
                run.worlds[w].regions[r].bounds = turn.box(region.bounds, size)
                run.worlds[w].regions[r].clip = turn.box(region.clip, size)
                for g in region.gestures.indices {
                    run.worlds[w].regions[r].gestures[g].settings = turn.settings(region.gestures[g].settings)
                }
            }
        }
        return run
    }

    /// The run with each movement split into two halves at the same time, except for a jump of the panel and the report
    /// after it, because a jump must not be split.
    var split: LawRun {
        var run = self
        run.steps = []
        var reports: [ContactID: (position: Point, time: Int64, isJump: Bool)] = [:]
        // A step that goes back in time is processed at the latest time so far.
        var (time, newest) = (Int64(0), Int64(0))
        for step in steps {
            if case .wait(let microseconds) = step { time += microseconds }
            newest = max(newest, time)
            if case .frame(let changes) = step {
                var halves: [ContactChange] = []
                for change in changes {
                    var isJump = false
                    if change.kind == .moved, let before = reports[change.id] {
                        let way = change.position - before.position
                        let reach = SwipeSettings.fastest * Double(newest - before.time) / 1_000_000
                        isJump = reach > 0 && way.length > reach
                        let middle = ContactChange(
                            id: change.id, kind: .moved, position: before.position + way * 0.5)
                        if !isJump, !before.isJump { halves.append(middle) }
                    }
                    reports[change.id] = (change.position, newest, isJump)
                }
                run.steps.append(.frame(halves))
            }
            run.steps.append(step)
        }
        return run
    }
}

extension ContactChange {
    /// The change with a higher id. The order of ids stays the same.
    var renumbered: ContactChange {
        ContactChange(id: ContactID(id.rawValue * 3 + 40), kind: kind, position: position)
    }
}
