// SPDX-License-Identifier: MIT
import CLinux
import GestureEngine
import LinuxSystem
import TouchInput

/// Twins without contacts that are no longer written to. Each is removed after applications have had time to read its
/// last lifts.
///
/// The service manager keeps the descriptors of active twins. If this process crashes, the next one receives them.
final class RetiredTwins {
    private let notifier: ServiceNotifier
    private let log: Log
    private var twins: [(twin: PanelTwin, until: Int64)] = []

    init(_ notifier: ServiceNotifier, _ log: Log) { (self.notifier, self.log) = (notifier, log) }

    /// The prefix of twins' names in the service manager's store.
    private static let prefix = "twin-"

    /// Stores the descriptor of a new twin in the service manager.
    func store(_ descriptor: CInt, of device: AttachedDevice) {
        notifier.store(descriptor, name: Self.prefix + device.fallbackName)
    }

    /// Schedules the removal of a twin that is no longer written to.
    func add(_ twin: PanelTwin, of device: AttachedDevice) {
        notifier.forget(name: Self.prefix + device.fallbackName)
        add(twin)
    }

    /// Lifts the contacts on twins that a crashed process has left behind, and removes them.
    func addStored() {
        StoredDescriptors.take(prefix: Self.prefix) { descriptor, name in
            add(PanelTwin(stored: descriptor))
            notifier.forget(name: name)
            log.info("device: lifted the contacts on \(name), a twin of the previous process")
        }
    }

    private func add(_ twin: PanelTwin) { twins.append((twin, MonotonicClock.now() + PanelTwin.removalDelay)) }

    /// The time at which `removeDue` must next be called; `.never` if there are no twins.
    var nextDeadline: Timestamp {
        twins.reduce(.never) { min($0, Timestamp(microseconds: $1.until)) }
    }

    func removeDue() {
        guard !twins.isEmpty else { return }
        let now = MonotonicClock.now()
        twins.removeAll { $0.until <= now }
    }

    /// Waits until all twins can be removed, and removes them. Call this before the process ends.
    func removeAll() {
        guard let last = twins.lazy.map({ $0.until }).max() else { return }
        usleep(UInt32(clamping: max(0, last - MonotonicClock.now())))
        twins = []
    }
}
