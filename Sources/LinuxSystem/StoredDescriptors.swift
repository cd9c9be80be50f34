// SPDX-License-Identifier: MIT
import CLinux

/// Descriptors that the service manager has kept while the service restarted (see `ServiceNotifier.store`).
package enum StoredDescriptors {
    /// Hands over those whose name begins with `prefix`. Call it once.
    package static func take(prefix: String, _ body: (consuming OwnedDescriptor, _ name: String) -> Void) {
        guard let process = Environment.value("LISTEN_PID").flatMap({ pid_t($0) }), process == getpid() else { return }
        let names = (Environment.value("LISTEN_FDNAMES") ?? "").split(separator: ":", omittingEmptySubsequences: false)
        let count = Environment.value("LISTEN_FDS").flatMap { Int($0) } ?? 0
        for (offset, name) in names.prefix(max(0, count)).enumerated() where name.hasPrefix(prefix) {
            let raw = ListenSockets.firstPassed + CInt(clamping: offset)
            // One that is not there is not ours to close.
            guard linux_set_close_on_exec(raw) >= 0 else { continue }
            body(OwnedDescriptor(adopting: raw), String(name))
        }
    }
}
