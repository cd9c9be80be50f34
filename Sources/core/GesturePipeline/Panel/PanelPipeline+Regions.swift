// SPDX-License-Identifier: MIT
import ContactTracking
package import GestureEngine
package import TouchSharing

/// Changes of a panel's regions while contacts may be down.
extension PanelPipeline {
    /// The ids (not the names) of regions in use, because a contact is down or a gesture is active or pending, and of
    /// the regions around them on the same side of a private region's border.
    package var busyRegions: Set<String> { Set(engine.busyRegions.map { setup.regions[$0].id }) }

    /// Replaces the regions with those of another configuration. Active gestures are cancelled in regions that differ:
    /// with `disabled` if the region was only switched off, with `removalReason` if it is gone, otherwise with
    /// `reload`.
    ///
    /// - Precondition: `setup.differsOnlyInRegions(from: self.setup)`.
    package mutating func replaceRegions(
        _ setup: PanelSetup, removalReason: CancelReason = .reload, at time: Timestamp, _ sink: Sink
    ) {
        var setup = setup
        if !postponed.isEmpty {
            // A region that waits for other gestures goes on waiting if it still gets these.
            postpone(&setup.regions) { [postponed] old, new in
                postponed[old.id].flatMap { new.hasSameBody(as: $0) ? $0 : nil }
            }
        }
        install(setup, removalReason, at: time, sink)
    }

    mutating func install(
        _ setup: PanelSetup, _ removalReason: CancelReason = .reload, inherits: Bool = false, at time: Timestamp,
        _ sink: Sink
    ) {
        advanceTracker(to: time, sink)
        engine.replaceRegions(
            setup.regions, arbitration: setup.arbitration, removalReason: removalReason, inherits: inherits, at: time,
            into: &events)
        finishEngine(at: time, sink)
        self.setup = setup
        takeRegions()
    }

    /// Replaces the output to which the panel is mapped, and lays out the regions on it. Cancels all gestures with
    /// `reload`. Contacts that are down are ignored until they lift; an application sees them lift now.
    ///
    /// - Parameter setup: settings that differ from the current ones only as far as they depend on the output.
    package mutating func replaceOutput(_ setup: PanelSetup, at time: Timestamp, _ sink: Sink) {
        interrupt(.reload, at: time, sink)
        self.setup = setup
        (postponed, postponedRegions, hasPostponedFilter) = ([:], [], false)
        tracker.replaceMapping(setup.mapping, setup.filter, of: setup.description)
        engine.replaceOutput(bounds: setup.size.bounds, setup.regions, arbitration: setup.arbitration)
        takeRegions()
    }

    /// Adapts the other stages to the regions of `setup`.
    private mutating func takeRegions() {
        sharing.filter = setup.application
        tracker.isPrivate = engine.isPrivate
        counters.forgetRegions()
        lines.encoder = GestureEncoder(
            setup.regions, size: setup.size, device: setup.device, subjectBase: subjectBase)
    }

    /// Enables or disables regions to match `isShown`. Gestures in disabled regions are cancelled with `disabled`.
    /// - Parameter application: the filter for contacts that land from now on.
    package mutating func switchRegions(
        isShown: (Region) -> Bool, _ application: ApplicationFilter, at time: Timestamp, _ sink: Sink
    ) {
        setup.application = application
        sharing.filter = application
        var next = setupWithoutWaiting
        var hasChanges = false
        for index in next.regions.indices {
            let isOn = isShown(next.regions[index])
            guard next.regions[index].isEnabled != isOn else { continue }
            next.regions[index].isEnabled = isOn
            hasChanges = true
        }
        if hasChanges { replaceRegions(next, at: time, sink) }
    }

    /// Cancels gestures in some regions. Nothing is recognized there until all their contacts have lifted.
    package mutating func cancel(
        _ reason: CancelReason, where predicate: (Region) -> Bool, at time: Timestamp, _ sink: Sink
    ) {
        advanceTracker(to: time, sink)
        let regions = setup.regions
        engine.cancel(reason, where: { predicate(regions[$0]) }, at: time, into: &events)
        finishEngine(at: time, sink)
    }
}
