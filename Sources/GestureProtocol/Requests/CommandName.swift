// SPDX-License-Identifier: MIT

/// The commands of the protocol. The raw value is the word on the wire.
package enum CommandName: String, Hashable, Sendable, CaseIterable {
    case subscribe, status, clients, devices, regions, state, ping, at, describe
    case reload, cancel
    case setRegion = "set_region"
    case setScene = "set_scene"
    case defineRegions = "define_regions"

    /// Whether it changes something for others: for uid 0, the daemon's own and those in `[access]`.
    package var needsControl: Bool {
        switch self {
        case .reload, .cancel, .setRegion, .setScene, .defineRegions: true
        case .subscribe, .status, .clients, .devices, .regions, .state, .ping, .at, .describe: false
        }
    }
}
