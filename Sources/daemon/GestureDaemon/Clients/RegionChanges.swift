// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureEngine
import GesturePipeline
import GestureProtocol
import GestureServer

/// A change to one region of a set.
struct RegionChange {
    /// The owner of the set; `nil` for the set without a lease.
    var lease: RuntimeChanges.Lease?
    /// The id of the replaced or new region.
    var id: String
    /// The new definition; `nil` removes the region.
    var rule: RegionRule?
    /// The name of the region directly below which a new or moved region is placed.
    var below: String?

    /// The connection that owns the set.
    var set: Int64? {
        @inline(never)  // avoids a crash of the Swift 6.3.1 optimizer ("Found ownership error")
        get { lease?.connection }
    }
}

/// The position of a region for `put_region`, and whether the change waits.
struct RegionPlace {
    var isLease: Bool
    var below: String?
    var waits: Bool
}

/// Changes regions at the request of clients, either immediately or as soon as no gesture is active in the region.
final class RegionChanges {
    private let updates: PanelUpdates
    private let store: ConfigurationStore
    private let limits: DefinitionLimits
    /// Changes to single regions. Each waits until no gesture is active in its region.
    private var waiting: [RegionChange] = []
    var isWaiting: Bool { !waiting.isEmpty }

    init(_ updates: PanelUpdates) {
        (self.updates, store, limits) = (updates, updates.store, DefinitionLimits(store: updates.store))
    }

    /// Adds a region to a set, or replaces the region that has the same id.
    ///
    /// - Returns: whether the change waits, and warnings.
    func put(
        _ definition: JSONValue, _ place: RegionPlace, by peer: Peer
    ) throws(RequestError) -> (isWaiting: Bool, warnings: [Diagnostic]) {
        let lease = try peer.lease(place.isLease, for: .putRegion, files: store.files)
        let name = definition["id"]?.string ?? ""
        let set = regions(of: lease, for: peer)
        if let below = place.below { try check(below, in: set, for: name) }
        let old = set.named(name)?.id
        let definer = try limits.definer(for: peer, besides: store.changes, adding: old == nil ? 1 : 0)
        let (rule, diagnostics) = store.current.readDefinition(
            definition, file: "region", by: definer,
            replacing: Set([old].compactMap { $0 }).subtracting(store.written.writtenIDs))
        guard let rule else { throw .configurationInvalid(diagnostics) }
        let change = RegionChange(lease: lease, id: old ?? rule.id, rule: rule, below: place.below)
        let mayWait = place.waits && old != nil
        try checkSize(after: change, waits: mayWait, for: peer)
        if make(change, waits: mayWait) { return (true, diagnostics) }
        return (false, diagnostics + updates.layoutWarnings(about: [rule.id]))
    }

    /// Removes a region from a set.
    /// - Returns: whether the change waits.
    func remove(_ id: String, isLease: Bool, waits: Bool, by peer: Peer) throws(RequestError) -> Bool {
        let lease = try peer.lease(isLease, for: .removeRegion, files: store.files)
        let old = try check(id, in: regions(of: lease, for: peer))
        return make(RegionChange(lease: lease, id: old), waits: waits)
    }

    /// Applies the waiting changes to regions in which no gesture is active now.
    func applyWaiting() {
        guard !waiting.isEmpty else { return }
        let busy = readBusyRegions()
        let isReady = waiting.map { !busy.contains($0.id) }
        let ready = zip(waiting, isReady).filter { $1 }.map { $0.0 }
        guard !ready.isEmpty else { return }
        waiting = zip(waiting, isReady).filter { !$1 }.map { $0.0 }
        apply(ready, reads: false)
    }

    /// Applies a change, or postpones it while a gesture is active in the region. An earlier change that is waiting for
    /// the same region is discarded.
    ///
    /// - Returns: whether the change waits.
    private func make(_ change: RegionChange, waits: Bool) -> Bool {
        waiting.removeAll { $0.id == change.id && $0.set == change.set }
        let waits = waits && !makesPublic(change)
        guard waits, readBusyRegions().contains(change.id) else {
            apply([change], reads: !waits)
            return false
        }
        waiting.append(change)
        return true
    }

    /// Replaces the regions of a set. Regions with an active gesture are replaced after it has ended.
    ///
    /// - Parameters:
    ///   - waits: `false` replaces all regions immediately.
    ///   - prepared: the panels as laid out by a thread.
    /// - Returns: the number of waiting changes, and warnings about the layout.
    /// - Throws: if the definitions would be too large. Then nothing has changed.
    func replace(
        _ rules: [RegionRule], of lease: RuntimeChanges.Lease?, waits: Bool, for peer: Peer, _ prepared: PreparedPanels?
    ) throws(RequestError) -> (waiting: Int, warnings: [Diagnostic]) {
        let (now, later) = waits ? split(rules, of: lease, for: peer) : (rules, [])
        let changes = store.changes.defining(now, lease: lease, seesPrivate: peer.seesPrivate, files: store.written)
        let others = others(than: lease?.connection, seesPrivate: peer.seesPrivate)
        try DefinitionLimits.checkSize(
            "regions", changes, waiting: others + later, of: lease?.user, seesPrivate: peer.seesPrivate)
        waiting = others + later
        guard changes != store.changes else { return (later.count, []) }
        store.changes = changes
        updates.applyRegions(reads: !waits, prepared)
        return (later.count, updates.layoutWarnings(about: Set(rules.map { $0.id })))
    }

    /// The waiting changes to other sets, and the changes to this set that its client cannot see.
    private func others(than set: Int64?, seesPrivate: Bool) -> [RegionChange] {
        waiting.filter { $0.set != set || !(seesPrivate || RegionID.isMarked($0.id)) }
    }

    /// Ends the leases of closed connections, and discards their waiting changes.
    func endLeases(of connections: [Int64]) {
        var changes = store.changes
        changes.endLeases(of: connections)
        waiting.removeAll { $0.set.map { connections.contains($0) } ?? false }
        guard changes.leases != store.changes.leases else { return }
        changes.adapt(to: store.written)
        store.changes = changes
        updates.applyRegions()
    }

    /// Checks how large the definitions would be after a change to one region.
    /// - Parameter waits: whether the replaced region may stay for a while.
    /// - Throws: if the definitions would be too large.
    private func checkSize(after change: RegionChange, waits: Bool, for peer: Peer) throws(RequestError) {
        let others = waiting.filter { $0.id != change.id || $0.set != change.set }
        var changes = store.changes
        if !waits { changes.make(change) }
        try DefinitionLimits.checkSize(
            "region \"\(RegionID.name(of: change.id))\"", changes, waiting: waits ? others + [change] : others,
            of: change.lease?.user, seesPrivate: peer.seesPrivate)
    }

    /// Splits the new definition of a set into regions that are applied immediately and changes that wait until active
    /// gestures have ended.
    private func split(
        _ rules: [RegionRule], of lease: RuntimeChanges.Lease?, for peer: Peer
    ) -> (now: [RegionRule], later: [RegionChange]) {
        let busy = readBusyRegions()
        var new: [String: Int] = [:]
        for (place, rule) in rules.enumerated() { new[rule.id] = place }
        var (now, later) = (rules, [RegionChange]())
        var going: [(place: Int, rule: RegionRule)] = []
        for (place, old) in regions(of: lease, for: peer).enumerated() where busy.contains(old.id) {
            let rule = new[old.id].map { rules[$0] }
            let change = RegionChange(lease: lease, id: old.id, rule: rule)
            guard rule != old, !makesPublic(change) else { continue }
            later.append(change)
            if let place = new[old.id] { now[place] = old } else { going.append((place, old)) }
        }
        for (place, old) in going { now.insert(old, at: min(place, now.count)) }
        return (now, later)
    }

    /// The regions of a set that a peer may replace.
    private func regions(of lease: RuntimeChanges.Lease?, for peer: Peer) -> [RegionRule] {
        store.changes.rules(of: lease?.connection, seesPrivate: peer.seesPrivate)
    }

    /// The ids of the regions with active gestures. Reads all available events first, because they may begin a gesture,
    /// and that gesture must not be cancelled.
    private func readBusyRegions() -> Set<String> {
        updates.panels.devices.panels.reduce(into: []) { busy, panel in
            panel.readAvailable()
            busy.formUnion(panel.pipeline.busyRegions)
        }
    }

    /// Whether the change makes a private region public. Such a change must not wait, because the time at which it
    /// takes effect would reveal to all clients when the region is idle.
    private func makesPublic(_ change: RegionChange) -> Bool {
        guard let rule = change.rule, !rule.isPrivate else { return false }
        let hidden = store.current.privateRegionIDs
        return hidden.contains(rule.id) && rule.parent.map { hidden.contains($0) } != true
    }

    private func apply(_ list: [RegionChange], reads: Bool) {
        guard !list.isEmpty else { return }
        var changes = store.changes
        for change in list { changes.make(change) }
        changes.adapt(to: store.written)
        guard changes != store.changes else { return }
        store.changes = changes
        updates.applyRegions(reads: reads)
    }

    /// Looks up a region in a set.
    /// - Parameters:
    ///   - region: the name of the region.
    ///   - name: the name of the region that is to be placed below it, which must be a different region.
    /// - Returns: the id of the region.
    @discardableResult
    private func check(
        _ region: String, in set: [RegionRule], for name: String? = nil
    ) throws(RequestError) -> String {
        guard region != name else {
            throw RequestError(.badValue, "\"below\" must not be \"\(region)\" itself")
        }
        if let known = set.named(region) { return known.id }
        throw RequestError(
            .notFound, "no region \"\(region)\" in this set",
            suggestion: Spelling.nearest(to: region, among: set.map { $0.name }))
    }
}

extension [RegionRule] {
    /// Finds a region by name. If two regions have that name, returns the private one, because only clients with access
    /// to private regions have both in their list.
    fileprivate func named(_ name: String?) -> RegionRule? {
        first { $0.id == name } ?? first { $0.name == name }
    }
}

extension RuntimeChanges {
    mutating func make(_ change: RegionChange) {
        var rules = rules(of: change.set)
        let place = rules.firstIndex { $0.id == change.id }
        switch (change.rule, place) {
        case (nil, nil): return
        case (nil, let place?): rules.remove(at: place)
        case (let rule?, let place?) where change.below == nil: rules[place] = rule
        case (let rule?, _):
            if let place { rules.remove(at: place) }
            let below = rules.named(change.below)?.id
            let end = rules.firstIndex { $0.id == below } ?? rules.endIndex
            rules.insert(rule, at: end)
        }
        define(rules, lease: change.lease)
    }
}
