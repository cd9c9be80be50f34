// SPDX-License-Identifier: MIT

/// The state of one gesture in one sequence.
struct GestureRecord {
    /// A hash of kind and name.
    var name: UInt64
    var isOpen = false
    /// Whether its end will come. A `state` also lists gestures that the filter blocks completely.
    var isCovered = true
    /// Whether it has ended or was cancelled, so that no further line may come.
    var isOver = false
    /// The last `n` of a repeat; `nil` if it is unknown, because earlier lines did not come.
    var count: Int64?
    /// The number of its first line; earlier lines do not belong to it.
    var first = Int64.min
    var latest = Int64.min
}

/// The state of one sequence.
struct SequenceRecord {
    var region: UInt64
    /// `nil` if it is only known from a `state`, which does not name the device.
    var device: UInt64?
    var latest: Int64 = .min
    var gestures: [GestureRecord] = []

    /// Whether one of its gestures has not ended yet.
    var isOpen: Bool {
        for gesture in gestures where gesture.isOpen && gesture.isCovered { return true }
        return false
    }

    /// The index of a gesture in `gestures`. Appends the gesture if it is new.
    mutating func index(of name: UInt64, count: Int64?) -> Int {
        for i in gestures.indices where gestures[i].name == name { return i }
        gestures.append(GestureRecord(name: name, count: count))
        return gestures.count - 1
    }
}
