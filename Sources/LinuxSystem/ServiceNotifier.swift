// SPDX-License-Identifier: MIT
import CLinux

/// Tells the service manager how the daemon is: the documented `sd_notify` datagrams, without its
/// library. Without a manager everything here does nothing.
package final class ServiceNotifier {
    /// How often at least `watchdog()` must be called, in microseconds; `nil`: nobody watches.
    /// Half of it is a good rhythm.
    package let watchdogInterval: Int64?

    private let socket: OwnedDescriptor?
    private let path: String

    /// Reads `NOTIFY_SOCKET`, `WATCHDOG_USEC` and `WATCHDOG_PID`.
    package convenience init() {
        let watched = Environment.value("WATCHDOG_PID").flatMap { pid_t($0) }.map { $0 == getpid() } ?? true
        self.init(
            path: Environment.value("NOTIFY_SOCKET"),
            watchdogInterval: watched ? Environment.value("WATCHDOG_USEC").flatMap { Int64($0) } : nil)
    }

    /// - Parameter path: an absolute path, or an abstract name that begins with `@`.
    package init(path: String?, watchdogInterval: Int64?) {
        self.path = path ?? ""
        let isUsable = self.path.utf8.first == UInt8(ascii: "/") || self.path.utf8.first == UInt8(ascii: "@")
        let raw = isUsable ? linux_unix_socket(CInt(SOCK_DGRAM.rawValue), 1) : -1
        socket = raw >= 0 ? OwnedDescriptor(adopting: raw) : nil
        self.watchdogInterval = raw >= 0 ? watchdogInterval.flatMap { $0 > 0 ? $0 : nil } : nil
    }

    /// Whether a manager listens.
    package var isActive: Bool { !path.isEmpty && watching }

    private var watching: Bool {
        switch socket {
        case .some: true
        case .none: false
        }
    }

    package func ready(status: String) { send("READY=1\nSTATUS=" + status) }
    package func status(_ text: String) { send("STATUS=" + text) }
    package func watchdog() { send("WATCHDOG=1") }
    package func stopping() { send("STOPPING=1") }
    /// With the time that `Type=notify-reload` wants; follow it with `ready`.
    package func reloading() { send("RELOADING=1\nMONOTONIC_USEC=\(MonotonicClock.now())") }

    /// Best effort: a manager that does not read must not stop a finger.
    private func send(_ message: StaticString) {
        deliver(message.utf8Start, message.utf8CodeUnitCount)
    }

    private func send(_ message: String) {
        var message = message
        message.withUTF8 { bytes in
            if let start = bytes.baseAddress { deliver(start, bytes.count) }
        }
    }

    private func deliver(_ bytes: UnsafePointer<UInt8>, _ count: Int) {
        guard let descriptor = connectedDescriptor() else { return }
        if linux_send(descriptor, bytes, count) < 0, linux_errno() != EAGAIN {
            // The manager was replaced (daemon-reexec): its new socket has the same name.
            isConnected = false
            if let again = connectedDescriptor() { _ = linux_send(again, bytes, count) }
        }
    }

    private var isConnected = false

    private func connectedDescriptor() -> CInt? {
        let raw: CInt
        switch socket {
        case .some(let owned): raw = owned.rawValue
        case .none: return nil
        }
        if !isConnected { isConnected = linux_unix_connect(raw, path, path.utf8.count) >= 0 }
        return isConnected ? raw : nil
    }
}
