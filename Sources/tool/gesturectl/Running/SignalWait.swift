// SPDX-License-Identifier: MIT
import CLinux
import Glibc
import LinuxSystem

/// Blocks the signals that end the tool (Ctrl-C, SIGTERM), and provides a descriptor that is readable when one of them
/// has arrived.
struct SignalWait: ~Copyable {
    private let descriptor: OwnedDescriptor

    /// Blocks SIGINT, SIGTERM and SIGHUP.
    /// - Parameter more: additional signals.
    init(and more: [CInt] = []) throws(ToolError) {
        let signals = [SIGINT, SIGTERM, SIGHUP] + more
        let raw = linux_signals_open(signals, CInt(signals.count))
        guard raw >= 0 else { throw ToolError(.software, "signalfd: \(SystemError.last("signalfd"))") }
        descriptor = OwnedDescriptor(adopting: raw)
    }

    var rawValue: CInt { descriptor.rawValue }

    /// Returns the next signal that has arrived; `nil` if there is none.
    func next() -> CInt? {
        let signal = linux_signals_next(descriptor.rawValue)
        return signal > 0 ? signal : nil
    }

    /// Ends the process as the signal that has arrived requires.
    func end() { Self.die(of: next() ?? SIGINT) }

    /// Ends the process with a signal, so that its parent can detect the signal.
    static func die(of number: CInt) -> Never {
        signal(number, SIG_DFL)
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, number)
        sigprocmask(SIG_UNBLOCK, &set, nil)
        raise(number)
        exit(128 + number)
    }
}
