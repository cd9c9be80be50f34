// SPDX-License-Identifier: MIT

/// The engines of all regions, in fixed memory.
///
/// `Array` cannot hold what is not copyable, and copies of a region engine would be its undoing:
/// each would share storage with the original, and the next change of either would allocate.
struct RegionEngines: ~Copyable {
    private let storage: UnsafeMutablePointer<RegionEngine>
    private let count: Int

    init(_ regions: [Region]) {
        storage = .allocate(capacity: regions.count)
        count = regions.count
        for i in regions.indices { (storage + i).initialize(to: RegionEngine(regions[i], index: i)) }
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

    /// Takes over what is under way from the engine of the same region of an earlier list.
    func resume(_ index: Int, from earlier: borrowing RegionEngines, _ old: Int) {
        swap(&storage[index], &earlier.storage[old])
        storage[index].renumber(index)
    }
}
