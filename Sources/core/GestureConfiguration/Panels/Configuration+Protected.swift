// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine
import GestureProtocol
import TouchSharing

/// Parts of a configuration that decide who can see where people touch. They can be changed only on the machine
/// itself, not remotely.
package enum ProtectedPart: Hashable, Sendable, CaseIterable {
    case access
    /// The rules that decide which other programs receive the touches of a panel.
    case share
    /// Private regions, and the regions that receive touches in the area of a private region.
    case privateRegions
}

extension Configuration {
    /// Returns the protected parts that differ in another configuration. `privateRegions` is included unless the
    /// private regions are known to be equal.
    package func protectedParts(changedBy new: Configuration) -> [ProtectedPart] {
        var result: [ProtectedPart] = []
        if access.withoutLocations != new.access.withoutLocations { result.append(.access) }
        if !isShared(as: new) { result.append(.share) }
        if hasPrivateRegions || new.hasPrivateRegions, !isPrivate(as: new) { result.append(.privateRegions) }
        return result
    }

    /// Whether both configurations share the same panels with other programs. A panel without a `[[device]]` behaves like
    /// one with `listen`, so additional `[[device]]`s with `listen` change nothing.
    private func isShared(as new: Configuration) -> Bool {
        let (old, other) = (devices.map { DeviceTraits($0) }, new.devices.map { DeviceTraits($0) })
        guard (devices + new.devices).contains(where: { $0.share != .listen }) else { return true }
        return other.starts(with: old) && new.devices.dropFirst(old.count).allSatisfy { $0.share == .listen }
    }

    private func isPrivate(as new: Configuration) -> Bool {
        guard privateRegionIDs == new.privateRegionIDs,
            devices.map({ DeviceTraits($0) }) == new.devices.map({ DeviceTraits($0) }),
            hidingScenes(at: new.idle.compactMap { $0.scene }, in: new).isEmpty || idle == new.idle,
            hidingScenes(at: [new.daemon.scene], in: new).isEmpty || daemon.scene == new.daemon.scene
        else { return false }
        for (rule, newRule) in zip(panelRules + [nil], new.panelRules + [nil]) {
            for panel in Self.samples(of: nominalPanel(for: rule).size) {
                let (old, other) = (PrivateView(self, panel, rule), PrivateView(new, panel, newRule))
                guard old.regions == other.regions, other.exposures.isSubset(of: old.exposures) else { return false }
            }
        }
        return true
    }

    /// The scenes with these ids that do not show all private regions.
    private func hidingScenes(at ids: [String], in new: Configuration) -> [SceneRule] {
        let hidden = new.privateRegionIDs
        return new.scenes.filter { scene in ids.contains(scene.id) && !hidden.allSatisfy { scene.has($0) } }
    }

    /// Returns panels of several sizes. Lengths in any units that are equal on all of them are equal on every panel.
    private static func samples(of size: PanelSize) -> [PanelSize] {
        [(1.0, 1.0, 1.0, 1.0), (1.37, 0.83, 0.71, 1.19), (0.59, 1.61, 1.43, 0.67)].map { scale in
            PanelSize(
                widthPixels: size.widthPixels * scale.0, heightPixels: size.heightPixels * scale.1,
                widthMillimeters: size.widthMillimeters * scale.2, heightMillimeters: size.heightMillimeters * scale.3)
        }
    }
}

/// The parts of a `[[device]]` that decide which programs receive the touches of a panel, and where its regions lie on
/// the glass.
private struct DeviceTraits: Hashable {
    let id: String
    let match: DeviceMatch
    let output: OutputSettings
    let share: PanelShare
    let cancel: TouchCancel
    let ignore: Bool

    init(_ rule: DeviceRule) {
        (id, match, output) = (rule.id, rule.match, rule.output)
        (share, cancel, ignore) = (rule.share, rule.cancel, rule.ignore)
    }
}

/// The private regions of one panel, and the other regions that receive touches in their area.
private struct PrivateView {
    struct Private: Hashable {
        var region: Region
        var parent: String?
    }

    /// A region that receives touches within a private region in one scene, because it lies above the private region,
    /// or because the private region is off in that scene.
    struct Exposure: Hashable {
        let scene: String
        let hidden: String
        let id: String
        let shape: Shape
        let clip: Rectangle
        let margin: Double
    }

    private(set) var regions: [String: Private] = [:]
    private(set) var exposures: Set<Exposure> = []

    init(_ configuration: Configuration, _ panel: PanelSize, _ rule: DeviceRule?) {
        let all = configuration.layout(for: panel, rule: rule).regions
        let hidden = all.indices(with: .isPrivate)
        guard !hidden.isEmpty else { return }
        for index in hidden {
            var region = all[index]
            (region.parent, region.isEnabled) = (nil, true)
            regions[region.id] = Private(region: region, parent: all[index].parent.map { all[$0].id })
        }
        var height = [Int](repeating: 0, count: all.count)
        for (place, index) in RegionOrder.lowestFirst(all).enumerated() { height[index.raw] = place }
        for index in all.indices(reachingInto: hidden.map { all[$0].reach }) where !all[index].isPrivate {
            for other in hidden where all[index].reach.intersects(all[other].reach) {
                add(all[index], in: configuration, over: all[other].id, isAbove: height[index.raw] > height[other.raw])
            }
        }
    }

    private mutating func add(
        _ region: Region, in configuration: Configuration, over hidden: String, isAbove: Bool
    ) {
        func expose(_ scene: String) {
            exposures.insert(
                Exposure(
                    scene: scene, hidden: hidden, id: region.id, shape: region.shape, clip: region.clip,
                    margin: region.margin))
        }
        let takes = isAbove && !region.pass
        if takes { expose(RuntimeState.defaultScene) }
        for scene in configuration.scenes where scene.has(region.id) && (takes || !scene.has(hidden)) {
            expose(scene.id)
        }
    }
}
