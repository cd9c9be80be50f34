// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine

/// Decides which target is touched next, until the touches fit together or have been repeated.
///
/// A touch that does not fit is repeated. If the repetition is elsewhere, the first touch was a mistake and is left out.
/// If it is at the same point, the panel itself is not linear there.
struct CalibrationRound {
    /// The distance in millimetres from a target within which a person with a finger aims, and within which two touches
    /// of a target agree.
    static let largestAim = 5.0
    /// The number of targets that are repeated at the same point before the panel is considered not linear.
    private static let mostAgreements = 4
    /// The number of touches of one target. Nobody misses a target three times.
    private static let mostTouches = 3
    /// A mapping of fewer touches has no error, even if one of them is wrong. With this many, all have the same error.
    private static let fewestTargets = 4

    let targets: [CalibrationTarget]
    private let size: (AffineMatrix) -> OutputSettings.Size
    /// The mean of the touches of each target that agree; `nil` if it has not been touched or cannot be.
    private var touches: [Point?]
    /// The number of touches of each target.
    private var counts: [Int]
    /// The targets whose last two touches agree.
    private var agreeing: Set<Int> = []
    /// The targets that the panel cannot reach, and the ends of its axes that were touched instead.
    private var unreachable: [Int: Point] = [:]
    /// The target to touch; `nil`: the end.
    private(set) var current: Int? = 0

    /// - Parameter size: returns the size of the display in millimetres under a mapping from normalised axes.
    init(_ targets: [CalibrationTarget], size: @escaping (AffineMatrix) -> OutputSettings.Size) {
        self.targets = targets
        self.size = size
        touches = Array(repeating: nil, count: targets.count)
        counts = Array(repeating: 0, count: targets.count)
    }

    /// Takes the touch of the current target, normalised over the axes.
    /// - Returns: a remark on a touch that has to be repeated.
    mutating func take(_ touch: Point) -> String? {
        guard let index = current else { return nil }
        counts[index] += 1
        // A target that has a touch is repeated only if there is a mapping.
        if let old = touches[index], let mapping = fit?.mapping,
            mapping.distance(old, touch, size(mapping)) <= Self.largestAim
        {
            agreeing.insert(index)
            touches[index] = Point(x: (old.x + touch.x) / 2, y: (old.y + touch.y) / 2)
        } else {
            touches[index] = touch
        }
        return advance()
    }

    /// Leaves out the current target, because the panel cannot reach it.
    /// - Parameter touch: the position at the end of the axes.
    mutating func skip(_ touch: Point) -> String? {
        guard let index = current else { return nil }
        unreachable[index] = touch
        touches[index] = nil
        return advance()
    }

    private mutating func advance() -> String? {
        current = targets.indices.first { touches[$0] == nil && unreachable[$0] == nil }
        guard current == nil, let fit, agreeing.count < Self.mostAgreements else { return nil }
        let (misfits, reached) = (fit.misfits, reached)
        let repeatable = reached.indices.filter {
            misfits[$0] > Self.largestAim && !agreeing.contains(reached[$0]) && counts[reached[$0]] < Self.mostTouches
        }
        guard let worst = repeatable.max(by: { misfits[$0] < misfits[$1] }) else { return nil }
        current = reached[worst]
        let distance = shortest(fit.distanceFromOthers(worst).rounded())
        guard reached.count > Self.fewestTargets else {
            return "one of the touches is off by about \(distance) mm; touch \(name(reached[worst])) again"
        }
        return "\(name(reached[worst])) is off by \(distance) mm; touch it again"
    }

    /// A target with its number and place: `target 3 (top right)`.
    func name(_ index: Int) -> String { "target \(index + 1) (\(targets[index].place))" }

    private var reached: [Int] { targets.indices.filter { touches[$0] != nil } }

    var pairs: [CalibrationFit.Pair] {
        reached.compactMap { index in
            touches[index].map { CalibrationFit.Pair(touch: $0, target: targets[index].position) }
        }
    }

    /// The targets that the panel cannot reach, which are not in `pairs`.
    var unreachablePairs: [CalibrationFit.Pair] {
        unreachable.sorted { $0.key < $1.key }.map { .init(touch: $1, target: targets[$0].position) }
    }

    /// The mapping of all touches; `nil` if there are too few, or they lie on a line.
    var fit: CalibrationFit? { pairs.count < Self.fewestTargets ? nil : CalibrationFit(pairs, size: size) }

    /// Whether the touches do not fit together, although they have been repeated.
    var isNotLinear: Bool { fit?.misfits.contains { $0 > Self.largestAim } == true }
}
