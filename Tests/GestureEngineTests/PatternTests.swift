// SPDX-License-Identifier: MIT
import GestureEngine
import GestureTestSupport
import Testing

@Suite("Pattern")
struct PatternTests {
    /// Three corner regions, a region that is in no step, and a region with the pattern.
    private func regions(_ steps: [String], _ change: (inout PatternSettings) -> Void = { _ in }) -> [Region] {
        [
            region("tl", (0, 0, 20, 20), [tap()]), region("tr", (180, 0, 20, 20), [tap()]),
            region("br", (180, 80, 20, 20), [longPress(), press]), region("other", (100, 0, 20, 20), [tap()]),
            region("service", pass: true, [pattern(steps, change)]),
        ]
    }

    /// Returns a script that taps in each of these regions for 50 ms, with pauses of 100 ms.
    private func taps(_ regions: [String]) -> String {
        let places = ["tl": "10,10", "tr": "190,10", "other": "110,10"]
        return regions.map { "down a \(places[$0] ?? "?"); +50ms; up a" }.joined(separator: "; +100ms; ")
    }

    /// Returns only the lines of the pattern.
    private func said(_ regions: [Region], _ script: String, failures: Bool = false) -> String {
        simulate(regions, script, failures: failures).split(separator: "\n")
            .filter { $0.contains(" service.") }.joined(separator: "\n")
    }

    @Test("all steps, one after the other")
    func complete() {
        let regions = regions(["tap tl", "tap tr", "long_press br"])
        let corner = "down c 190,90; +600ms; up c"
        #expect(
            simulate(regions, "\(taps(["tl", "tr"])); +100ms; \(corner)")
                == """
                50 tl.tap after 50
                200 tr.tap after 50
                300 br.press begin
                800 br.long_press begin
                800 service.pattern 3 steps in 750
                900 br.long_press end held 600
                900 br.press end inside held 600
                """)
        // The pattern can be entered again.
        let twice = "\(taps(["tl", "tr"])); +100ms; \(corner); +100ms; \(taps(["tl", "tr"])); +100ms; \(corner)"
        #expect(said(regions, twice).split(separator: "\n").count == 2)
    }

    @Test("a region that a client has defined supplies no step, unless the pattern says so or is a client's, too")
    func leased() {
        let script = taps(["tl", "tr"])
        func said(leased: Set<String>, takesLeased: Bool = false) -> String {
            var list = self.regions(["tap tl", "tap tr"]) { $0.takesLeased = takesLeased }
            for index in list.indices { list[index].isLeased = leased.contains(list[index].id) }
            return self.said(list, script)
        }
        let done = "200 service.pattern 2 steps in 150"
        #expect(said(leased: []) == done)
        #expect(said(leased: ["tr"]) == "")
        #expect(said(leased: ["tr"], takesLeased: true) == done)
        #expect(said(leased: ["tr", "service"]) == done)
        // A wrong step there counts as little as a right one.
        var list = regions(["tap tl", "tap tr"]) { ($0.attempts, $0.lockout) = (1, .milliseconds(60_000)) }
        list[3].isLeased = true
        #expect(self.said(list, taps(["tl", "other", "tr"])) == "350 service.pattern 2 steps in 300")
    }

    @Test(
        "a wrong step starts over",
        arguments: [
            (["tl", "tr"], "200 service.pattern 2 steps in 150"),
            (["tr"], ""),
            (["tr", "tl"], ""),
            // The wrong step is also the first step of the next attempt.
            (
                ["tl", "tl", "tr"],
                "200 service.pattern failed: wrongStep 1.0 / 2.0\n350 service.pattern 2 steps in 150"
            ),
            // A tap in a region that is in no step is also wrong.
            (["tl", "other", "tr"], "200 service.pattern failed: wrongStep 1.0 / 2.0"),
            // Taps before the first step are ignored.
            (["other", "tr", "tl", "tr"], "500 service.pattern 2 steps in 150"),
        ])
    func wrongStep(steps: [String], transcript: String) {
        let lines = said(regions(["tap tl", "tap tr"]), taps(steps), failures: true)
        // An attempt that is not continued fails later with `lateStep`; another test checks that.
        let ended = lines.split(separator: "\n").filter { !$0.contains("lateStep") }.joined(separator: "\n")
        #expect(ended == transcript)
    }

    @Test("a gesture that is in no step is ignored")
    func unspoken() {
        let regions = regions(["tap tl", "tap tr"])
        let press = "down c 190,90; +50ms; up c"
        #expect(
            said(regions, "\(taps(["tl"])); +100ms; \(press); +100ms; \(taps(["tr"]))")
                == "350 service.pattern 2 steps in 300")
    }

    @Test(
        "max_gap and timeout, on both sides",
        arguments: [
            // The time between two steps must be less than 2 s.
            ("down a 10,10; up a; +1999.999ms; down b 190,10; up b", "1999.999 service.pattern 2 steps in 1999.999"),
            (
                "down a 10,10; up a; +2000ms; down b 190,10; up b",
                "2000 service.pattern failed: lateStep 2000.0 / 2000.0"
            ),
        ])
    func gap(script: String, transcript: String) {
        #expect(said(regions(["tap tl", "tap tr"]), script, failures: true) == transcript)
    }

    @Test("timeout from the first step, on both sides")
    func timeout() {
        let regions = regions(["tap tl", "tap tr", "tap tl"]) { $0.timeout = .milliseconds(3000) }
        let start = "down a 10,10; up a; +1500ms; down b 190,10; up b"
        #expect(
            said(regions, "\(start); +1499.999ms; down c 10,10; up c", failures: true)
                == "2999.999 service.pattern 3 steps in 2999.999")
        #expect(
            said(regions, "\(start); +1500ms; down c 190,10; up c", failures: true)
                == "3000 service.pattern failed: timeout 3000.0 / 3000.0")
    }

    @Test("the configured number of wrong attempts locks it for a while")
    func lockout() {
        let regions = regions(["tap tl", "tap tr"]) {
            $0.attempts = 2
            $0.lockout = .milliseconds(1000)
        }
        // Two wrong attempts, at 200 and 500 ms, lock the pattern until 1500 ms.
        let wrong = "\(taps(["tl", "other"])); +100ms; \(taps(["tl", "other"]))"
        let locked =
            "200 service.pattern failed: wrongStep 1.0 / 2.0\n500 service.pattern failed: lockedOut 1000.0 / 1000.0"
        #expect(
            said(regions, "\(wrong); +950ms; \(taps(["tl", "tr"]))", failures: true)
                == "\(locked)\n1650 service.pattern 2 steps in 150")
        #expect(said(regions, "\(wrong); +949.999ms; \(taps(["tl", "tr"]))", failures: true) == locked)
    }

    @Test("a right attempt resets the count of wrong ones; lockout 0 never locks")
    func forgiven() {
        let steps = ["tl", "other", "tl", "tr", "tl", "other", "tl", "tr"]
        let twice = regions(["tap tl", "tap tr"]) { $0.attempts = 2 }
        #expect(said(twice, taps(steps)).split(separator: "\n").count == 2)
        let never = regions(["tap tl", "tap tr"]) {
            $0.attempts = 1
            $0.lockout = .zero
        }
        #expect(said(never, taps(["tl", "other", "tl", "other", "tl", "tr"])).contains("2 steps"))
    }

    @Test("a continuous gesture is a step when it begins; a later cancel does not matter")
    func continuous() {
        let regions = regions(["press br", "tap tl"])
        #expect(
            said(regions, "down c 190,90; +50ms; cancel c palm; +50ms; \(taps(["tl"]))")
                == "150 service.pattern 2 steps in 150")
    }
}
