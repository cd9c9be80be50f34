// SPDX-License-Identifier: MIT
import CLinux
import GestureConfiguration
import GestureProtocol
import LinuxSystem

/// Writes lines to standard error for an operator. Each line has a label with the subject, a colon, and a message.
///
/// The level `error` is for a fault of the daemon itself or a rejected configuration, `warning` for a fault of a device
/// or a client, `info` for a notable event, and `debug` for every step. A log never blocks: lines that standard error
/// does not accept immediately are dropped and counted. `LogBudget` limits the rate.
final class Log {
    var level: LogLevel

    private let descriptor: CInt
    private let hasPriorities: Bool
    private let now: () -> Int64
    private var budget = LogBudget()
    private var dropped = 0
    /// Whether standard error has accepted only the beginning of a line.
    private var isCut = false

    /// Creates a log.
    /// - Parameter descriptor: the output; 2 is standard error.
    init(level: LogLevel, descriptor: CInt = 2, now: @escaping () -> Int64 = { MonotonicClock.now() }) {
        self.level = level
        self.descriptor = descriptor
        self.now = now
        hasPriorities = Self.isJournal(descriptor)
    }

    /// Whether the descriptor is journald's stream. It is not enough that JOURNAL_STREAM is set, because child
    /// processes inherit it.
    private static func isJournal(_ descriptor: CInt) -> Bool {
        let numbers = (Environment.value("JOURNAL_STREAM") ?? "").split(separator: ":").map { UInt64($0) }
        guard numbers.count == 2, let device = numbers[0], let inode = numbers[1] else { return false }
        return linux_is_file(descriptor, device, inode) != 0
    }

    func debug(_ message: @autoclosure () -> String) { write(.debug, message()) }
    func info(_ message: @autoclosure () -> String) { write(.info, message()) }
    func warning(_ message: @autoclosure () -> String) { write(.warning, message()) }
    func error(_ message: @autoclosure () -> String) { write(.error, message()) }

    /// Writes a text of several lines at any log level. Used for errors at the start.
    func text(_ text: String) {
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            send((hasPriorities ? LogLevel.error.priority : "") + SafeText.log(String(line)) + "\n")
        }
    }

    /// Whether lines have been suppressed and not yet been reported by `reportSuppressed()`.
    var hasSuppressed: Bool { budget.hasSuppressed }

    /// Reports the number of suppressed lines in windows that have ended. Call this regularly.
    func reportSuppressed() {
        while let (subject, count) = budget.takeSuppressed(at: now()) {
            send(.warning, "\(subject): \(count) more \(count == 1 ? "line like this" : "lines like these") in 30 s")
        }
    }

    /// Writes the diagnostics of a configuration, one line each.
    func write(_ diagnostics: [Diagnostic]) {
        for diagnostic in diagnostics {
            switch diagnostic.severity {
            // Errors are shown at any level, because the new configuration does not take effect.
            case .error: error(diagnostic.logLine)
            case .warning: warning(diagnostic.logLine)
            }
        }
    }

    func write(_ level: LogLevel, _ message: @autoclosure () -> String) {
        guard level >= self.level else { return }
        let text = message()
        if level > .debug {
            let subject = LogBudget.subject(of: text)
            let time = now()
            if budget.hasSuppressed { reportSuppressed() }
            guard budget.allows(subject, at: time) else { return }
        }
        send(level, text)
    }

    private static func start(_ level: LogLevel, _ hasPriorities: Bool) -> String {
        hasPriorities ? level.priority : "gestured: \(level.rawValue): "
    }

    private func send(_ level: LogLevel, _ message: String) {
        send(Self.start(level, hasPriorities) + SafeText.log(message) + "\n")
    }

    private func send(_ text: String) {
        if dropped > 0 {
            let lost = "\(dropped) log lines were lost: standard error was full\n"
            guard put(Self.start(.warning, hasPriorities) + lost) else {
                dropped += 1
                return
            }
            dropped = 0
        }
        if !put(text) { dropped += 1 }
    }

    private func put(_ text: String) -> Bool {
        var text = isCut ? "\n" + text : text
        let (taken, all) = text.withUTF8 { bytes in
            (bytes.baseAddress.map { linux_write_log(descriptor, $0, bytes.count) } ?? 0, bytes.count)
        }
        guard taken > 0 else { return false }
        isCut = taken < all
        return !isCut
    }
}
