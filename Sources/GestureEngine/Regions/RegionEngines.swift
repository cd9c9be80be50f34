// SPDX-License-Identifier: MIT

/// The engines of all regions, in fixed memory.
///
/// `Array` cannot hold what is not copyable, and copies of a region engine would be its undoing:
/// each would share storage with the original, and the next change of either would allocate.
struct RegionEngines: ~Copyable {
    private let storage: UnsafeMutableBufferPointer<RegionEngine>

    init(_ regions: [Region]) {
        storage = .allocate(capacity: regions.count)
        for i in regions.indices { storage.initializeElement(at: i, to: RegionEngine(regions[i], index: i)) }
    }

    deinit {
        storage.deinitialize()
        storage.deallocate()
    }

    /// - Precondition: `index` is that of a region the engines were made for.
    subscript(index: Int) -> RegionEngine {
        _read { yield storage[index] }
        nonmutating _modify { yield &storage[index] }
    }

    /// Takes over what is under way from the engine of the same region of an earlier list.
    func resume(_ index: Int, from earlier: borrowing RegionEngines, _ old: Int) {
        swap(&storage[index], &earlier.storage[old])
        storage[index].renumber(index)
    }
}
