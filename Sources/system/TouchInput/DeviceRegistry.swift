// SPDX-License-Identifier: MIT

/// The devices that are present, and the times at which to retry opening them. A registry performs no I/O.
///
/// It is needed because udev may report a device twice and may miss a removal.
struct DeviceRegistry {
    struct Entry {
        var device: DiscoveredDevice
        /// The time of the next attempt; `nil` while the device is in use or has been given up.
        var retryAt: Int64?
        /// The number of consecutive attempts.
        var retries = 0
        var lastFailure: Int64?
        /// Whether all attempts have failed. The next one is made at the next listing.
        var isGivenUp = false
        /// Whether the device was given up and has not been opened since. There is only one attempt at each listing.
        var isHopeless = false
    }

    /// The interval between attempts in microseconds. With five attempts, they are made within two seconds, because
    /// udev's rules set access rights some milliseconds after the node appears.
    static let retryInterval: Int64 = 400_000
    static let largestRetries = 5
    /// If the last failure was longer ago than this, in microseconds, a new failure is followed by five more attempts.
    static let memory: Int64 = 10_000_000

    private(set) var entries: [Entry] = []

    func contains(_ device: DiscoveredDevice) -> Bool { entries.contains { $0.device.isSame(as: device) } }

    /// Adds a device.
    /// - Returns: the devices that must be gone, because the new one has their path, node or number, and whether the
    ///   device is new.
    mutating func add(_ device: DiscoveredDevice) -> (lost: [DiscoveredDevice], isNew: Bool) {
        if let index = entries.firstIndex(where: { $0.device.isSame(as: device) }) {
            // The properties of the device may have changed.
            entries[index].device = device
            return ([], false)
        }
        let lost = entries.filter { $0.device.excludes(device) }.map { $0.device }
        entries.removeAll { $0.device.excludes(device) }
        entries.append(Entry(device: device))
        return (lost, true)
    }

    mutating func remove(systemPath: String) -> DiscoveredDevice? {
        guard let index = entries.firstIndex(where: { $0.device.systemPath == systemPath }) else { return nil }
        return entries.remove(at: index).device
    }

    /// Records that a device could not be opened or can no longer be read.
    mutating func openFailed(_ device: DiscoveredDevice, at time: Int64) {
        guard let index = entries.firstIndex(where: { $0.device.isSame(as: device) }) else { return }
        if let last = entries[index].lastFailure, time - last > Self.memory { entries[index].retries = 0 }
        let isLast = entries[index].isHopeless || entries[index].retries >= Self.largestRetries
        entries[index].lastFailure = time
        entries[index].isGivenUp = isLast
        entries[index].isHopeless = isLast
        entries[index].retryAt = isLast ? nil : time + Self.retryInterval
    }

    /// Records that a device could be opened.
    mutating func opened(_ device: DiscoveredDevice) {
        guard let index = entries.firstIndex(where: { $0.device.isSame(as: device) }) else { return }
        entries[index].isHopeless = false
    }

    /// The time of the next attempt; `nil` if none is pending.
    var nextRetry: Int64? { entries.compactMap { $0.retryAt }.min() }

    /// Returns the devices that must be tried now, and counts the attempts.
    mutating func takeDue(at time: Int64) -> [DiscoveredDevice] {
        var due: [DiscoveredDevice] = []
        for index in entries.indices {
            guard let retryAt = entries[index].retryAt, retryAt <= time else { continue }
            entries[index].retryAt = nil
            entries[index].retries += 1
            due.append(entries[index].device)
        }
        return due
    }

    /// Returns the devices that were given up, so that one more attempt can be made.
    mutating func takeGivenUp() -> [DiscoveredDevice] {
        var result: [DiscoveredDevice] = []
        for index in entries.indices where entries[index].isGivenUp {
            entries[index].isGivenUp = false
            result.append(entries[index].device)
        }
        return result
    }

    func missing(from present: [DiscoveredDevice]) -> [DiscoveredDevice] {
        entries.map { $0.device }.filter { known in !present.contains { $0.systemPath == known.systemPath } }
    }
}

extension DiscoveredDevice {
    fileprivate func isSame(as other: DiscoveredDevice) -> Bool {
        systemPath == other.systemPath && number == other.number && node == other.node
    }

    /// Whether the two devices cannot be present at the same time, because a path, a node or a number can belong to
    /// only one device.
    fileprivate func excludes(_ other: DiscoveredDevice) -> Bool {
        systemPath == other.systemPath || node == other.node || (number != 0 && number == other.number)
    }
}
