// SPDX-License-Identifier: MIT
import ContactTracking
import TouchInput

/// An input device that udev has told of, and what has become of it.
final class AttachedDevice {
    enum State {
        /// Its touches become lines.
        case ready(Panel)
        /// Cannot be used.
        case refused(reason: String)
        /// The configuration says so.
        case ignored(reason: String)
        /// Could not be opened.
        case failed(reason: String)

        /// The name on the wire.
        var word: String {
            switch self {
            case .ready: "ready"
            case .refused: "refused"
            case .ignored: "ignored"
            case .failed: "failed"
            }
        }

        var reason: String? {
            switch self {
            case .ready: nil
            case .refused(let reason), .ignored(let reason), .failed(let reason): reason
            }
        }
    }

    /// As udev has told it last.
    private(set) var discovered: DiscoveredDevice
    /// As the device described itself; without axes until it could be opened.
    var description: DeviceDescription
    /// The name on the wire.
    var device: String
    var state = State.failed(reason: "not opened yet")

    init(_ discovered: DiscoveredDevice) {
        self.discovered = discovered
        description = discovered.description
        device = ""
        device = fallbackName
    }

    /// udev tells other properties of it.
    func take(_ discovered: DiscoveredDevice) {
        self.discovered = discovered
        description.udev = discovered.description.udev
    }

    var node: String { discovered.node }
    var name: String { description.name }

    /// The name on the wire of a device that no `[[device]]` matches: `event4`.
    var fallbackName: String {
        node.split(separator: "/").last.map(String.init) ?? node
    }

    var panel: Panel? {
        if case .ready(let panel) = state { panel } else { nil }
    }
}
