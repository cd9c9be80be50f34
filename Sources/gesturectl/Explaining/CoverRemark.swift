// SPDX-License-Identifier: MIT
import GestureClient

/// A remark that the region which owns a touch lacks a gesture, and that a region it covers has one.
struct CoverRemark {
    /// The maximum number of gestures that a remark names.
    private static let mostNamed = 3

    private let explanation: Explanation
    private let filter: EventFilter
    private let owner: GestureClient.Region
    /// The owner and the other regions that get the touch.
    private let getters: [GestureClient.Region]

    /// - Returns: `nil` if no region owns the touch.
    init?(_ explanation: Explanation, _ regions: [GestureClient.Region], _ filter: EventFilter) {
        guard explanation.role == .owner, !explanation.isLate else { return nil }
        let getters = regions.filter { region in
            region.device == explanation.device
                && (region.id == explanation.region || explanation.seers.contains(region.id))
        }
        guard let owner = getters.first(where: { $0.id == explanation.region }) else { return nil }
        (self.explanation, self.filter, self.owner, self.getters) = (explanation, filter, owner, getters)
    }

    /// The remark; `nil` if a region that gets the touch has the gesture, or if no region below the owner does.
    var text: String? { filter.isEmpty ? others : selected }

    /// The remark about the kinds of gestures that no region has which gets the touch, unless it was recognized as
    /// something other than a press, which every touch begins.
    private var others: String? {
        guard explanation.recognized.allSatisfy({ $0.kind == GestureClient.Gesture.Kind.press.rawValue }) else {
            return nil
        }
        let kinds = Set(getters.flatMap { $0.gestures.map(\.kind) })
        for region in explanation.covered {
            let labels = region.gestures.filter { !kinds.contains($0.kind) }.map(\.label)
            guard !labels.isEmpty else { continue }
            let more = labels.count > Self.mostNamed ? ", …" : ""
            return "\(owner.id) owns this touch and covers \(region.id), which has "
                + labels.prefix(Self.mostNamed).joined(separator: ", ") + more
        }
        return nil
    }

    /// The remark about the gestures that the user has selected.
    private var selected: String? {
        guard getters.allSatisfy({ selection(in: $0) == nil }) else { return nil }
        for region in explanation.covered {
            guard let gesture = selection(in: region) else { continue }
            guard let lack = lack(of: gesture) else { return "\(owner.id) owns this touch and covers \(region.id)" }
            return "\(owner.id) owns this touch and has no \(lack); it covers \(region.id), which has "
                + (lack == gesture.label ? "one" : gesture.label)
        }
        return nil
    }

    /// Returns what the owner lacks: a kind, or a gesture by its name; `nil` if no gestures were selected, or if it has
    /// one of them in a region that was not selected.
    private func lack(of gesture: GestureClient.RegionGesture) -> String? {
        guard !filter.gesture.isEmpty || !filter.name.isEmpty, !owner.gestures.contains(where: passes) else {
            return nil
        }
        let hasKind = owner.gestures.contains { $0.kind == gesture.kind }
        return hasKind ? "\(gesture.kind.rawValue) \"\(gesture.name)\"" : gesture.kind.rawValue
    }

    /// Returns the first gesture of a region that the user has selected.
    private func selection(in region: GestureClient.Region) -> GestureClient.RegionGesture? {
        filter.passes(region: region.id) ? region.gestures.first(where: passes) : nil
    }

    private func passes(_ gesture: GestureClient.RegionGesture) -> Bool {
        filter.passes(gesture: gesture.kind.rawValue, name: gesture.name)
    }
}

extension GestureClient.RegionGesture {
    fileprivate var label: String { gestureLabel(kind.rawValue, name) }
}
