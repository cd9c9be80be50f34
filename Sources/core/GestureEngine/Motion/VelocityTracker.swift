// SPDX-License-Identifier: MIT

/// Estimates the velocity of a contact, or of the centroid of several.
///
/// Fits a parabola by least squares to the samples of the last 100 ms (at most 20), or a line if there are fewer than
/// three. The estimator, the window and the longest pause are those of Flutter's least-squares tracker, with one
/// exception. A parabola fitted to a finger that slows down bends back at its end, so a component that opposes the last
/// movement is set to 0.
///
/// A class, so that its samples are never copied.
final class VelocityTracker {
    private struct Sample: BitwiseCopyable {
        var time = Timestamp.never
        var position = Point.zero
    }

    /// Components slower than this, in millimetres per second, may oppose the last movement. Flutter's recorded flings
    /// drift by up to 11.6, and a list released at this speed stops within 6 mm.
    private static let slowest = 12.0
    /// A movement back by more than this, in millimetres, is a change of direction; a shorter one is the roll of a
    /// fingertip. Equals the default `start` of a drag.
    private static let turn = 3.0
    /// The maximum number of samples in an estimate.
    private static let mostFitted = 20
    /// Samples older than this relative to the newest one are not used.
    private static let horizon = Interval.milliseconds(100)
    /// A pause longer than this between two samples discards the older ones.
    private static let pause = Interval.milliseconds(40)

    /// A ring buffer for 100 ms at 400 Hz.
    private var samples = [40 of Sample](repeating: Sample())
    private var count = 0
    /// The number of samples in an estimate: the newest ones without a pause between them.
    private var fitted = 0
    private var newest = 0
    /// The position before the oldest sample.
    private var former = Point.zero

    /// Removes all samples.
    /// - Parameter position: where the contact is.
    func reset(at position: Point = .zero) {
        (count, fitted, former) = (0, 0, position)
    }

    /// Adds a position. It replaces the newest sample if both have the same time.
    func add(_ position: Point, at time: Timestamp) {
        let sample = Sample(time: time, position: position)
        if count > 0, time - samples[newest].time > Self.pause { fitted = 0 }
        if count == 0 || samples[newest].time < time {
            newest = newest + 1 == samples.count ? 0 : newest + 1
            if count == samples.count { former = samples[newest].position } else { count += 1 }
            fitted = min(fitted + 1, Self.mostFitted)
        }
        samples[newest] = sample
        while time - self.sample(fitted - 1).time > Self.horizon { fitted -= 1 }
    }

    /// The number of samples at and after a time.
    func number(since time: Timestamp) -> Int {
        for age in 0..<count where sample(age).time < time { return age }
        return count
    }

    /// The time of the sample `age` positions before the newest.
    func time(_ age: Int) -> Timestamp { sample(age).time }

    /// The position at that time; before the oldest sample, the one that was left then.
    func position(_ age: Int) -> Point { age < count ? sample(age).position : former }

    /// The time from the last sample to `time`; zero without a sample.
    func stillness(at time: Timestamp) -> Interval { count > 0 ? time - samples[newest].time : .zero }

    /// The time until `time` during which the position stayed within `distance` millimetres of the last sample. It is a
    /// lower bound if the contacts stayed there longer than the samples reach back.
    func stillness(at time: Timestamp, within distance: Double) -> Interval {
        guard count > 0 else { return .zero }
        let end = sample(0)
        var start = end.time
        for age in 1..<count {
            let sample = sample(age)
            if (end.position - sample.position).length.exceeds(distance) { break }
            start = sample.time
        }
        return time - start
    }

    /// The velocity in millimetres per second at `time`; zero if the last movement was more than `standstill` ago.
    func velocity(at time: Timestamp, standstill: Interval) -> Vector {
        guard fitted > 1, time - samples[newest].time <= standstill else { return .zero }
        return clamped(forward(estimate()))
    }

    /// The velocity at `time` of contacts that lift, in millimetres per second; zero if the last movement was more than
    /// `standstill` ago.
    ///
    /// If the estimate, along the direction of the mean of the last 100 ms, is less than half of that mean, the mean is
    /// returned, because fingers slow down and fingertips roll back as they lift. It is not used if the contacts have
    /// turned back.
    /// - Parameter keep: returns the part of a vector that is reported, so that only this part decides.
    func releaseVelocity(at time: Timestamp, standstill: Interval, keep: (Vector) -> Vector) -> Vector {
        guard count > 1, time - samples[newest].time <= standstill else { return .zero }
        let mean = keep(mean())
        let estimate = keep(fitted > 1 ? estimate() : .zero)
        let isSlower = estimate.dx * mean.dx + estimate.dy * mean.dy < mean.squaredLength / 2
        let velocity = isSlower ? mean : estimate
        for direction in [mean, velocity] where wayBack(along: direction).exceeds(Self.turn) {
            return clamped(forward(estimate))
        }
        // The last movement may be the fingertip that rolls back, so a component may oppose it if the mean does.
        return clamped(forward(mean == .zero ? estimate : velocity, unlessAlong: mean))
    }

    /// The mean speed over the 100 ms before the last sample, in millimetres per second; zero if that sample is more
    /// than `standstill` before `time`.
    func meanSpeed(at time: Timestamp, standstill: Interval) -> Double {
        guard count > 1, time - samples[newest].time <= standstill else { return 0 }
        return clamped(mean()).length
    }

    /// The mean velocity over the 100 ms before the last sample. Positions between samples are interpolated linearly.
    private func mean() -> Vector {
        let end = sample(0)
        var start = end
        for age in 1..<count {
            let younger = start
            start = sample(age)
            let excess = (end.time - start.time).seconds - Self.horizon.seconds
            guard excess > 0 else { continue }
            let fraction = excess / (younger.time - start.time).seconds
            let moved = end.position - (start.position + (younger.position - start.position) * fraction)
            return moved * (1 / Self.horizon.seconds)
        }
        let seconds = (end.time - start.time).seconds
        return seconds > 0 ? (end.position - start.position) * (1 / seconds) : .zero
    }

    /// The distance by which the contacts have come back against `direction` within the last 100 ms.
    private func wayBack(along direction: Vector) -> Double {
        let end = sample(0)
        var back = 0.0
        for age in 1..<count where end.time - sample(age).time <= Self.horizon {
            let moved = end.position - sample(age).position
            back = max(back, -(moved.dx * direction.dx + moved.dy * direction.dy))
        }
        return back / max(direction.length, .leastNormalMagnitude)
    }

    /// Sets each component that opposes the last movement along its axis to zero, unless it is slow or has the sign of the
    /// component of `mean`.
    private func forward(_ velocity: Vector, unlessAlong mean: Vector = .zero) -> Vector {
        let last = lastMovement()
        func forward(_ speed: Double, _ movement: Double, _ mean: Double) -> Double {
            speed * movement < 0 && speed * mean <= 0 && speed.magnitude > Self.slowest ? 0 : speed
        }
        return Vector(dx: forward(velocity.dx, last.dx, mean.dx), dy: forward(velocity.dy, last.dy, mean.dy))
    }

    /// The last movement along each axis within the fitted samples.
    private func lastMovement() -> Vector {
        let end = sample(0)
        var movement = Vector.zero
        for age in 1..<fitted {
            let step = end.position - sample(age).position
            if movement.dx == 0 { movement.dx = step.dx }
            if movement.dy == 0 { movement.dy = step.dy }
            if movement.dx != 0, movement.dy != 0 { break }
        }
        return movement
    }

    /// The sample `age` positions before the newest.
    private func sample(_ age: Int) -> Sample {
        let index = newest - age
        return samples[index >= 0 ? index : index + samples.count]
    }

    private func slope() -> Vector {
        let a = sample(1)
        let b = sample(0)
        let dt = (b.time - a.time).seconds
        guard dt > 0 else { return .zero }
        return (b.position - a.position) * (1 / dt)
    }

    /// The slope, at the newest sample, of the parabola through the fitted samples.
    private func estimate() -> Vector {
        let origin = sample(0)
        var sums = Sums()
        var place = newest
        for _ in 0..<(fitted - 1) {
            place = place == 0 ? samples.count - 1 : place - 1
            let sample = samples[place]
            sums.add(sample.position - origin.position, at: (sample.time - origin.time).seconds)
        }
        // Samples at almost the same time do not determine a parabola.
        return sums.count > 1 ? sums.slope ?? slope() : slope()
    }

    /// Sums for the normal equations of a parabola. The newest sample is the origin and only adds to the count.
    private struct Sums {
        /// The number of samples, without the newest one.
        var count = 0
        private var s1 = 0.0
        private var s2 = 0.0
        private var s3 = 0.0
        private var s4 = 0.0
        private var sum = Vector.zero
        private var first = Vector.zero
        private var second = Vector.zero

        mutating func add(_ offset: Vector, at t: Double) {
            let t2 = t * t
            count += 1
            s1 += t
            s2 += t2
            s3 += t2 * t
            s4 += t2 * t2
            sum = sum + offset
            first = first + offset * t
            second = second + offset * t2
        }

        /// The slope in closed form. Centring the sums eliminates the constant term.
        var slope: Vector? {
            let n = 1 / Double(count + 1)
            let a = s2 - s1 * s1 * n
            let b = s3 - s1 * s2 * n
            let c = s4 - s2 * s2 * n
            let determinant = a * c - b * b
            guard determinant > 1e-18 else { return nil }
            let p = first - sum * (s1 * n)
            let q = second - sum * (s2 * n)
            return (p * c - q * b) * (1 / determinant)
        }
    }

    private func clamped(_ velocity: Vector) -> Vector {
        let length = velocity.length
        guard length.isFinite else { return .zero }
        return length > SwipeSettings.fastest ? velocity * (SwipeSettings.fastest / length) : velocity
    }
}
