// SPDX-License-Identifier: MIT
import GestureClient
import GestureEngine
import GesturePipeline

/// A remark that the region which owns a touch lacks a gesture, and that a region it covers has one.
struct CoverRemark {
    /// The maximum number of gestures that a remark names.
    private static let mostNamed = 3
    private let explanation: Explanation
    private let filter: EventFilter
    private let owner: GestureClient.Region
    /// The owner and the other regions that get the touch.
    private let getters: [GestureClient.Region]
    /// The regions with the settings of their gestures, as far as they are known.
    private let configured: [Region]
    private let motion: TouchMotion

    /// - Returns: `nil` if no region owns the touch, or if its owner covers no region.
    init?(
        _ explanation: Explanation, _ regions: [GestureClient.Region], _ configured: (Explanation) -> [Region],
        _ filter: EventFilter
    ) {
        guard explanation.role == .owner, !explanation.isLate, !explanation.covered.isEmpty else { return nil }
        let getters = regions.filter { region in
            region.device == explanation.device
                && (region.id == explanation.region || explanation.seers.contains(region.id))
        }
        guard let owner = getters.first(where: { $0.id == explanation.region }) else { return nil }
        (self.explanation, self.filter, self.owner, self.getters) = (explanation, filter, owner, getters)
        (self.configured, motion) = (configured(explanation), TouchMotion(explanation.contacts))
    }

    /// The remark; `nil` if a region that gets the touch has the gesture, or if no region below the owner does.
    var text: String? { filter.isEmpty ? movement ?? others : selected }

    // MARK: All gestures

    /// The remark about gestures that need the movement which the fingers made, unless a gesture was recognized that
    /// needs one too.
    private var movement: String? {
        guard explanation.recognized.allSatisfy({ TouchMotion.isStill(GestureClient.Gesture.Kind(rawValue: $0.kind)) })
        else { return nil }
        for region in explanation.covered {
            let meant = region.gestures.filter { gesture in
                (isMissing(gesture.kind) || isMisdirected(gesture.kind))
                    && motion.suits(gesture.kind, settings(gesture, region), isLong: !isOpen)
            }
            if !meant.isEmpty { return remark(meant, region) }
        }
        return nil
    }

    /// The remark about other gestures. After a movement, gestures that need another movement are not named.
    private var others: String? {
        guard isOpen else { return nil }
        for region in explanation.covered {
            let missing = region.gestures.filter { isMissing($0.kind) }
            let isMoving = { TouchMotion.isMovement($0.kind) } as (GestureClient.RegionGesture) -> Bool
            let gestures =
                missing.filter { !isMoving($0) } + (motion.isNotable ? [] : missing.filter { isMoving($0) })
            guard !gestures.isEmpty else { continue }
            return "\(owner.id) owns this touch and covers \(region.id), which has "
                + Self.list(gestures.map(\.label))
        }
        return nil
    }

    /// Whether nothing was recognized except a press, which every touch begins.
    private var isOpen: Bool {
        explanation.recognized.allSatisfy { $0.kind == GestureClient.Gesture.Kind.press.rawValue }
    }

    /// Whether no region that gets the touch has a gesture of this kind.
    private func isMissing(_ kind: GestureClient.Gesture.Kind) -> Bool {
        !getters.contains { $0.gestures.contains { $0.kind == kind } }
    }

    /// Whether only the owner has gestures of this kind, and all of them accept other directions only.
    private func isMisdirected(_ kind: GestureClient.Gesture.Kind) -> Bool {
        guard !isMissing(kind) else { return false }
        return getters.allSatisfy { region in
            region.gestures.filter { $0.kind == kind }.allSatisfy { gesture in
                region.id == owner.id && explanation.failed.contains { $0.name == gesture.name && $0.isMisdirected }
            }
        }
    }

    /// - Parameter gestures: gestures of the region, which need a movement.
    private func remark(_ gestures: [GestureClient.RegionGesture], _ region: GestureClient.Region) -> String {
        var kinds: [GestureClient.Gesture.Kind] = []
        for gesture in gestures where !kinds.contains(gesture.kind) { kinds.append(gesture.kind) }
        let lacks = kinds.map { isMisdirected($0) ? "\($0.rawValue) in that direction" : $0.rawValue }
        let isPlain = gestures.allSatisfy { $0.label == $0.kind.rawValue && !isMisdirected($0.kind) }
        let labels = kinds.flatMap { kind in
            gestures.filter { $0.kind == kind }.map { gesture in
                gesture.label
                    + (isMisdirected(kind) ? settings(gesture, region).map { " (\($0.directions))" } ?? "" : "")
            }
        }
        let counts = [1: "one", 2: "both"]
        let has = isPlain ? counts[labels.count] ?? "all of them" : Self.list(labels)
        return "\(owner.id) owns this touch and has no \(lacks.joined(separator: " or ")); it covers \(region.id), "
            + "which has \(has)"
    }

    private static func list(_ labels: [String]) -> String {
        labels.prefix(mostNamed).joined(separator: ", ") + (labels.count > mostNamed ? ", …" : "")
    }

    /// The settings of a gesture; `nil` if they are not known.
    private func settings(
        _ gesture: GestureClient.RegionGesture, _ region: GestureClient.Region
    ) -> GestureSettings? {
        configured.first { $0.id.safe == region.id }?.gestures.first { $0.name.safe == gesture.name }?.settings
    }

    // MARK: Selected gestures

    /// The remark about the gestures that the user has selected.
    private var selected: String? {
        guard getters.allSatisfy({ selection(in: $0).map { isMisdirected($0.kind) } ?? true }) else { return nil }
        for region in explanation.covered {
            guard let gesture = selection(in: region) else { continue }
            if isMisdirected(gesture.kind) {
                guard motion.suits(gesture.kind, settings(gesture, region), isLong: false) else { continue }
                return remark([gesture], region)
            }
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

extension GestureClient.Failure {
    /// Whether a swipe or a drag failed because the fingers moved in another direction than it accepts.
    fileprivate var isMisdirected: Bool {
        kind == .swipe && key == "directions"
            || kind == .drag && key == "axis"
    }
}

extension GestureSettings {
    /// The directions of a swipe, or the axis of a drag.
    fileprivate var directions: String {
        directionWords.isEmpty ? "any direction" : directionWords.joined(separator: ", ")
    }
}
