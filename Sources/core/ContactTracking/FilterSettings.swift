// SPDX-License-Identifier: MIT
package import GestureEngine

/// The rules that hide contacts of a panel from the engine (`[filter]` of the configuration).
package struct FilterSettings: Hashable, Sendable {
    /// The detection of ghost touches: landings that are more frequent than a person can cause.
    package struct Storm: Hashable, Sendable {
        /// The maximum number of landings per second. More landings than this are a storm. Private regions are counted
        /// separately. At least 1.
        package var contactsPerSecond: Int
        /// The time without landings that ends a storm.
        package var quiet: Interval

        package init(contactsPerSecond: Int = 40, quiet: Interval = .milliseconds(2000)) {
            self.contactsPerSecond = contactsPerSecond
            self.quiet = quiet
        }
    }

    /// Whether contacts that the panel reports as palms are ignored.
    package var palmCancels: Bool
    /// The width in millimetres above which a contact is a palm. Requires `ABS_MT_TOUCH_MAJOR` and a panel of known
    /// size. Default 30 mm, the width of two thumbs.
    package var maxTouch: Double?
    /// The time after which the size in a contact's first report is used, unless a second report has corrected it. The
    /// first size may be wrong (ELAN 04f3:000a reports 57 mm for a finger).
    static let sizeDelay = Interval.milliseconds(30)
    /// Areas in millimetres on the glass. Contacts that land in them are ignored.
    package var masks: [Rectangle]
    /// The time after which a contact that is still down is cancelled. Default 60 s.
    package var maxContactAge: Interval?
    /// The detection of ghost touches; `nil` disables it.
    package var storm: Storm?
    /// The time within which a contact that lands again at the same spot is treated as the same contact. Each lift is
    /// delayed by this time. `nil` disables this.
    package var bridge: Interval?
    /// A landing within this time after a lift at the same spot is a flicker, because people cannot tap that fast.
    static let flickerTime = Interval.milliseconds(80)

    package init(
        palmCancels: Bool = true, maxTouch: Double? = 30, masks: [Rectangle] = [],
        maxContactAge: Interval? = .milliseconds(60_000), storm: Storm? = Storm(), bridge: Interval? = nil
    ) {
        self.palmCancels = palmCancels
        self.maxTouch = maxTouch
        self.masks = masks
        self.maxContactAge = maxContactAge
        self.storm = storm
        self.bridge = bridge
    }

    /// The distance in millimetres within which two positions are the same spot. A finger that keeps pressing moves
    /// less than this between two reports, and two fingers are farther apart.
    private static let spot = 3.0
    /// The least distance in millimetres between two contacts that have changed places. At 100 Hz, a finger that moves
    /// this far between two reports is faster than any real one (1300 mm/s).
    static let leastExchange = 13.0
    /// The least distance in millimetres that each of two contacts moves when they change places.
    static let leastJump = leastExchange - spot

    static func isSameSpot(_ a: Point, _ b: Point) -> Bool { !(b - a).length.exceeds(spot) }

    /// The filter that hides a contact when it lands; `nil` if there is none. The size is checked later.
    func filter(landing state: SlotState, at position: Point) -> ContactFilter? {
        if isPalm(state) { return .palm }
        return masks.contains { $0.contains(position) } ? .mask : nil
    }

    func isPalm(_ state: SlotState) -> Bool { palmCancels && state.tool == EventCode.mtToolPalm }
}

/// A key of `[filter]` that hides contacts, or `wake` of a `[[device]]`.
package enum ContactFilter: Int, Hashable, Sendable, BitwiseCopyable, CaseIterable {
    case palm, maxTouch, mask, maxContactAge, storm, wake
}

/// The numbers of contacts on one side of a panel (`Sides`) since it was opened.
package struct ContactCounts: Hashable, Sendable, Summable {
    /// Contacts that no filter hid when they landed.
    package internal(set) var landed: Int64 = 0
    /// The numbers of contacts hidden by each filter, at their landing or later.
    private var hidden = [Int64](repeating: 0, count: ContactFilter.allCases.count)
    /// The number of storms.
    package internal(set) var storms: Int64 = 0
    /// The number of times that the panel lost a contact for a moment, so that it lifted and landed again within 80 ms
    /// and 3 mm.
    package internal(set) var flickers: Int64 = 0
    /// The number of times that `bridge` continued a contact that the panel had lost.
    package internal(set) var bridged: Int64 = 0
    /// The number of times that the panel confused two contacts, so that they changed places.
    package internal(set) var exchanges: Int64 = 0

    package init() {}

    /// The number of contacts hidden by a filter.
    package func hidden(by filter: ContactFilter) -> Int64 { hidden[filter.rawValue] }

    mutating func hide(by filter: ContactFilter) { hidden[filter.rawValue] &+= 1 }

    package mutating func add(_ other: Self) {
        landed &+= other.landed
        storms &+= other.storms
        flickers &+= other.flickers
        bridged &+= other.bridged
        exchanges &+= other.exchanges
        for filter in ContactFilter.allCases { hidden[filter.rawValue] &+= other.hidden(by: filter) }
    }
}

/// Detects ghost touches: more landings within a second than a person can cause.
struct StormDetector: Hashable, Sendable {
    private static let second = Interval(microseconds: 1_000_000)
    /// Limits the memory that a configuration can cause to be allocated.
    private static let largestLimit = 10_000

    private let quiet: Interval
    /// The times of the last landings, in a ring buffer. Its size is the number of landings allowed within a second.
    private var times: [Timestamp]
    /// The number of landings since the last storm.
    private var landings = 0
    /// The end of the current storm; `nil` if there is none.
    private var end: Timestamp?
    /// The number of storms so far.
    private(set) var count: Int64 = 0

    init(_ settings: FilterSettings.Storm) {
        quiet = settings.quiet
        let limit = min(max(1, settings.contactsPerSecond), Self.largestLimit)
        times = Array(repeating: Timestamp(microseconds: 0), count: limit)
    }

    /// Counts a landing, which may start or extend a storm.
    /// - Returns: whether the landing is part of a storm.
    mutating func isStorm(landingAt time: Timestamp) -> Bool {
        if let end {
            if time < end {
                self.end = time + quiet
                return true
            }
            self.end = nil
            landings = 0
        }
        let oldest = landings % times.count
        let isTooMany = landings >= times.count && time - times[oldest] < Self.second
        times[oldest] = time
        landings += 1
        if isTooMany {
            end = time + quiet
            count &+= 1
        }
        return isTooMany
    }

    func isStorming(at time: Timestamp) -> Bool { end.map { time < $0 } ?? false }

    /// A detector in the same state that has counted no storms yet.
    var uncounted: Self {
        var copy = self
        copy.count = 0
        return copy
    }
}

/// The storms of a panel, for the panel that takes its place: a bad power supply also unplugs a panel for a moment.
package struct StormMemory: Hashable, Sendable {
    let settings: FilterSettings.Storm?
    let storms: Sides<StormDetector?>
}
