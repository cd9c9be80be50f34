// SPDX-License-Identifier: MIT
import CLinux
import Glibc
import LinuxSystem

/// A descriptor that becomes readable when somebody asks the tool to end (Ctrl-C, SIGTERM),
/// instead of the end itself.
struct SignalWait: ~Copyable {
    private let descriptor: OwnedDescriptor

    /// From now on SIGINT, SIGTERM and SIGHUP are only to be waited for.
    /// - Parameter more: other signals as well.
    init(and more: [CInt] = []) throws(ToolError) {
        let signals = [SIGINT, SIGTERM, SIGHUP] + more
        let raw = linux_signals_open(signals, CInt(signals.count))
        guard raw >= 0 else { throw ToolError(.software, "signalfd: \(SystemError.last("signalfd"))") }
        descriptor = OwnedDescriptor(adopting: raw)
    }

    var rawValue: CInt { descriptor.rawValue }

    /// The next signal that has come; nil when there is none.
    func next() -> CInt? {
        let signal = linux_signals_next(descriptor.rawValue)
        return signal > 0 ? signal : nil
    }

    /// Ends the process as the signal would have done by itself, so that who started it sees that.
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
