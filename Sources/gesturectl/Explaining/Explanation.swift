// SPDX-License-Identifier: MIT
import GestureClient
import GestureConfiguration
import GestureEngine
import GesturePipeline

/// What one sequence of touches in one region led to: one paragraph of `explain`.
struct Explanation: Hashable {
    /// The path of one contact, in output pixels.
    struct Contact: Hashable {
        var id: Int
        var from: GestureClient.Point
        var to: GestureClient.Point
        /// In microseconds.
        var landed: Int64
        var lifted: Int64?
    }

    /// A recognized gesture.
    struct Recognized: Hashable {
        var kind: String
        var name: String
        /// The reason, if it was cancelled.
        var cancelled: String?
        /// How many repetitions.
        var times: Int64 = 1
        /// It has ended, or has no end.
        var isOver: Bool
    }

    /// How a region is related to the contacts.
    enum Role: String, Hashable {
        /// They landed in it.
        case owner
        /// They landed in a region that lies in it.
        case ancestor
        /// It sees them without owning them; or their positions are unknown.
        case onlooker
        /// They landed in no region.
        case none
    }

    var device: String
    /// nil: the touch was in no region.
    var region: String?
    /// nil: there was no event of the region.
    var sequence: Int64?
    var role: Role
    /// Of an ancestor: the region where the contacts landed.
    var owner: String?
    var contacts: [Contact] = []
    var recognized: [Recognized] = []
    var failed: [GestureClient.Failure] = []
    /// The sequence has been explained before; this came later.
    var isLate = false
    /// When it began, in microseconds.
    var time: Int64
    /// When something last happened.
    var lastTime: Int64
}

/// What an explanation needs to know of a region.
struct ExplainedRegion: Hashable {
    struct Gesture: Hashable {
        var kind: String
        var name: String
    }

    var device: String
    var id: String
    var parent: String?
    var gestures: [Gesture]
}

extension ExplainedRegion {
    /// A region of the daemon.
    init(_ region: GestureClient.Region) {
        self.init(
            device: region.device, id: region.id, parent: region.parent,
            gestures: region.gestures.map { Gesture(kind: $0.kind.rawValue, name: $0.name) })
    }

    /// The regions of a replay.
    static func all(of setup: PanelSetup) -> [ExplainedRegion] {
        setup.regions.map { region in
            ExplainedRegion(
                device: setup.device.safe, id: region.id.safe, parent: region.parent.map { setup.regions[$0].id.safe },
                gestures: region.gestures.map { Gesture(kind: $0.word.safe, name: $0.name.safe) })
        }
    }
}
