// SPDX-License-Identifier: MIT

/// What is known of one gesture in one sequence.
struct GestureRecord {
    /// A hash of kind and name.
    var name: UInt64
    var isOpen = false
    /// It has ended or was cancelled, so no further line may come.
    var isOver = false
    /// The last `n` of a repeat.
    var count: Int64 = 0
}

/// What is known of one sequence.
struct SequenceRecord {
    var region: UInt64
    /// `nil` if it is only known from a `state`, which does not name the device.
    var device: UInt64?
    var latest: Int64 = .min
    var gestures: [GestureRecord] = []

    var isOpen: Bool {
        for gesture in gestures where gesture.isOpen { return true }
        return false
    }

    /// The index of a gesture in `gestures`. Appends the gesture if it is new.
    mutating func index(of name: UInt64) -> Int {
        for i in gestures.indices where gestures[i].name == name { return i }
        gestures.append(GestureRecord(name: name))
        return gestures.count - 1
    }
}
