// SPDX-License-Identifier: MIT
import CLinux
import LinuxSystem

/// Lines to standard error, for an operator.
///
/// `error` is a fault of the daemon itself or a configuration that cannot be taken, `warning` one of a
/// device or a client, `info` what one wants to know once, `debug` every step. Never blocks: what
/// standard error does not take at once is dropped and counted. Nothing floods it: see `LogBudget`.
final class Log {
    var level: LogLevel

    private let descriptor: CInt
    private let hasPriorities: Bool
    private let now: () -> Int64
    private var budget = LogBudget()
    private var dropped = 0
    /// Standard error has taken only the beginning of a line.
    private var isCut = false

    /// - Parameter descriptor: where lines go; 2 is standard error.
    init(level: LogLevel, descriptor: CInt = 2, now: @escaping () -> Int64 = { MonotonicClock.now() }) {
        self.level = level
        self.descriptor = descriptor
        self.now = now
        hasPriorities = Self.isJournal(descriptor)
    }

    /// Whether lines go to journald. A variable alone does not say so: what a service starts inherits it.
    private static func isJournal(_ descriptor: CInt) -> Bool {
        let numbers = (Environment.value("JOURNAL_STREAM") ?? "").split(separator: ":").map { UInt64($0) }
        guard numbers.count == 2, let device = numbers[0], let inode = numbers[1] else { return false }
        return linux_is_file(descriptor, device, inode) != 0
    }

    func debug(_ message: @autoclosure () -> String) { write(.debug, message) }
    func info(_ message: @autoclosure () -> String) { write(.info, message) }
    func warning(_ message: @autoclosure () -> String) { write(.warning, message) }
    func error(_ message: @autoclosure () -> String) { write(.error, message) }

    /// Writes a text of several lines as it is, whatever the level: what is wrong at the start.
    func text(_ text: String) {
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            send((hasPriorities ? "\(LogLevel.error.priority)" : "") + LogText.safe(String(line)) + "\n")
        }
    }

    /// Whether lines were left out that nobody has been told of.
    var hasSuppressed: Bool { budget.hasSuppressed }

    /// Tells how many lines were left out, once their time is over. To be called now and then.
    func tellSuppressed() {
        while let (subject, count) = budget.takeSuppressed(at: now()) { tell(subject, count) }
    }

    private func tell(_ subject: String, _ count: Int) {
        send(
            Self.start(.warning, hasPriorities) + LogText.safe("\(subject) \(count) more lines like these in 30 s")
                + "\n")
    }

    private func write(_ level: LogLevel, _ message: () -> String) {
        guard level >= self.level else { return }
        let text = message()
        if level > .debug {
            let subject = LogBudget.subject(of: text)
            let time = now()
            if budget.hasSuppressed { tellSuppressed() }
            guard budget.allows(subject, at: time) else { return }
        }
        send(Self.start(level, hasPriorities) + LogText.safe(text) + "\n")
    }

    private static func start(_ level: LogLevel, _ hasPriorities: Bool) -> String {
        hasPriorities ? "\(level.priority)" : "gestured: \(level.word): "
    }

    private func send(_ text: String) {
        if dropped > 0 {
            let lost = "\(dropped) log lines were lost: standard error did not take them\n"
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
