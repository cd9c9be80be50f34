// SPDX-License-Identifier: MIT
import GestureEngine
import GestureLaws
import Testing

/// Clients without access to private regions cannot find out where those regions are touched, and private gestures
/// do not depend on touches elsewhere. `scripts/long laws --private 1000000` plays more pairs.
@Suite("Private regions")
struct PrivacyTests {
    @Test(
        "two runs that differ only on one side of the border are equal on the other side",
        arguments: [(UInt64(0), true), (1_000_000, true), (0, false), (1_000_000, false)])
    func pairs(first: UInt64, variesPrivate: Bool) {
        var sum = PrivacyPair.Outcome()
        for seed in first..<(first + 1000) {
            let outcome = PrivacyPair.play(seed: seed, variesPrivate: variesPrivate)
            if let violation = outcome.violation {
                Issue.record("pair \(seed): \(violation)")
                return
            }
            sum.add(outcome)
        }
        // The pairs must contain touches that differ and cross the border, and events that could reveal them.
        #expect(sum.varied > 1000 && sum.crossed > 1000 && sum.events > 5000, "\(sum)")
    }

    @Test("the lines and replies of whole panels are also equal")
    func panels() {
        var sum = PrivacyPair.Outcome()
        // In the last two runs, time goes backwards: a line must not show the time of a frame with a private contact.
        for seed in Array(UInt64(0)..<150) + [1_264_096, 7_096_220, 310_452_665] {
            let outcome = PanelPrivacyPair.play(seed: seed)
            if let violation = outcome.violation {
                Issue.record("pair \(seed): \(violation)")
                return
            }
            sum.add(outcome)
        }
        #expect(sum.varied > 150 && sum.crossed > 150 && sum.events > 750, "\(sum)")
        let differing = (UInt64(0)..<50).count { PanelPrivacyPair.play(seed: $0, hides: false).violation != nil }
        #expect(differing > 10, "\(differing)")
    }

    private static let bounds = Rectangle(minX: 0, minY: 0, maxX: 200, maxY: 100)

    private func regions(_ random: inout RunRandom) -> [Region] {
        var regions: [Region] = []
        for i in 0..<30 {
            let (x, y) = (random.number(-20, 180), random.number(-20, 90))
            let box = Rectangle(minX: x, minY: y, maxX: x + random.number(5, 200), maxY: y + random.number(5, 100))
            var region = Region(
                id: "r\(i)", shape: .rectangle(box), bounds: box, clip: Self.bounds, z: random.below(3),
                margin: random.chance(20) ? 6 : 0, pass: random.chance(10), isPrivate: random.chance(20), gestures: [])
            region.yields = !region.isPrivate && random.chance(50)
            regions.append(region)
        }
        return regions
    }

    @Test("a region that yields takes no point from a private one, and the usual points from others")
    func yields() {
        var random = RunRandom(7)
        var spared = 0
        for _ in 0..<40 {
            let regions = regions(&random)
            func engine(_ change: (inout Region) -> Void) -> GestureEngine {
                var changed = regions
                for i in changed.indices { change(&changed[i]) }
                return GestureEngine(changed, bounds: Self.bounds)
            }
            let whole = engine { _ in }
            let plain = engine { $0.yields = false }
            let firm = engine { if $0.yields { $0.isEnabled = false } }
            for _ in 0..<500 {
                let point = Point(x: random.number(0, 200), y: random.number(0, 100))
                let (owner, firmOwner) = (plain.route(at: point).owner, firm.route(at: point).owner)
                let isSpared = firmOwner.map { regions[$0].isPrivate } ?? false
                #expect(whole.route(at: point).owner == (isSpared ? firmOwner : owner))
                if isSpared, firmOwner != owner { spared += 1 }
            }
        }
        #expect(spared > 1000)
    }

    @Test("the runs differ if nothing is hidden", arguments: [true, false])
    func differ(variesPrivate: Bool) {
        let count = (UInt64(0)..<200).count {
            PrivacyPair.play(seed: $0, variesPrivate: variesPrivate, hides: false).violation != nil
        }
        #expect(count > 30, "\(count)")
    }
}
