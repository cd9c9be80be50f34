// SPDX-License-Identifier: MIT

/// What came of one sequence of touches in one region: everything that `explain` says at once.
struct Explanation: Hashable {
    /// The way of one finger, in output pixels.
    struct Contact: Hashable {
        var id: Int64
        var from: Point
        var to: Point
        /// In microseconds.
        var landed: Int64
        var lifted: Int64?
    }

    struct Point: Hashable {
        var x: Double
        var y: Double
    }

    /// A gesture that came about.
    struct Recognized: Hashable {
        var kind: String
        var name: String
        /// `cancel`'s reason, when it did not end by itself.
        var cancelled: String?
        /// How often: repetitions.
        var times: Int64 = 1
        /// It has ended, or has no end.
        var isOver: Bool
    }

    /// A gesture that did not.
    struct Failed: Hashable {
        var kind: String
        var name: String
        var code: String
        /// What was measured, and what it had to keep to; nil for codes without numbers.
        var value: Double?
        var limit: Double?
        var unit: String?
        /// The daemon's sentence.
        var message: String
        /// The same in few words.
        var text: String
    }

    /// What a region has to do with the fingers.
    enum Role: String, Hashable {
        /// They landed in it.
        case owner
        /// They landed in a region that lies in it.
        case ancestor
        /// It sees them without owning them, or nobody says where they are.
        case onlooker
        /// They landed in no region.
        case none
    }

    var device: String
    /// nil: no region was there.
    var region: String?
    /// nil: no gesture of the region has said anything.
    var sequence: Int64?
    var role: Role
    /// Of an ancestor: where the fingers landed.
    var owner: String?
    var contacts: [Contact] = []
    var recognized: [Recognized] = []
    var failed: [Failed] = []
    /// Something of this sequence has been explained before; this came later.
    var isLate = false
    /// When it began, in microseconds.
    var time: Int64
    /// When something last happened.
    var lastTime: Int64
}
