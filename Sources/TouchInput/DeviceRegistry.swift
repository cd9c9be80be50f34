// SPDX-License-Identifier: MIT

/// The present devices, and the times at which to retry opening them. It performs no I/O.
///
/// udev reports some devices twice, and misses removals.
struct DeviceRegistry {
    struct Entry {
        var device: DiscoveredDevice
        /// The time of the next attempt; `nil` while the device is in use or given up.
        var retryAt: Int64?
        /// The number of consecutive attempts.
        var retries = 0
        var lastFailure: Int64?
        /// Whether all attempts have failed. The next one is made at the next listing.
        var isGivenUp = false
        /// Whether it was given up and not opened since. It gets one attempt at each listing.
        var isHopeless = false
    }

    /// Five attempts within two seconds, because udev's rules set access rights some milliseconds after the node
    /// appears.
    static let retryInterval: Int64 = 400_000
    static let largestRetries = 5
    /// The time in microseconds since the last failure after which a new failure gets five more attempts.
    static let memory: Int64 = 10_000_000

    private(set) var entries: [Entry] = []

    func contains(_ device: DiscoveredDevice) -> Bool { entries.contains { $0.device.isSame(as: device) } }

    /// Adds a device.
    /// - Returns: the devices that must be gone, because this one has their path, node or number; and whether this
    ///   one is new.
    mutating func add(_ device: DiscoveredDevice) -> (lost: [DiscoveredDevice], isNew: Bool) {
        if let index = entries.firstIndex(where: { $0.device.isSame(as: device) }) {
            // Its properties may have changed.
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

    /// Records that a device could not be opened, or could not be read any more.
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

    /// Returns the devices to try now, and counts the attempts.
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

    /// Returns the devices that were given up, for one more attempt.
    mutating func takeGivenUp() -> [DiscoveredDevice] {
        var result: [DiscoveredDevice] = []
        for index in entries.indices where entries[index].isGivenUp {
            entries[index].isGivenUp = false
            result.append(entries[index].device)
        }
        return result
    }

    /// The known devices that are not in `present`.
    func missing(from present: [DiscoveredDevice]) -> [DiscoveredDevice] {
        entries.map { $0.device }.filter { known in !present.contains { $0.systemPath == known.systemPath } }
    }
}

extension DiscoveredDevice {
    fileprivate func isSame(as other: DiscoveredDevice) -> Bool {
        systemPath == other.systemPath && number == other.number && node == other.node
    }

    /// Whether the two cannot be present at the same time, because a path, a node and a number belong to only one
    /// device.
    fileprivate func excludes(_ other: DiscoveredDevice) -> Bool {
        systemPath == other.systemPath || node == other.node || (number != 0 && number == other.number)
    }
}
