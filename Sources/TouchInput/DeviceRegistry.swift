// SPDX-License-Identifier: MIT

/// Which devices are there, and which of them want another try. Pure: udev repeats itself and
/// forgets, and what comes of that is decided here.
struct DeviceRegistry {
    struct Entry {
        var device: DiscoveredDevice
        /// When to try again, and how often that was done; `nil`: it is in use, or given up.
        var retryAt: Int64?
        var retries = 0
    }

    /// Five tries within two seconds.
    static let retryInterval: Int64 = 400_000
    static let largestRetries = 5

    private(set) var entries: [Entry] = []

    /// - Returns: what has to be reported: a device that had its place is gone, and it is new.
    mutating func add(_ device: DiscoveredDevice) -> (lost: DiscoveredDevice?, isNew: Bool) {
        guard let index = entries.firstIndex(where: { $0.device.systemPath == device.systemPath }) else {
            entries.append(Entry(device: device))
            return (nil, true)
        }
        let before = entries[index].device
        if before.number == device.number && before.node == device.node { return (nil, false) }
        entries[index] = Entry(device: device)
        return (before, true)
    }

    mutating func remove(systemPath: String) -> DiscoveredDevice? {
        guard let index = entries.firstIndex(where: { $0.device.systemPath == systemPath }) else { return nil }
        return entries.remove(at: index).device
    }

    /// A device could not be opened at `time`.
    mutating func openFailed(_ device: DiscoveredDevice, at time: Int64) {
        guard let index = entries.firstIndex(where: { $0.device == device }) else { return }
        let isLast = entries[index].retries >= Self.largestRetries
        entries[index].retryAt = isLast ? nil : time + Self.retryInterval
    }

    /// When the next device wants another try.
    var nextRetry: Int64? { entries.compactMap { $0.retryAt }.min() }

    /// Those that want one now; each counts as tried.
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

    /// Those that are not among `present` any more.
    func missing(from present: [DiscoveredDevice]) -> [DiscoveredDevice] {
        entries.map { $0.device }.filter { known in !present.contains { $0.systemPath == known.systemPath } }
    }
}
