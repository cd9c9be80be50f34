// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine

/// The affine mapping from touches to targets with the least squared error.
struct CalibrationFit: Hashable {
    /// A touch, normalised over the axes of the panel, and the target that was touched, from 0 to 1 across the display.
    struct Pair: Hashable {
        var touch: Point
        var target: Point
    }

    /// The mapping from normalised axes to the display.
    let mapping: AffineMatrix
    /// The distance of each mapped touch from its target, in millimetres.
    let errors: [Double]
    /// The influence of each touch on the mapping, from 0 to 1.
    private let leverages: [Double]

    /// The ratio of the spreads of touches, squared, below which they lie on a line. Touches of a panel whose axes have
    /// scales of 0.5 and 2 have a ratio of 1/16.
    private static let leastRatio = 1e-3
    /// The spread of touches below which they are at one point.
    private static let leastSpread = 1e-4

    /// - Parameter size: returns the size of the display in millimetres under a mapping.
    /// - Returns: `nil` if the touches lie on a line, or the mapping is not usable.
    init?(_ pairs: [Pair], size: (AffineMatrix) -> OutputSettings.Size) {
        guard pairs.count >= 3 else { return nil }
        let count = Double(pairs.count)
        func mean(_ value: (Pair) -> Double) -> Double { pairs.reduce(0) { $0 + value($1) } / count }
        let (centerU, centerV) = (mean(\.touch.x), mean(\.touch.y))
        func product(_ a: (Pair) -> Double, _ b: (Pair) -> Double) -> Double { mean { a($0) * b($0) } }
        let u = { (pair: Pair) in pair.touch.x - centerU }
        let v = { (pair: Pair) in pair.touch.y - centerV }
        let (uu, uv, vv) = (product(u, u), product(u, v), product(v, v))
        let determinant = uu * vv - uv * uv
        let spread = uu + vv
        // The determinant is the product of both squared spreads, and the trace is their sum.
        guard spread > Self.leastSpread, determinant > Self.leastRatio * spread * spread else { return nil }

        func row(_ target: (Pair) -> Double) -> (Double, Double, Double) {
            let (ut, vt) = (product(u, target), product(v, target))
            let (a, b) = ((ut * vv - vt * uv) / determinant, (vt * uu - ut * uv) / determinant)
            return (a, b, mean(target) - a * centerU - b * centerV)
        }
        let (x, y) = (row(\.target.x), row(\.target.y))
        let mapping = AffineMatrix(x.0, x.1, x.2, y.0, y.1, y.2)
        guard mapping.isUsable else { return nil }
        let size = size(mapping)
        self.mapping = mapping
        errors = pairs.map { mapping.error(of: $0, size) }
        leverages = pairs.map { pair in
            let (u, v) = (u(pair), v(pair))
            return (1 + (u * u * vv - 2 * u * v * uv + v * v * uu) / determinant) / count
        }
    }

    /// The error of each touch in millimetres, corrected for its influence: random errors of touches are equally large
    /// here wherever their targets lie. The limit for them is `CalibrationRound.largestAim`.
    var misfits: [Double] { zip(errors, leverages).map { $0 / max(1e-9, 1 - $1).squareRoot() } }

    /// The distance of a touch, in millimetres, from where the mapping of the other touches expects it.
    func distanceFromOthers(_ index: Int) -> Double { errors[index] / max(1e-9, 1 - leverages[index]) }
}

extension AffineMatrix {
    /// The distance in millimetres between a mapped touch and its target.
    func error(of pair: CalibrationFit.Pair, _ size: OutputSettings.Size) -> Double {
        let (x, y) = applied(pair.touch.x, pair.touch.y)
        return Vector(dx: (x - pair.target.x) * size.width, dy: (y - pair.target.y) * size.height).length
    }

    /// The distance in millimetres between two mapped touches.
    func distance(_ first: Point, _ second: Point, _ size: OutputSettings.Size) -> Double {
        let (x, y) = applied(second.x, second.y)
        return error(of: .init(touch: first, target: Point(x: x, y: y)), size)
    }

    /// The scale of an axis that is not worth a remark.
    private static let ordinaryScale = 0.95...1.05

    /// The ways in which this calibration changes the axes, such as `x and y are swapped`.
    var axisRemarks: [String] {
        let isSwapped = abs(b) + abs(d) > abs(a) + abs(e)
        var remarks = isSwapped ? ["x and y are swapped"] : []
        for (name, factor) in [("x", isSwapped ? b : a), ("y", isSwapped ? d : e)] {
            if factor < 0 { remarks.append("\(name) is inverted") }
            if !Self.ordinaryScale.contains(abs(factor)) {
                remarks.append("\(name) is scaled by \(fixed(abs(factor), 2))")
            }
        }
        return remarks
    }
}

/// The distances of all touches from their targets, in millimetres, with the calibration in force and with a new one.
struct CalibrationErrors: Hashable {
    let before: [Double]
    let after: [Double]

    /// The mean error below which a panel may need no calibration.
    private static let small = 0.5
    /// A difference that is not worth a remark, and is not visible in the texts.
    private static let invisible = 0.1

    /// The errors in words.
    static func text(_ errors: [Double]) -> String {
        "\(fixed(mean(errors), 1)) mm on average, \(fixed(errors.max() ?? 0, 1)) mm at most"
    }

    /// Whether the errors before are small, and no larger than those that the noise of touches causes. Because a
    /// calibration also fits the noise, it halves such errors with 4 targets, and reduces them by a fifth with 9.
    var areNoise: Bool {
        Self.mean(before) < Self.small && Self.mean(before) <= 2 * Self.mean(after) + Self.invisible
    }

    /// Whether the new calibration is worse.
    var areWorse: Bool {
        Self.mean(after) > Self.mean(before) + Self.invisible
            && (after.max() ?? 0) > (before.max() ?? 0) + Self.invisible
    }

    private static func mean(_ errors: [Double]) -> Double { errors.reduce(0, +) / Double(max(1, errors.count)) }
}
