// SPDX-License-Identifier: MIT
import CLinux

/// Descriptors that the service manager has kept while the service restarted (see `ServiceNotifier.store`).
package enum StoredDescriptors {
    /// Calls `body` with each descriptor whose name begins with `prefix`. Call this only once.
    package static func take(prefix: String, _ body: (consuming OwnedDescriptor, _ name: String) -> Void) {
        guard let (count, names) = ListenSockets.announced() else { return }
        for (offset, name) in names.prefix(Int(max(0, count))).enumerated() where name.hasPrefix(prefix) {
            let raw = ListenSockets.firstPassed + CInt(clamping: offset)
            // A number without an open descriptor is skipped.
            guard linux_set_close_on_exec(raw) >= 0 else { continue }
            body(OwnedDescriptor(adopting: raw), name)
        }
    }
}
