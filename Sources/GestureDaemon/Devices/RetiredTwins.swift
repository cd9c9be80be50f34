// SPDX-License-Identifier: MIT
import CLinux
import GestureEngine
import LinuxSystem
import TouchInput

/// Twins with no touch left. Each is removed once applications have read its last lifts.
///
/// The service manager keeps the descriptors of the others, for the next process if this one crashes.
final class RetiredTwins {
    private let notifier: ServiceNotifier
    private let log: Log
    private var twins: [(twin: PanelTwin, until: Int64)] = []

    init(_ notifier: ServiceNotifier, _ log: Log) { (self.notifier, self.log) = (notifier, log) }

    /// The names of twins in the service manager's store begin with it.
    private static let prefix = "twin-"

    /// Lets the service manager keep a twin that has just been made.
    func store(_ descriptor: CInt, of device: AttachedDevice) {
        notifier.store(descriptor, name: Self.prefix + device.fallbackName)
    }

    /// Removes a twin soon, to which nothing more is written.
    func add(_ twin: PanelTwin, of device: AttachedDevice) {
        notifier.forget(name: Self.prefix + device.fallbackName)
        add(twin)
    }

    /// Lifts the contacts on twins that a process has left behind which did not end well, and removes them.
    func addStored() {
        StoredDescriptors.take(prefix: Self.prefix) { descriptor, name in
            add(PanelTwin(stored: descriptor))
            notifier.forget(name: name)
            log.info("device: the contacts on \(name) of the process before have lifted")
        }
    }

    private func add(_ twin: PanelTwin) { twins.append((twin, MonotonicClock.now() + PanelTwin.removalDelay)) }

    /// When `removeDue` must next be called; `.never` while there are none.
    var nextDeadline: Timestamp {
        twins.reduce(.never) { min($0, Timestamp(microseconds: $1.until)) }
    }

    func removeDue() {
        guard !twins.isEmpty else { return }
        let now = MonotonicClock.now()
        twins.removeAll { $0.until <= now }
    }

    /// Waits until all can be removed, and removes them: the process is about to end.
    func removeAll() {
        guard let last = twins.lazy.map({ $0.until }).max() else { return }
        usleep(UInt32(clamping: max(0, last - MonotonicClock.now())))
        twins = []
    }
}
