// SPDX-License-Identifier: MIT
import CLinux

/// Delivers signals as callbacks of the loop, using signalfd.
///
/// The signals stay blocked after the source has been freed.
package final class SignalSource {
    private let descriptor: OwnedDescriptor
    private let loop: EventLoop
    private let handler: (CInt) -> Void
    private var source: EventLoop.Source?

    /// Blocks `signals` (such as `SIGTERM`) for this thread and the threads that it starts, and calls `handler` with
    /// the number of each signal that arrives.
    package init(
        loop: EventLoop, signals: [CInt], handler: @escaping (CInt) -> Void
    ) throws(SystemError) {
        let raw = try retryingOnInterrupt("signalfd") {
            linux_signals_open(signals, CInt(truncatingIfNeeded: signals.count))
        }
        descriptor = OwnedDescriptor(adopting: raw)
        self.loop = loop
        self.handler = handler
        source = try loop.add(raw, events: .readable) { [unowned self] _ in drain() }
    }

    deinit {
        if let source { loop.remove(source) }
    }

    /// Makes a write to a closed connection fail with `EPIPE` instead of terminating the process.
    package static func ignoreBrokenPipe() {
        linux_ignore_sigpipe()
    }

    /// Blocks signals for this thread and the threads that it starts. The signals stay pending until there is a source
    /// for them.
    package static func block(_ signals: [CInt]) {
        // This fails only for numbers that are not signals.
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
