// SPDX-License-Identifier: MIT
import CLinux
import LinuxSystem

/// A descriptor that becomes readable when somebody asks the tool to end (Ctrl-C, SIGTERM),
/// instead of the end itself.
struct SignalWait: ~Copyable {
    private let descriptor: OwnedDescriptor

    /// From now on SIGINT, SIGTERM and SIGHUP are only to be waited for.
    init() throws(ToolError) {
        let raw = linux_signals_open([SIGINT, SIGTERM, SIGHUP], 3)
        guard raw >= 0 else { throw ToolError(.software, "signalfd: \(SystemError.last("signalfd"))") }
        descriptor = OwnedDescriptor(adopting: raw)
    }

    var rawValue: CInt { descriptor.rawValue }
}
