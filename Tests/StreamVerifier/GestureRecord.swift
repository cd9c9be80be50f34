// SPDX-License-Identifier: MIT

/// What the stream has said of one gesture in one sequence.
struct GestureRecord {
    /// Of kind and name.
    var name: UInt64
    var isOpen = false
    /// Ended or cancelled: nothing more may come.
    var isOver = false
    /// The last `n` of a repeat.
    var count: Int64 = 0
}

/// What the stream has said of one sequence.
struct SequenceRecord {
    var region: UInt64
    /// `nil`: known from a `state`, which does not say.
    var device: UInt64?
    var latest: Int64 = .min
    var gestures: [GestureRecord] = []

    var isOpen: Bool {
        for gesture in gestures where gesture.isOpen { return true }
        return false
    }

    /// The place of a gesture in `gestures`; new if it was not there.
    mutating func index(of name: UInt64) -> Int {
        for i in gestures.indices where gestures[i].name == name { return i }
        gestures.append(GestureRecord(name: name))
        return gestures.count - 1
    }
}
