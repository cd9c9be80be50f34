// SPDX-License-Identifier: MIT
import Testing

@testable import LinuxSystem

@Suite("Suspend detector")
struct SuspendDetectorTests {
    private func reading(_ before: Int64, _ boot: Int64, _ after: Int64) -> SuspendDetector.Reading {
        SuspendDetector.Reading(before: before, boot: boot, after: after)
    }

    @Test("a constant difference of the clocks: not suspended")
    func awake() {
        var detector = SuspendDetector(reading(1000, 6000, 1000))
        for time in stride(from: Int64(1000), to: 2_000_000, by: 1777) {
            #expect(detector.sleepBegan(reading(time, time + 5000, time)) == nil)
        }
    }

    @Test("a suspend is reported once, with the last time before it")
    func slept() {
        var detector = SuspendDetector(reading(1000, 1000, 1001))
        #expect(detector.sleepBegan(reading(5000, 5000, 5001)) == nil)
        #expect(detector.sleepBegan(reading(6000, 6500, 6001)) == 5001)
        #expect(detector.sleepBegan(reading(7000, 7500, 7001)) == nil)
        #expect(detector.sleepBegan(reading(8000, 8600, 8001)) == 7001)
    }

    /// A delay between the two reads must not be mistaken for a suspend, and must not hide one.
    @Test("a delay between two reads")
    func interrupted() {
        var detector = SuspendDetector(reading(0, 90_000, 90_001))
        #expect(detector.sleepBegan(reading(100_000, 100_000, 150_000)) == nil)
        #expect(detector.sleepBegan(reading(200_000, 250_000, 250_000)) == nil)
        // The difference is 10 ms larger than the delay explains.
        #expect(detector.sleepBegan(reading(300_000, 310_000, 300_001)) == 250_000)
    }

    @Test("a difference of one microsecond is rounding, not a suspend")
    func rounding() {
        var detector = SuspendDetector(reading(1000, 6000, 1000))
        #expect(detector.sleepBegan(reading(2000, 7001, 2000)) == nil)
        #expect(detector.sleepBegan(reading(3000, 8002, 3000)) == nil)
        #expect(detector.sleepBegan(reading(4000, 9003, 4000)) == 3000)
    }

    @Test("this machine is not suspended during the test")
    func real() throws {
        var sleeps = 0
        let watch = SuspendWatch(loop: try EventLoop()) { _ in sleeps += 1 }
        #expect(watch.isNotified)
        for _ in 0..<1000 { watch.check() }
        #expect(sleeps == 0)
    }
}
