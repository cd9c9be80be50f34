// SPDX-License-Identifier: MIT
@testable import GestureDaemon
import Testing

@Suite("Daemon: a deadline that stays where it is")
struct DeadlineGuardTests {
    @Test("is fired once and told once; later ones are fired", arguments: [0, -5])
    func stuck(step: Int64) {
        var subject = DeadlineGuard()
        #expect(subject.passed(100) == 100)
        let isFirst = subject.fired(100, next: 100 + step)
        #expect(isFirst)
        #expect(subject.passed(100 + step) == nil)
        #expect(subject.passed(101) == 101)
        let isSecond = subject.fired(101, next: 101 + step)
        #expect(!isSecond)
        #expect(subject.passed(101 + step) == nil)
    }

    @Test("one that goes, or is followed by a later one, is none")
    func sound() {
        var subject = DeadlineGuard()
        for next: Int64? in [nil, 101] {
            let isStuck = subject.fired(100, next: next)
            #expect(!isStuck)
        }
        #expect(subject.stuck == nil)
        #expect(subject.passed(100) == 100)
        #expect(subject.passed(nil) == nil)
    }
}
