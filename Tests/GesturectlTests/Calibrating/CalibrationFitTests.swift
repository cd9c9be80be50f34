// SPDX-License-Identifier: MIT
import ContactTracking
import Foundation
import GestureEngine
import GestureTestSupport
import Testing

@testable import gesturectl

@Suite("Fit of a calibration")
struct CalibrationFitTests {
    /// The standard deviation of a report in millimetres while a finger rests: the largest one in 15 touches of 8
    /// recordings of real panels, whose median is 0.03 mm.
    private static let noise = 0.17

    /// Touches all targets, and those that are asked for again.
    /// - Parameter touch: returns the touch of the target with this index; `nth` is its number, from 1.
    /// - Returns: the round and its remarks.
    static func calibrate(
        _ count: Int, touch: (_ index: Int, _ target: CalibrationTarget, _ nth: Int) throws -> Point
    ) rethrows -> (round: CalibrationRound, remarks: [String]) {
        var round = CalibrationRound(CalibrationTarget.layout(count)) { _ in SyntheticPanel.size }
        var counts = Array(repeating: 0, count: count)
        var remarks: [String] = []
        while let index = round.current {
            counts[index] += 1
            if let remark = round.take(try touch(index, round.targets[index], counts[index])) { remarks.append(remark) }
        }
        return (round, remarks)
    }

    private static func position(_ outcome: RestingTouch.Outcome?) throws -> Point {
        guard case .position(let point)? = outcome else { throw TestFailure("\(String(describing: outcome))") }
        return point
    }

    @Test("1 000 of 1 000 random panels are right to 0.5 mm on the whole display", arguments: CalibrationTarget.counts)
    func randomPanels(count: Int) throws {
        var random = SeededRandom(41)
        var errors: [Double] = []
        for _ in 0..<1000 {
            let panel = SyntheticPanel(&random)
            let (round, remarks) = try Self.calibrate(count) { _, target, _ in
                try Self.position(panel.touch(target, noise: Self.noise, &random))
            }
            let fit = try #require(round.fit)
            #expect(remarks.isEmpty && !round.isNotLinear)
            errors.append(panel.largestError(fit.mapping))
        }
        errors.sort()
        #expect(errors[999] <= 0.5)
    }

    @Test(
        "touches that are off by 1 mm are averaged: the error at the worst corner, in the median and of 99 %",
        arguments: [(4, 1.9, 3.8), (5, 1.9, 3.6), (9, 1.5, 3)])
    func aim(count: Int, median: Double, most: Double) throws {
        var random = SeededRandom(7)
        var errors: [Double] = []
        var repeated = 0
        for _ in 0..<1000 {
            let panel = SyntheticPanel(&random)
            let (round, remarks) = try Self.calibrate(count) { _, target, _ in
                try Self.position(panel.touch(target, aim: 1, noise: Self.noise, &random))
            }
            #expect(!round.isNotLinear)
            repeated += remarks.isEmpty ? 0 : 1
            errors.append(panel.largestError(try #require(round.fit).mapping))
        }
        errors.sort()
        #expect(errors[500] <= median)
        #expect(errors[990] <= most)
        #expect(repeated <= 10)
    }

    @Test("a touch that is off is named, left out and repeated", arguments: CalibrationTarget.counts)
    func outliers(count: Int) throws {
        var random = SeededRandom(3)
        var right = 0
        for _ in 0..<1000 {
            let panel = SyntheticPanel(&random)
            let wrong = random.below(count)
            let direction = random.number(0, 6.28)
            let offset = Vector(dx: 20 * cos(direction), dy: 20 * sin(direction))
            let (round, remarks) = try Self.calibrate(count) { index, target, nth in
                let moved = CalibrationTarget(
                    position: Point(
                        x: target.position.x + offset.dx / SyntheticPanel.size.width,
                        y: target.position.y + offset.dy / SyntheticPanel.size.height))
                return try Self.position(
                    panel.touch(index == wrong && nth == 1 ? moved : target, aim: 0.5, noise: Self.noise, &random))
            }
            if remarks.first?.hasPrefix("\(round.name(wrong)) is off by ") == true { right += 1 }
            #expect(count > 4 || remarks.first?.hasPrefix("one of the touches is off by about ") == true)
            #expect(!remarks.isEmpty && remarks.count <= 4 && !round.isNotLinear, "\(count) \(wrong) \(remarks)")
            #expect(panel.largestError(try #require(round.fit).mapping) < 4)
        }
        // With four targets, any one of them may be the wrong one.
        #expect(right >= (count == 4 ? 0 : 990))
    }

    @Test(
        "a barrel distortion is found with five or more targets, a trapezium with four",
        arguments: CalibrationTarget.counts)
    func nonLinear(count: Int) throws {
        var random = SeededRandom(5)
        let barrel = SyntheticPanel(
            toAxes: AffineMatrix(0, 0.9, 0.05, -0.9, 0, 0.95), distortion: SyntheticPanel.barrel)
        let trapezium = SyntheticPanel { point in
            Point(x: 0.5 + (point.x - 0.5) * (0.8 + 0.2 * point.y), y: point.y)
        }
        for (panel, isFound) in [(barrel, count > 4), (trapezium, true)] {
            let (round, remarks) = try Self.calibrate(count) { _, target, _ in
                try Self.position(panel.touch(target, aim: 0.5, noise: Self.noise, &random))
            }
            #expect(round.isNotLinear == isFound && remarks.isEmpty == !isFound && remarks.count <= 5, "\(remarks)")
        }
    }
}
