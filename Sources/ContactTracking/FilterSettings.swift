// SPDX-License-Identifier: MIT
package import GestureEngine

/// Which contacts of a panel the engine does not see (`[filter]` of the configuration).
package struct FilterSettings: Hashable, Sendable {
    /// Ghost touches: more landings than a person causes.
    package struct Storm: Hashable, Sendable {
        /// More landings within a second are a storm, counted apart in private regions. At least 1.
        package var contactsPerSecond: Int
        /// How long nothing must land for the storm to be over.
        package var quiet: Interval

        package init(contactsPerSecond: Int = 40, quiet: Interval = .milliseconds(2000)) {
            self.contactsPerSecond = contactsPerSecond
            self.quiet = quiet
        }
    }

    /// Whether contacts that the panel reports as palms are ignored.
    package var palmCancels: Bool
    /// Millimetres; a wider contact is a palm. Needs `ABS_MT_TOUCH_MAJOR` and a panel whose size is known.
    /// Default 30 mm, the width of two thumbs.
    package var maxTouch: Double?
    /// The first report of a contact may have a false size (ELAN 04f3:000a: 57 mm for a finger). If no second one says
    /// otherwise, it counts after this time.
    static let sizeDelay = Interval.milliseconds(30)
    /// Contacts that land in one of these are ignored; in millimetres on the glass.
    package var masks: [Rectangle]
    /// A contact that has been down for so long is cancelled. Default 60 s.
    package var maxContactAge: Interval?
    package var storm: Storm?

    package init(
        palmCancels: Bool = true, maxTouch: Double? = 30, masks: [Rectangle] = [],
        maxContactAge: Interval? = .milliseconds(60_000), storm: Storm? = Storm()
    ) {
        self.palmCancels = palmCancels
        self.maxTouch = maxTouch
        self.masks = masks
        self.maxContactAge = maxContactAge
        self.storm = storm
    }

    /// Which of these hides a contact that has landed. (Its size is judged later.)
    func filter(landing state: SlotState, at position: Point) -> ContactFilter? {
        if isPalm(state) { return .palm }
        return masks.contains { $0.contains(position) } ? .mask : nil
    }

    func isPalm(_ state: SlotState) -> Bool { palmCancels && state.tool == EventCode.mtToolPalm }
}

/// A key of `[filter]` that hides contacts.
package enum ContactFilter: Int, Hashable, Sendable, BitwiseCopyable, CaseIterable {
    case palm, maxTouch, mask, maxContactAge, storm
}

/// The contacts of one side of a panel (`Sides`) since it was opened.
package struct ContactCounts: Hashable, Sendable, Summable {
    /// Those that no filter hid when they landed.
    package internal(set) var landed: Int64 = 0
    /// By filter: those that it has hidden, when they landed or later.
    private var hidden = [Int64](repeating: 0, count: ContactFilter.allCases.count)
    package internal(set) var storms: Int64 = 0

    package init() {}

    /// How many contacts a filter has hidden.
    package func hidden(by filter: ContactFilter) -> Int64 { hidden[filter.rawValue] }

    mutating func hide(by filter: ContactFilter) { hidden[filter.rawValue] &+= 1 }

    package mutating func add(_ other: Self) {
        landed &+= other.landed
        storms &+= other.storms
        for filter in ContactFilter.allCases { hidden[filter.rawValue] &+= other.hidden(by: filter) }
    }
}

/// Tells ghost touches from people: no person lands so many contacts within a second.
struct StormDetector: Hashable, Sendable {
    private static let second = Interval(microseconds: 1_000_000)
    /// Limits the memory that a configuration may ask for.
    private static let largestLimit = 10_000

    private let quiet: Interval
    /// The times of the last landings, as many as are allowed within a second; a ring.
    private var times: [Timestamp]
    /// How often a contact has landed since the last storm.
    private var landings = 0
    /// While a storm lasts, when it will be over.
    private var end: Timestamp?
    /// How many storms there have been.
    private(set) var count: Int64 = 0

    init(_ settings: FilterSettings.Storm) {
        quiet = settings.quiet
        let limit = min(max(1, settings.contactsPerSecond), Self.largestLimit)
        times = Array(repeating: Timestamp(microseconds: 0), count: limit)
    }

    /// Counts a landing, which may start a storm or prolong it.
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
}
