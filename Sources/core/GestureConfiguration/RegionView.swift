// SPDX-License-Identifier: MIT

/// The regions that a client may know, according to its rights. All information about regions that is sent to the
/// client is derived from this view, so that it cannot depend on other regions.
package struct RegionView: Sendable {
    fileprivate let all: [RegionRule]
    /// The ids of the regions that the client may not know.
    package let hidden: Set<String>

    /// The regions in the order of the configuration. Their names are unique.
    package var regions: [RegionRule] { hidden.isEmpty ? all : all.filter { !hidden.contains($0.id) } }
}

extension Configuration {
    /// - Parameter seesPrivate: whether the client has the right to see private regions. Without it the view contains no
    ///   private regions; with it the view contains no regions that are shadowed by private ones.
    package func view(seesPrivate: Bool) -> RegionView {
        RegionView(all: regions, hidden: seesPrivate ? shadowedIDs : privateRegionIDs)
    }

    private var shadowedIDs: Set<String> {
        var result: Set<String> = []
        for index in regions.indices where regions[index].isShadowed { result.insert(regions[index].id) }
        return result
    }

    /// Whether this configuration and another one, made from the same files, look the same to clients that may not see
    /// private regions.
    package func looksSame(as other: Self) -> Bool {
        let (view, otherView) = (view(seesPrivate: false), other.view(seesPrivate: false))
        return runtime.scene == other.runtime.scene && runtime.profile == other.runtime.profile
            && runtime.outputs == other.runtime.outputs
            && runtime.switchedOff.subtracting(view.hidden)
                == other.runtime.switchedOff.subtracting(otherView.hidden)
            && view.regions.elementsEqual(otherView.regions) { $0.isSame(as: $1) }
    }
}
