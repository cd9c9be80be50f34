// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine
package import TouchSharing

/// Chooses what a run does not determine on a shared panel. Equal arguments always give equal choices, so that a run
/// can be shrunk.
enum SharedWorld {
    /// The settings of the regions, from the seed and the region only.
    static func share(_ regions: [Region], _ seed: UInt64) -> [Region] {
        regions.map { region in
            var region = region
            let number = region.id.utf8.reduce(seed) { $0 &* 31 &+ UInt64($1) }
            var random = RunRandom(number)
            region.touches = random.pick([.share, .share, .share, .hold, .hold, .capture])
            region.gestures = region.gestures.map { gesture in
                var gesture = gesture
                gesture.consumes = random.chance(35)
                return gesture
            }
            return region
        }
    }

    /// The application's filter in a scene.
    static func filter(_ seed: UInt64, scene: Int64) -> ApplicationFilter {
        var filter = ApplicationFilter()
        var random = RunRandom(seed &* 131 &+ UInt64(bitPattern: scene))
        // Every eighth application has no filter at all.
        guard seed / 4 % 8 != 0 else { return filter }
        if random.chance(50) { filter.maxContacts = random.pick([1, 1, 2, 3]) }
        filter.filter = random.chance(50)
        if random.chance(40) {
            filter.minGap = .milliseconds(Int64(random.pick([20, 60, 200, 1000])))
            filter.bounceDistance = random.pick([0, 3, 8, 60])
        }
        filter.bridge = random.chance(60)
        if random.chance(40) {
            filter.maxHold = .milliseconds(Int64(random.pick([100, 150, 400, 1500])))
            filter.holdSlop = random.pick([2, 5, 12])
        }
        return filter
    }

    /// The scene at a time. In two of three runs there is only one.
    static func scene(_ seed: UInt64, at time: Timestamp) -> Int64 {
        seed / 4 % 3 == 0 ? time.microseconds / 400_000 : 0
    }

    /// Whether the panel has a guard against touches that wake the display.
    static func isGuarded(_ seed: UInt64) -> Bool { seed / 4 % 5 == 1 }

    /// Whether the display goes off at this time, unless it is off already.
    static func isDark(_ seed: UInt64, at time: Timestamp) -> Bool {
        var random = RunRandom(seed &* 177 &+ UInt64(bitPattern: time.microseconds / 700_000))
        return random.chance(30)
    }

    /// The events that interrupt a shared panel.
    enum Interruption: CaseIterable {
        case suspend, lostEvents, restart
    }

    /// The interruption at a time; `nil` if there is none.
    static func interruption(_ seed: UInt64, at time: Timestamp) -> Interruption? {
        var random = RunRandom(seed &* 193 &+ UInt64(bitPattern: time.microseconds / 900_000))
        return random.chance(6) ? random.pick(Interruption.allCases) : nil
    }
}

/// Counts of a shared panel, which show whether the laws were tested.
package struct SharedTally: Hashable, Sendable {
    /// Contacts that the application has received.
    package var given = 0
    /// Contacts that rules of the application's filter have hidden.
    package var hidden: [ApplicationFilter.Rule: Int] = [:]
    /// Contacts that went on for the application after the panel had lost them.
    package var bridged = 0
    /// Contacts that landed while the display was off, or before the wake had ended.
    package var dark = 0

    package init() {}

    /// Whether each of them has occurred several times.
    package var isRich: Bool {
        let rules = ApplicationFilter.Rule.allCases.map { hidden[$0, default: 0] }
        return ([given, bridged, dark] + rules).allSatisfy { $0 > 10 }
    }

    package mutating func add(_ other: Self) {
        given += other.given
        hidden.merge(other.hidden) { $0 + $1 }
        bridged += other.bridged
        dark += other.dark
    }
}
