// SPDX-License-Identifier: MIT
import CLinux

/// Sends the datagrams documented in sd_notify(3) to the service manager. Does nothing if there is no manager.
package final class ServiceNotifier {
    /// The maximum time in microseconds between calls to `watchdog()`; `nil` if there is no watchdog. Callers should
    /// use half of this interval.
    package let watchdogInterval: Int64?

    private var socket: OwnedDescriptor?
    private var isConnected = false
    private let path: String
    /// Messages that the manager has not accepted yet. They are kept, because a manager that does not receive `READY=1`
    /// ends the daemon.
    private var unsent: [Message] = []

    private struct Message {
        var text: String
        /// A descriptor that the manager should keep, and its name in the manager's store.
        var stored: (descriptor: CInt, name: String)?
    }

    /// Creates a notifier from `NOTIFY_SOCKET`, `WATCHDOG_USEC` and `WATCHDOG_PID`.
    package convenience init() {
        let watched = Environment.value("WATCHDOG_PID").flatMap { pid_t($0) }.map { $0 == getpid() } ?? true
        self.init(
            path: Environment.value("NOTIFY_SOCKET"),
            watchdogInterval: watched ? Environment.value("WATCHDOG_USEC").flatMap { Int64($0) } : nil)
    }

    /// - Parameter path: an absolute path, or an abstract name that begins with `@`.
    package init(path: String?, watchdogInterval: Int64?) {
        let path = path ?? ""
        let isUsable = path.utf8.first == UInt8(ascii: "/") || path.utf8.first == UInt8(ascii: "@")
        self.path = isUsable ? path : ""
        self.watchdogInterval = isUsable ? watchdogInterval.flatMap { $0 > 0 ? $0 : nil } : nil
    }

    /// Whether there is a manager.
    package var isActive: Bool { !path.isEmpty }

    /// Whether messages are waiting to be sent. If so, call `resend()` a little later.
    package var hasUnsent: Bool { !unsent.isEmpty }

    /// Reports that the service is ready, or that a reload is complete.
    package func ready(status: String) { send("READY=1\nSTATUS=" + status) }
    /// Sets the status text that `systemctl status` shows.
    package func status(_ text: String) { send("STATUS=" + text) }
    /// Sends the watchdog's keep-alive message.
    /// - Returns: whether the manager has accepted the message. If not, call this again soon, because this message is
    ///   not queued.
    package func watchdog() -> Bool { isActive && deliver("WATCHDOG=1") }
    /// Reports that the service is about to end.
    package func stopping() { send("STOPPING=1") }
    /// Announces a reload, with the time that `Type=notify-reload` requires. Call `ready` when the reload is complete.
    package func reloading() { send("RELOADING=1\nMONOTONIC_USEC=\(MonotonicClock.now())") }

    /// Passes a descriptor to the manager, which keeps it while the service restarts (`FileDescriptorStoreMax=`). The
    /// next process receives it together with its name. Call `forget` before the descriptor is closed.
    package func store(_ descriptor: CInt, name: String) {
        send(Message(text: "FDSTORE=1\nFDPOLL=0\nFDNAME=" + name, stored: (descriptor, name)))
    }

    /// Makes the manager close the descriptors with this name.
    package func forget(name: String) {
        unsent.removeAll { $0.stored?.name == name }
        send("FDSTOREREMOVE=1\nFDNAME=" + name)
    }

    /// Sends the waiting messages.
    package func resend() {
        while let message = unsent.first {
            guard deliver(message) else { return }
            unsent.removeFirst()
        }
    }

    /// Sends or queues a message. Never blocks: messages that the manager does not accept are queued in order.
    private func send(_ text: String) { send(Message(text: text)) }

    private func send(_ message: Message) {
        guard isActive else { return }
        // The daemon sends only a few messages. If more than this are waiting, the manager is not reading at all.
        if unsent.count < 16 { unsent.append(message) }
        resend()
    }

    private func deliver(_ text: String) -> Bool { deliver(Message(text: text)) }

    private func deliver(_ message: Message) -> Bool {
        guard let descriptor = connectedDescriptor() else { return false }
        if Self.deliver(message, to: descriptor) { return true }
        if linux_errno() == EAGAIN { return false }
        // The manager may have been restarted (daemon-reexec). Its new socket has the same name.
        isConnected = false
        guard let again = connectedDescriptor() else { return false }
        return Self.deliver(message, to: again)
    }

    private static func deliver(_ message: Message, to socket: CInt) -> Bool {
        let (text, count) = (message.text, message.text.utf8.count)
        guard let stored = message.stored else { return linux_send(socket, text, count) >= 0 }
        return linux_send_descriptor(socket, text, count, stored.descriptor) >= 0
    }

    private func connectedDescriptor() -> CInt? {
        if socket == nil {
            let raw = linux_unix_socket(CInt(SOCK_DGRAM.rawValue), 1)
            if raw >= 0 { socket = OwnedDescriptor(adopting: raw) }
        }
        guard let raw = socket?.rawValue else { return nil }
        if !isConnected { isConnected = linux_unix_connect(raw, path, path.utf8.count) >= 0 }
        return isConnected ? raw : nil
    }
}
