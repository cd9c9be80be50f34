// SPDX-License-Identifier: MIT
import CLinux

/// Turns signals into callbacks of the loop (signalfd), so that no code runs at a signal's mercy.
///
/// The signals stay blocked when it is gone: the process is ending then.
package final class SignalSource {
    private let descriptor: OwnedDescriptor
    private let loop: EventLoop
    private let handler: (CInt) -> Void
    private var source: EventLoop.Source?

    /// Blocks `signals` (`SIGTERM`, …) for this thread and all that it will start, and calls
    /// `handler` with the number of each that comes.
    package init(
        loop: EventLoop, signals: [CInt], handler: @escaping (CInt) -> Void
    ) throws(SystemError) {
        let raw = try retryingOnInterrupt("signalfd") {
            linux_signals_open(signals, CInt(truncatingIfNeeded: signals.count))
        }
        descriptor = OwnedDescriptor(adopting: raw)
        self.loop = loop
        self.handler = handler
        let unretained = Unmanaged.passUnretained(self)
        source = try loop.add(raw, events: .readable) { _ in
            unretained.takeUnretainedValue().drain()
        }
    }

    deinit {
        if let source { loop.remove(source) }
    }

    /// A write to a closed connection becomes `EPIPE` instead of the end of the process. The
    /// first thing a program does.
    package static func ignoreBrokenPipe() {
        linux_ignore_sigpipe()
    }

    /// Lets signals wait until a source for them is there, instead of ending the process. For this thread and all
    /// that it will start.
    package static func block(_ signals: [CInt]) {
        // It fails only on numbers that are no signals.
        _ = linux_signals_block(signals, CInt(truncatingIfNeeded: signals.count))
    }

    private func drain() {
        while true {
            let signal = linux_signals_next(descriptor.rawValue)
            guard signal > 0 else { return }
            handler(signal)
        }
    }
}
