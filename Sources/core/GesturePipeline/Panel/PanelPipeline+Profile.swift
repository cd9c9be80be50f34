// SPDX-License-Identifier: MIT
import ContactTracking
package import GestureEngine

/// A change of the profile, which cancels nothing.
extension PanelPipeline {
    /// Whether a region or the filter still has values of an earlier profile.
    package var awaitsProfile: Bool { !postponed.isEmpty || hasPostponedFilter }

    /// Applies another profile. Regions in use keep their gestures, and contacts that are down their filter, until
    /// `followProfile` finds them idle.
    ///
    /// - Precondition: `setup` differs from the current one only in settings of gestures and in filters.
    package mutating func changeProfile(_ setup: PanelSetup, at time: Timestamp, _ sink: Sink) {
        advanceTracker(to: time, sink)
        let busy = busyRegions
        var setup = setup
        postpone(&setup.regions) { old, new in busy.contains(old.id) ? new : nil }
        let hasOtherFilter = setup.filter != tracker.filter
        hasPostponedFilter = hasOtherFilter && tracker.contactCount > 0
        if hasOtherFilter, !hasPostponedFilter { tracker.replaceFilter(setup.filter) }
        install(setup, inherits: true, at: time, sink)
    }

    /// Applies the profile to what has become idle. Allocates nothing if there is none.
    package mutating func followProfile(at time: Timestamp, _ sink: Sink) {
        let isFilterDue = hasPostponedFilter && tracker.contactCount == 0
        guard isFilterDue || postponedRegions.contains(where: { !engine.isBusy($0) }) else { return }
        changeProfile(setupWithoutWaiting, at: time, sink)
    }

    /// The setup with the gestures for which regions wait.
    var setupWithoutWaiting: PanelSetup {
        var setup = setup
        guard !postponed.isEmpty else { return setup }
        for i in setup.regions.indices {
            if let region = postponed[setup.regions[i].id] { setup.regions[i] = region.placed(like: setup.regions[i]) }
        }
        return setup
    }

    /// Lets regions keep their gestures.
    /// - Parameter target: returns the region that is to take the place of `old` later; `nil` if `new` does now.
    mutating func postpone(_ regions: inout [Region], _ target: (_ old: Region, _ new: Region) -> Region?) {
        let places = Dictionary(setup.regions.map { ($0.id, $0) }) { $1 }
        var kept: [String: Region] = [:]
        postponedRegions = []
        for i in regions.indices {
            guard let old = places[regions[i].id], let target = target(old, regions[i]), !target.hasSameBody(as: old)
            else { continue }
            kept[old.id] = target
            postponedRegions.append(RegionIndex(raw: i))
            regions[i] = old.placed(like: regions[i])
        }
        postponed = kept
    }
}
