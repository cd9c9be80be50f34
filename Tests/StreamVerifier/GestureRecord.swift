// SPDX-License-Identifier: MIT

/// The state of one gesture in one sequence.
struct GestureRecord {
    /// A hash of the gesture's kind and name.
    var name: UInt64
    var isOpen = false
    /// Whether the filter lets the gesture's end pass. A `state` also lists gestures whose lines the filter blocks.
    var isCovered = true
    /// Whether the gesture has ended or was cancelled.
    var isOver = false
    /// The last `n` of a repeat; `nil` if it is unknown because earlier lines were not received.
    var count: Int64?
    /// The `seq` of the gesture's first line. Lines before it cannot belong to the gesture.
    var first = Int64.min
    var latest = Int64.min
}

/// The state of one sequence.
struct SequenceRecord {
    var region: UInt64
    /// A hash of the device's name; `nil` if the sequence is only known from a `state`, which does not name the device.
    var device: UInt64?
    var latest: Int64 = .min
    var gestures: [GestureRecord] = []

    /// Whether a gesture of the sequence has not ended yet.
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
