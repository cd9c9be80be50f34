// SPDX-License-Identifier: MIT
import ContactTracking
import TouchInput

/// An input device that udev has reported.
final class AttachedDevice {
    enum State {
        /// The device is open, and its events are handled.
        case ready(Panel)
        /// The device cannot be used as a panel.
        case refused(reason: String)
        /// The configuration ignores the device.
        case ignored(reason: String)
        /// The device could not be opened.
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

    /// The latest report by udev.
    private(set) var discovered: DiscoveredDevice
    /// The description read from the device. It has no axes until the device has been opened.
    var description: DeviceDescription
    /// The name on the wire.
    var device: String
    var state = State.failed(reason: "not opened yet")
    /// Whether five fingers have given back its panel, which is now closed.
    var isGivenBack = false

    init(_ discovered: DiscoveredDevice) {
        self.discovered = discovered
        description = discovered.description
        device = ""
        device = fallbackName
    }

    /// Updates the udev properties.
    func update(_ discovered: DiscoveredDevice) {
        self.discovered = discovered
        description.udev = discovered.description.udev
    }

    var node: String { discovered.node }
    var name: String { description.name }

    /// The name on the wire of a device that no `[[device]]` matches, such as `event4`.
    var fallbackName: String {
        node.split(separator: "/").last.map(String.init) ?? node
    }

    var panel: Panel? {
        if case .ready(let panel) = state { panel } else { nil }
    }
}
