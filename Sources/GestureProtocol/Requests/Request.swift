// SPDX-License-Identifier: MIT

/// The commands of the protocol. The raw value is the name on the wire.
package enum CommandName: String, Hashable, Sendable, CaseIterable {
    case subscribe, status, clients, devices, regions, state, ping, at, describe, counts
    case touchMap = "touch_map"
    case reload, cancel
    case setRegion = "set_region"
    case setScene = "set_scene"
    case defineRegions = "define_regions"
    case putRegion = "put_region"
    case removeRegion = "remove_region"

    /// The rights of which a client needs one; empty: everybody may.
    package var rights: Rights {
        switch self {
        case .reload, .setScene: .control
        case .cancel, .setRegion, .defineRegions, .putRegion, .removeRegion: [.control, .define]
        case .describe, .touchMap: .raw
        case .subscribe, .status, .clients, .devices, .regions, .state, .ping, .at, .counts: []
        }
    }

    /// Whether it changes something for others.
    package var changesSomething: Bool {
        switch self {
        case .reload, .cancel, .setRegion, .setScene, .defineRegions, .putRegion, .removeRegion: true
        case .subscribe, .status, .clients, .devices, .regions, .state, .ping, .at, .describe, .counts, .touchMap: false
        }
    }
}

/// What a client calls its request; the reply carries the same.
package enum RequestID: Hashable, Sendable {
    /// Inside ±(2^53 - 1), so that every client reads it back exactly.
    case integer(Int64)
    case string(String)
}

/// The result of reading one line from a client.
package enum RequestOutcome: Hashable, Sendable {
    case request(Request)
    /// To be answered with an error; the command and the id as far as they could be read.
    case refused(command: CommandName?, id: RequestID?, error: RequestError)
}

/// One request, checked: every argument is there, of its type and inside its range.
package struct Request: Hashable, Sendable {
    package enum Command: Hashable, Sendable {
        case subscribe(SubscriptionRequest)
        case status
        /// Who is connected.
        case clients
        case devices
        /// All regions, or the one with this id.
        case regions(region: String?)
        case state
        case ping
        /// What is under a point: output pixels of a device, which may be left out when there is one.
        case at(x: Double, y: Double, device: String?)
        /// What a recording needs to know of a device.
        case describe(device: String?)
        /// How often what has happened.
        case counts
        /// Where contacts have landed.
        case touchMap(device: String?)
        case reload
        case cancel(region: String)
        /// Each is a glob.
        case setRegion(regions: [String], enabled: Bool)
        case setScene(scene: String)
        /// Objects with keys of `[[region]]` only. Their values are for the reader of configurations to check.
        /// - waits: for each region that changes, until nothing is under way in it.
        case defineRegions(lease: Bool, regions: [JSONValue], waits: Bool)
        /// Adds one region to a set, or replaces the one with its id.
        /// - below: the id of the region of the set that it lies directly under.
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
        case .setRegion: .setRegion
        case .setScene: .setScene
        case .defineRegions: .defineRegions
        case .putRegion: .putRegion
        case .removeRegion: .removeRegion
        }
    }
}
