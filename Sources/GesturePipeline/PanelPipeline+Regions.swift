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
        advanceTracker(to: time, sink)
        engine.replaceRegions(
            setup.regions, arbitration: setup.arbitration, removalReason: removalReason, at: time, into: &events)
        finishEngine(at: time, sink)
        self.setup = setup
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
        var next = setup
        for index in next.regions.indices {
            let isOn = isShown(next.regions[index])
            if next.regions[index].isEnabled != isOn { next.regions[index].isEnabled = isOn }
        }
        if next.regions != setup.regions { replaceRegions(next, at: time, sink) }
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
