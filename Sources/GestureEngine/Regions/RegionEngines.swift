// SPDX-License-Identifier: MIT

/// The engines of all regions, in fixed memory.
///
/// `Array` cannot hold what is not copyable, and copies of a region engine would be its undoing:
/// each would share storage with the original, and the next change of either would allocate.
struct RegionEngines: ~Copyable {
    private let storage: UnsafeMutablePointer<RegionEngine>
    private let count: Int

    init(_ regions: [Region], _ arbitration: ArbitrationSettings) {
        storage = .allocate(capacity: regions.count)
        count = regions.count
        for i in regions.indices {
            (storage + i).initialize(to: RegionEngine(regions[i], index: i, priority: arbitration.priority))
        }
        pair(regions, arbitration)
    }

    deinit {
        storage.deinitialize(count: count)
        storage.deallocate()
    }

    /// By address: a coroutine would copy 217 bytes for every look at an engine.
    ///
    /// - Precondition: `index` is that of a region the engines were made for.
    subscript(index: Int) -> RegionEngine {
        unsafeAddress { UnsafePointer(storage + index) }
        nonmutating unsafeMutableAddress { storage + index }
    }

    /// Takes over which gestures do not cancel each other, and which kinds come first.
    func arbitrate(_ regions: [Region], _ arbitration: ArbitrationSettings) {
        for i in regions.indices {
            storage[i].rules.companions.removeAll()
            storage[i].rules.prioritize(arbitration.priority, regions[i])
        }
        pair(regions, arbitration)
    }

    private func pair(_ regions: [Region], _ arbitration: ArbitrationSettings) {
        guard !arbitration.simultaneous.isEmpty else { return }
        var indices: [String: Int] = [:]
        for (i, region) in regions.enumerated() { indices[region.id] = i }
        func find(_ reference: ArbitrationSettings.Reference) -> (region: Int, gesture: Int)? {
            guard let region = indices[reference.region],
                let gesture = regions[region].gestures.firstIndex(where: { $0.name == reference.gesture })
            else { return nil }
            return (region, gesture)
        }
        for pair in arbitration.simultaneous {
            // What is not there (on this panel) need not be kept apart.
            guard let a = find(pair.first), let b = find(pair.second) else { continue }
            storage[a.region].rules.companions.append(.init(own: a.gesture, region: b.region, gesture: b.gesture))
            storage[b.region].rules.companions.append(.init(own: b.gesture, region: a.region, gesture: a.gesture))
        }
    }

    /// Takes over what is under way from the engine of the same region of an earlier list.
    func resume(_ index: Int, from earlier: borrowing RegionEngines, _ old: Int) {
        swap(&storage[index], &earlier.storage[old])
        storage[index].renumber(index)
    }
}
