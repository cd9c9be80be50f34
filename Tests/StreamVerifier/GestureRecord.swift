// SPDX-License-Identifier: MIT

/// What is known of one gesture in one sequence.
struct GestureRecord {
    /// A hash of kind and name.
    var name: UInt64
    var isOpen = false
    /// Its end will come. A `state` also has gestures that the filter lets nothing of pass.
    var isCovered = true
    /// It has ended or was cancelled, so no further line may come.
    var isOver = false
    /// The last `n` of a repeat; `nil`: unknown, because lines before it did not come.
    var count: Int64?
    /// The number of its first line; lines before it are not its own.
    var first = Int64.min
    var latest = Int64.min
}

/// What is known of one sequence.
struct SequenceRecord {
    var region: UInt64
    /// `nil` if it is only known from a `state`, which does not name the device.
    var device: UInt64?
    var latest: Int64 = .min
    var gestures: [GestureRecord] = []

    /// Whether the end of one of its gestures is still to come.
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
