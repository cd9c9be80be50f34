// SPDX-License-Identifier: MIT
import CLinux

/// Sends the service manager the documented `sd_notify` datagrams. Does nothing without a manager.
package final class ServiceNotifier {
    /// The maximum time in microseconds between calls to `watchdog()`; `nil` if there is no watchdog. Callers should
    /// call it twice as often.
    package let watchdogInterval: Int64?

    private var socket: OwnedDescriptor?
    private var isConnected = false
    private let path: String
    /// Messages that the manager has not accepted yet. If it did not receive `READY=1`, it would end the daemon.
    private var unsent: [Message] = []

    private struct Message {
        var text: String
        /// A descriptor for the manager to keep, and its name there.
        var stored: (descriptor: CInt, name: String)?
    }

    /// Reads `NOTIFY_SOCKET`, `WATCHDOG_USEC` and `WATCHDOG_PID`.
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

    /// Whether messages are waiting. If so, call `resend()` a little later.
    package var hasUnsent: Bool { !unsent.isEmpty }

    /// Reports that the service is ready, or that a reload is complete.
    package func ready(status: String) { send("READY=1\nSTATUS=" + status) }
    /// Sets the status text that `systemctl status` shows.
    package func status(_ text: String) { send("STATUS=" + text) }
    /// Sends the watchdog's keep-alive message.
    /// - Returns: whether the manager accepted it. If not, call it again soon: this message is not queued.
    package func watchdog() -> Bool { isActive && deliver("WATCHDOG=1") }
    /// Reports that the service is about to end.
    package func stopping() { send("STOPPING=1") }
    /// Announces a reload, with the time that `Type=notify-reload` requires; `ready` must follow.
    package func reloading() { send("RELOADING=1\nMONOTONIC_USEC=\(MonotonicClock.now())") }

    /// Passes the manager a descriptor to keep while the service restarts (`FileDescriptorStoreMax=`). The next
    /// process gets it by its name. Call `forget` before it is closed.
    package func store(_ descriptor: CInt, name: String) {
        send(Message(text: "FDSTORE=1\nFDPOLL=0\nFDNAME=" + name, stored: (descriptor, name)))
    }

    /// Makes the manager drop the descriptors with this name.
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

    /// Sends or queues a message and never blocks: messages that the manager does not accept wait, in order.
    private func send(_ text: String) { send(Message(text: text)) }

    private func send(_ message: Message) {
        guard isActive else { return }
        // The daemon sends only a few messages; if more are waiting, the manager does not read at all.
        if unsent.count < 16 { unsent.append(message) }
        resend()
    }

    private func deliver(_ text: String) -> Bool { deliver(Message(text: text)) }

    private func deliver(_ message: Message) -> Bool {
        guard let descriptor = connectedDescriptor() else { return false }
        if Self.deliver(message, to: descriptor) { return true }
        if linux_errno() == EAGAIN { return false }
        // The manager was restarted (daemon-reexec): its new socket has the same name.
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
