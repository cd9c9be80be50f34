// SPDX-License-Identifier: MIT
import GestureClient
import GestureConfiguration
import GestureEngine

/// The movement of the fingers of one touch, and the gestures that may have been meant by it.
struct TouchMotion {
    /// Whether a gesture of this kind needs a movement.
    static func isMovement(_ kind: GestureClient.Gesture.Kind) -> Bool { row(kind)?.motion.isMovement == true }

    /// Whether a gesture of this kind may be recognized although the user meant a movement.
    static func isStill(_ kind: GestureClient.Gesture.Kind) -> Bool {
        row(kind).map { !$0.motion.isMovement && $0.motion != .otherGestures } ?? false
    }

    private static func row(_ kind: GestureClient.Gesture.Kind) -> KindRow? {
        GestureType(kind.rawValue)?.kind.row
    }

    private let fingers: Int
    /// The greatest distance of a finger from its landing, in millimetres.
    private let reach: Double
    /// The mean movement of the fingers on the glass.
    private let moved: Vector

    init(_ contacts: [Explanation.Contact]) {
        fingers = contacts.count
        reach = contacts.map(\.path.reach).max() ?? 0
        let sum = contacts.reduce(Vector.zero) { $0 + $1.path.moved }
        moved = sum * (1 / Double(max(1, contacts.count)))
    }

    /// Whether a finger moved farther than a tap allows.
    var isNotable: Bool { reach.exceeds(TapSettings().slop) }

    /// Whether a gesture may have been meant.
    /// - Parameters:
    ///   - settings: the gesture's settings; `nil`: they are not known, so the defaults are used.
    ///   - isLong: whether the movement must be as long as the gesture requires. In any case it is notable.
    func suits(_ kind: GestureClient.Gesture.Kind, _ settings: GestureSettings?, isLong: Bool) -> Bool {
        guard isNotable, Self.isMovement(kind), let settings = settings ?? Self.row(kind)?.standard else {
            return false
        }
        return settings.fingerRange.contains(fingers) && (!isLong || !settings.leastMovement.exceeds(reach))
            && (isBack || settings.accepts(moved))
    }

    /// Whether the fingers came back to where they had landed, so that the movement has no direction.
    private var isBack: Bool { !moved.length.exceeds(TapSettings().slop) }
}
