// SPDX-License-Identifier: MIT
package import GestureEngine

/// Changes of a panel's regions while contacts may be down.
extension PanelPipeline {
    /// The ids (not the names) of the regions in which a contact is down or something is under way, and of all that they lie in.
    ///
    /// For a region that is not private, only what those may know counts who may not see private ones.
    package var busyRegions: Set<String> {
        let regions = setup.regions
        let busy = engine.busyRegions
        guard setup.hidesPrivate else { return Set(busy.map { regions[$0].id }) }
        let open = openEngine.busyRegions
        return Set(
            busy.filter { regions[$0].isPrivate }.map { regions[$0].id }
                + open.filter { !regions[$0].isPrivate }.map { regions[$0].id })
    }

    /// Takes the regions of another configuration. Those that differ cancel what is under way: with `disabled` where
    /// they are only switched off, with `removalReason` where they are gone, else with `reload`.
    ///
    /// - Precondition: `setup.differsOnlyInRegions(from: self.setup)`.
    package mutating func replaceRegions(
        _ setup: PanelSetup, removalReason: CancelReason = .reload, at time: Timestamp, _ sink: Sink
    ) {
        advanceTracker(to: time, sink)
        let fullRegions = setup.fullRegions
        withEngines(at: time, sink) { engine, events in
            engine.replaceRegions(
                engine.hidesPrivate ? setup.regions : fullRegions, arbitration: setup.arbitration,
                removalReason: removalReason, at: time, into: &events)
        }
        self.setup = setup
        counters = []
        encoder = GestureEncoder(
            setup.regions, size: setup.size, device: setup.device, subjectBase: encoder.subjectBase)
    }

    /// Switches the regions of which `isShown` differs from what they are. Those that are off then cancel what is under
    /// way, with `disabled`.
    package mutating func switchRegions(isShown: (Region) -> Bool, at time: Timestamp, _ sink: Sink) {
        let switched = setup.regions.indices.filter { setup.regions[$0].isEnabled != isShown(setup.regions[$0]) }
        guard !switched.isEmpty else { return }
        if setup.regions.contains(where: { $0.isShadowed }) {
            var setup = setup
            for region in switched { setup.regions[region].isEnabled.toggle() }
            return replaceRegions(setup, at: time, sink)
        }
        advanceTracker(to: time, sink)
        withEngines(at: time, sink) { $0.switchRegions(switched, at: time, into: &$1) }
        setup.regions = engine.regions
    }

    /// Cancels what is under way in some regions. Nothing is recognized there until all their contacts have lifted.
    package mutating func cancel(
        _ reason: CancelReason, where predicate: (Region) -> Bool, at time: Timestamp, _ sink: Sink
    ) {
        advanceTracker(to: time, sink)
        let regions = setup.regions
        withEngines(at: time, sink) { engine, events in
            engine.cancel(reason, where: { predicate(regions[$0]) }, at: time, into: &events)
        }
    }
}
