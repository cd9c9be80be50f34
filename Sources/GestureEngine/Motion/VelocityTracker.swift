// SPDX-License-Identifier: MIT

/// Estimates how fast a contact, or the centroid of several, moves.
///
/// Least squares of degree 2 over the samples of the last 100 ms, at most 20; of degree 1 with
/// fewer than three. The same estimator, window and gap as Flutter's least-squares tracker.
struct VelocityTracker: Hashable, Sendable {
    private struct Sample: Hashable, Sendable {
        var time: Timestamp
        var position: Point
    }

    /// Samples that an estimate takes at most.
    private static let capacity = 20
    /// Samples older than this, seen from the newest, are not used.
    private static let horizon = Interval.milliseconds(100)
    /// A pause longer than this between two samples discards the older ones.
    private static let pause = Interval.milliseconds(40)
    /// No finger is faster: what is, is a panel's jump. Millimetres a second.
    private static let fastest = 1300.0

    /// A ring, made at the first sample and kept for the life of the tracker.
    private var samples: [Sample] = []
    private var count = 0
    private var newest = 0

    /// Forgets all samples, and keeps the storage.
    mutating func reset() {
        count = 0
    }

    /// Notes where the contact is. Of several samples of one time, the last counts.
    mutating func add(_ position: Point, at time: Timestamp) {
        let sample = Sample(time: time, position: position)
        if samples.isEmpty { samples = Array(repeating: sample, count: Self.capacity) }
        if count == 0 || samples[newest].time < time {
            newest = newest + 1 == Self.capacity ? 0 : newest + 1
            count = min(count + 1, Self.capacity)
        }
        samples[newest] = sample
    }

    /// The velocity in millimetres a second, as seen at `time`: zero when the last movement is
    /// longer than `rest` ago, or nothing moved.
    func velocity(at time: Timestamp, rest: Interval) -> Vector {
        guard count > 1, time - samples[newest].time <= rest else { return .zero }
        let used = usableSamples()
        let velocity =
            switch used {
            case ..<2: Vector.zero
            case 2: slope()
            default: leastSquares(used)
            }
        return clamped(velocity)
    }

    /// How many of the newest samples lie within the horizon and without a pause between them.
    private func usableSamples() -> Int {
        let last = samples[newest].time
        var previous = last
        var used = 1
        while used < count {
            let time = sample(used).time
            if last - time > Self.horizon || previous - time > Self.pause { break }
            previous = time
            used += 1
        }
        return used
    }

    /// The sample `age` places before the newest.
    private func sample(_ age: Int) -> Sample {
        let index = newest - age
        return samples[index >= 0 ? index : index + Self.capacity]
    }

    private func slope() -> Vector {
        let a = sample(1)
        let b = sample(0)
        let dt = (b.time - a.time).seconds
        guard dt > 0 else { return .zero }
        return (b.position - a.position) * (1 / dt)
    }

    /// The slope, at the newest sample, of the parabola through the newest `used` ones.
    ///
    /// Times and positions are taken relative to the newest sample; the normal equations are
    /// solved in closed form on centred sums, from which the constant drops out.
    private func leastSquares(_ used: Int) -> Vector {
        let origin = sample(0)
        var s1 = 0.0
        var s2 = 0.0
        var s3 = 0.0
        var s4 = 0.0
        var x = Moments()
        var y = Moments()
        for age in 0..<used {
            let sample = sample(age)
            let t = (sample.time - origin.time).seconds
            let t2 = t * t
            s1 += t
            s2 += t2
            s3 += t2 * t
            s4 += t2 * t2
            let offset = sample.position - origin.position
            x.add(offset.dx, t, t2)
            y.add(offset.dy, t, t2)
        }
        let n = Double(used)
        let a = s2 - s1 * s1 / n
        let b = s3 - s1 * s2 / n
        let c = s4 - s2 * s2 / n
        let determinant = a * c - b * b
        // Samples of nearly one time cannot carry a parabola.
        guard determinant > 1e-18 else { return slope() }
        return Vector(
            dx: x.slope(n, s1, s2, b, c) / determinant,
            dy: y.slope(n, s1, s2, b, c) / determinant)
    }

    /// The sums of one axis that the normal equations need.
    private struct Moments {
        var sum = 0.0
        var first = 0.0
        var second = 0.0

        mutating func add(_ value: Double, _ t: Double, _ t2: Double) {
            sum += value
            first += value * t
            second += value * t2
        }

        func slope(_ n: Double, _ s1: Double, _ s2: Double, _ b: Double, _ c: Double) -> Double {
            (first - s1 * sum / n) * c - (second - s2 * sum / n) * b
        }
    }

    private func clamped(_ velocity: Vector) -> Vector {
        let length = velocity.length
        guard length.isFinite else { return .zero }
        return length > Self.fastest ? velocity * (Self.fastest / length) : velocity
    }
}
