// SPDX-License-Identifier: MIT
import GestureEngine

/// Operations that keep a run well-formed when parts of it are removed.
extension LawRun {
    /// The run without empty frames and without changes of contacts that are not down; consecutive waits are merged.
    var normal: LawRun {
        var run = self
        run.steps = []
        var down: Set<ContactID> = []
        for step in steps {
            switch step {
            case .frame(let changes):
                let kept = changes.filter { change in
                    switch change.kind {
                    case .landed: return down.insert(change.id).inserted
                    case .moved, .resynchronized: return down.contains(change.id)
                    case .lifted, .cancelled: return down.remove(change.id) != nil
                    }
                }
                if !kept.isEmpty { run.steps.append(.frame(kept)) }
            case .wait(0): break
            case .wait(let microseconds):
                if case .wait(let before)? = run.steps.last {
                    run.steps[run.steps.count - 1] = .wait(before + microseconds)
                } else {
                    run.steps.append(step)
                }
            default: run.steps.append(step)
            }
        }
        return run
    }

    var contacts: [ContactID] {
        var ids: [ContactID] = []
        for case .frame(let changes) in steps {
            for change in changes where change.kind == .landed { ids.append(change.id) }
        }
        return ids
    }

    func without(_ contact: ContactID) -> LawRun {
        var run = self
        for i in run.steps.indices {
            if case .frame(let changes) = run.steps[i] {
                run.steps[i] = .frame(changes.filter { $0.id != contact })
            }
        }
        return run.normal
    }

    /// The run with a region removed from all worlds. Its children become children of its parent.
    func without(region id: String) -> LawRun {
        var run = self
        for w in run.worlds.indices {
            let all = run.worlds[w].regions
            guard let gone = all.regionIndices.first(where: { all[$0].id == id }) else { continue }
            run.worlds[w].regions.remove(at: gone.raw)
            for r in run.worlds[w].regions.indices {
                guard let above = run.worlds[w].regions[r].parent else { continue }
                if above == gone { run.worlds[w].regions[r].parent = all[gone].parent }
                if above > gone { run.worlds[w].regions[r].parent = above.advanced(by: -1) }
            }
            run.worlds[w].arbitration.simultaneous.removeAll { $0.first.region == id || $0.second.region == id }
        }
        return run
    }

    /// Changes every region with this id in all worlds.
    func changing(region id: String, _ change: (inout Region) -> Void) -> LawRun {
        var run = self
        for w in run.worlds.indices {
            for r in run.worlds[w].regions.indices where run.worlds[w].regions[r].id == id {
                change(&run.worlds[w].regions[r])
            }
        }
        return run
    }
}
