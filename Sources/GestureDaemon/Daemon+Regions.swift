// SPDX-License-Identifier: MIT
import GestureConfiguration
import GesturePipeline
import GestureProtocol
import GestureServer

/// A change of one region of a set.
struct RegionChange {
    /// Whose set it is; `nil`: the one that stays.
    var lease: RuntimeChanges.Lease?
    /// The id of the region that it replaces, or of the new region.
    var id: String
    /// `nil`: the region is removed.
    var rule: RegionRule?
    /// The name of the region that a new one lies directly under, or one that is moved.
    var below: String?

    /// The connection whose set it is.
    var set: Int64? { lease?.connection }
}

/// Where `put_region` puts a region, and when.
struct RegionPlace {
    var isLease: Bool
    var below: String?
    var waits: Bool
}

/// Changes of single regions by clients: at once, or when nothing is under way in the region.
extension Daemon {
    /// Adds a region to a set, or replaces the one with its id.
    ///
    /// - Returns: whether the change waits; warnings.
    func putRegion(
        _ definition: JSONValue, _ place: RegionPlace, by peer: Peer
    ) throws(RequestError) -> (isWaiting: Bool, warnings: [Diagnostic]) {
        let lease = try lease(place.isLease, of: peer, for: .putRegion)
        let name = definition["id"]?.string ?? ""
        let set = regions(of: lease, for: peer)
        if let below = place.below { try check(below, in: set, for: name) }
        let old = set.named(name)?.id
        let definer = try definer(for: peer, besides: store.changes, adding: old == nil ? 1 : 0)
        let (rule, diagnostics) = store.current.readDefinition(
            definition, file: "region", by: definer,
            replacing: Set([old].compactMap { $0 }).subtracting(store.written.writtenIDs))
        guard let rule else { throw .configurationInvalid(diagnostics) }
        let change = RegionChange(lease: lease, id: old ?? rule.id, rule: rule, below: place.below)
        let mayWait = place.waits && old != nil
        try checkSize(after: change, waits: mayWait, for: peer)
        if make(change, waits: mayWait) { return (true, diagnostics) }
        return (false, diagnostics + layoutWarnings(about: [rule.id]))
    }

    /// - Returns: whether the change waits.
    func removeRegion(_ id: String, isLease: Bool, waits: Bool, by peer: Peer) throws(RequestError) -> Bool {
        let lease = try lease(isLease, of: peer, for: .removeRegion)
        let old = try check(id, in: regions(of: lease, for: peer))
        return make(RegionChange(lease: lease, id: old), waits: waits)
    }

    /// Makes the changes that have waited until nothing is under way in their regions.
    ///
    /// Called once a turn, if there are any.
    func applyWaitingChanges() {
        let busy = readBusyRegions()
        let isReady = waitingChanges.map { !busy.contains($0.id) }
        let ready = zip(waitingChanges, isReady).filter { $1 }.map { $0.0 }
        guard !ready.isEmpty else { return }
        waitingChanges = zip(waitingChanges, isReady).filter { !$1 }.map { $0.0 }
        apply(ready, reads: false)
    }

    /// Makes a change, or lets it wait if something is under way in the region. It takes the place of one that waits.
    ///
    /// - Returns: whether it waits.
    private func make(_ change: RegionChange, waits: Bool) -> Bool {
        waitingChanges.removeAll { $0.id == change.id && $0.set == change.set }
        let waits = waits && !makesPublic(change)
        guard waits, readBusyRegions().contains(change.id) else {
            apply([change], reads: !waits)
            return false
        }
        waitingChanges.append(change)
        return true
    }

    /// What of a set's new definition is in force at once, and what waits because something is under way there.
    func split(
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

    /// The regions in which something is under way, once what has come since is read: it must not be cancelled.
    private func readBusyRegions() -> Set<String> {
        panels.reduce(into: []) { busy, panel in
            panel.readAvailable()
            busy.formUnion(panel.pipeline.busyRegions)
        }
    }

    /// Whether everybody sees a private region from then on, and so must not see when it is idle.
    private func makesPublic(_ change: RegionChange) -> Bool {
        guard store.hidesPrivate, let rule = change.rule, !rule.isPrivate else { return false }
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
        applyChanges(.regions, reads: reads)
    }

    /// - Parameters:
    ///   - region: a name.
    ///   - name: of a region that is put there; it does not lie under itself.
    /// - Returns: the id.
    @discardableResult
    private func check(
        _ region: String, in set: [RegionRule], for name: String? = nil
    ) throws(RequestError) -> String {
        guard region != name else {
            throw RequestError(.badValue, "\"below\" must be another region than \"\(region)\"")
        }
        if let known = set.named(region) { return known.id }
        throw RequestError(
            .notFound, "no region \"\(region)\" in this set",
            suggestion: Spelling.nearest(to: region, among: set.map { $0.name }))
    }
}

extension [RegionRule] {
    /// Finds a region by name. If two regions have the name, it is the private one, because only clients that see both ask.
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
