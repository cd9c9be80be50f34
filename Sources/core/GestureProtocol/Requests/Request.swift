// SPDX-License-Identifier: MIT

/// The commands of the protocol. The raw value is the name on the wire.
package enum CommandName: String, Hashable, Sendable, CaseIterable {
    case subscribe, status, clients, devices, regions, state, ping, at, describe, counts
    case touchMap = "touch_map"
    case reload, cancel
    case setRegion = "set_region"
    case activity
    case setScene = "set_scene"
    case setProfile = "set_profile"
    case setOutput = "set_output"
    case defineRegions = "define_regions"
    case putRegion = "put_region"
    case removeRegion = "remove_region"

    /// A client needs at least one of these rights to use the command; empty if every client may use it.
    package var rights: Rights {
        switch self {
        case .reload, .setScene, .setOutput: .control
        case .cancel, .activity, .setRegion, .setProfile, .defineRegions, .putRegion, .removeRegion:
            [.control, .define]
        case .describe, .touchMap: .raw
        case .subscribe, .status, .clients, .devices, .regions, .state, .ping, .at, .counts: []
        }
    }

    /// Whether the command has effects beyond the client's own connection.
    package var changesSomething: Bool {
        switch self {
        case .reload, .cancel, .activity, .setRegion, .setScene, .setProfile, .setOutput, .defineRegions,
            .putRegion, .removeRegion:
            true
        case .subscribe, .status, .clients, .devices, .regions, .state, .ping, .at, .describe, .counts, .touchMap: false
        }
    }
}

/// The identifier that a client gives to its request. The reply repeats it.
package enum RequestID: Hashable, Sendable {
    /// Within ±(2^53 - 1), so that every client can represent it exactly.
    case integer(Int64)
    case string(String)
}

/// The result of reading one line from a client.
package enum RequestOutcome: Hashable, Sendable {
    case request(Request)
    /// The request must be answered with an error. Command and id are `nil` if they could not be read.
    case refused(command: CommandName?, id: RequestID?, error: RequestError)
}

/// A valid request: every argument is present, of its type and within its range.
package struct Request: Hashable, Sendable {
    /// A command with its arguments.
    package enum Command: Hashable, Sendable {
        case subscribe(SubscriptionRequest)
        case status
        case clients
        case devices
        /// All regions, or the one with this id.
        case regions(region: String?)
        case state
        case ping
        /// The regions at a point, in output pixels of a device. The device may be omitted if there is only one.
        case at(x: Double, y: Double, device: String?)
        /// The properties of a device for a recording.
        case describe(device: String?)
        /// The counters of gestures and failures.
        case counts
        /// The positions of landings.
        case touchMap(device: String?)
        case reload
        case cancel(region: String)
        case activity
        /// Each region is a glob.
        case setRegion(regions: [String], enabled: Bool)
        /// - milliseconds: how long the scene lasts; `nil`: without a limit.
        case setScene(scene: String, milliseconds: Int64?)
        /// - lease: whether the profile ends with the connection.
        case setProfile(profile: String, lease: Bool)
        /// The device may be omitted if there is only one.
        /// - rotation: the name of a rotation as in the configuration; `nil`: the configured one.
        /// - size: width and height in pixels; `nil`: the configured ones.
        case setOutput(device: String?, rotation: String?, size: [Int64]?)
        /// The objects contain only keys of `[[region]]`. The reader of configurations checks their values.
        /// - waits: whether the change of each region is delayed until no gesture is active in it.
        case defineRegions(lease: Bool, regions: [JSONValue], waits: Bool)
        /// Adds a region to a set, or replaces the one with its id.
        /// - below: the id of a region in the set. The new region is placed directly below it.
        case putRegion(lease: Bool, region: JSONValue, below: String?, waits: Bool)
        case removeRegion(lease: Bool, region: String, waits: Bool)
    }

    package var command: Command
    package var id: RequestID?

    package init(_ command: Command, id: RequestID? = nil) {
        self.command = command
        self.id = id
    }

    package var name: CommandName {
        switch command {
        case .subscribe: .subscribe
        case .status: .status
        case .clients: .clients
        case .devices: .devices
        case .regions: .regions
        case .state: .state
        case .ping: .ping
        case .at: .at
        case .describe: .describe
        case .counts: .counts
        case .touchMap: .touchMap
        case .reload: .reload
        case .cancel: .cancel
        case .activity: .activity
        case .setRegion: .setRegion
        case .setScene: .setScene
        case .setProfile: .setProfile
        case .setOutput: .setOutput
        case .defineRegions: .defineRegions
        case .putRegion: .putRegion
        case .removeRegion: .removeRegion
        }
    }

    /// The words for a refusal: the command, or the events that a subscription may not have.
    package var subject: String {
        guard case .subscribe(let request) = command else { return "\"\(name.rawValue)\"" }
        return request.showsContacts.map { "\"\($0.word)\"" }.joined(separator: " and ")
    }

    /// The rights of which each is enough. Without a lease, the right to define is not.
    package var sufficientRights: Rights {
        switch command {
        case .setProfile(_, lease: false), .defineRegions(lease: false, _, _), .putRegion(lease: false, _, _, _),
            .removeRegion(lease: false, _, _):
            .control
        case .subscribe(let request): request.showsContacts.isEmpty ? [] : .raw
        default: name.rights
        }
    }
}
