// SPDX-License-Identifier: MIT
package import GestureEngine

/// Changes of a panel's regions while contacts may be down.
extension PanelPipeline {
    /// Whether a contact is down in a region or in one inside it, or something is under way there.
    ///
    /// For a region that is not private, only what those may know counts who may not see private ones.
    package func isBusy(_ region: String) -> Bool {
        let regions = setup.regions
        func isInside(_ index: Int) -> Bool {
            var next: Int? = index
            while let place = next {
                if regions[place].id == region { return true }
                next = regions[place].parent
            }
            return false
        }
        let isOpen = setup.hidesPrivate && !regions.contains { $0.id == region && $0.isPrivate }
        return isOpen ? openEngine.isBusy(where: isInside) : engine.isBusy(where: isInside)
    }

    /// Takes the regions of another configuration. Those that differ cancel what is under way: with `disabled` where
    /// they are only switched off, with `removalReason` where they are gone, else with `reload`.
    ///
    /// - Precondition: `setup.differsOnlyInRegions(from: self.setup)`.
    package mutating func replaceRegions(
        _ setup: PanelSetup, removalReason: CancelReason = .reload, at time: Timestamp, _ sink: Sink
    ) {
        advanceTracker(to: time, sink)
        withEngines(at: time, sink) { engine, events in
            engine.replaceRegions(
                setup.regions, arbitration: setup.arbitration, removalReason: removalReason, at: time, into: &events)
        }
        self.setup = setup
        regionTallies = []
        encoder = GestureEncoder(
            setup.regions, size: setup.size, device: setup.device, subjectBase: encoder.subjectBase)
    }

    /// Switches the regions of which `isShown` differs from what they are. Those that are off then cancel what is under
    /// way, with `disabled`.
    package mutating func switchRegions(isShown: (Region) -> Bool, at time: Timestamp, _ sink: Sink) {
        let switched = setup.regions.indices.filter { setup.regions[$0].isEnabled != isShown(setup.regions[$0]) }
        guard !switched.isEmpty else { return }
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
