// SPDX-License-Identifier: MIT
import CLinux
import LinuxSystem

/// How much an operator wants to read.
enum LogLevel: UInt8, Hashable, Sendable, Comparable, CaseIterable {
    case debug, info, warning, error

    init?(word: String) {
        switch word {
        case "debug": self = .debug
        case "info": self = .info
        case "warning": self = .warning
        case "error": self = .error
        default: return nil
        }
    }

    static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }

    fileprivate var word: StaticString {
        switch self {
        case .debug: "debug"
        case .info: "info"
        case .warning: "warning"
        case .error: "error"
        }
    }

    /// The priority that journald takes from the start of a line.
    fileprivate var priority: StaticString {
        switch self {
        case .debug: "<7>"
        case .info: "<6>"
        case .warning: "<4>"
        case .error: "<3>"
        }
    }
}

/// Lines to standard error, for an operator.
///
/// `error` is a fault of the daemon itself, `warning` one of the configuration, a device or a
/// client, `info` what one wants to know once, `debug` every step. Never blocks: what standard
/// error does not take at once is dropped and counted.
final class Log {
    var level: LogLevel

    /// Lines of one class (its first words) within a time, before they are only counted.
    private static let burst = 5
    private static let window: Int64 = 30_000_000

    private let descriptor: CInt
    private let hasPriorities: Bool
    private let now: () -> Int64
    private var budgets: [String: (since: Int64, count: Int)] = [:]
    private var dropped = 0

    /// - Parameter descriptor: where lines go; 2 is standard error.
    init(level: LogLevel, descriptor: CInt = 2, now: @escaping () -> Int64 = { MonotonicClock.now() }) {
        self.level = level
        self.descriptor = descriptor
        self.now = now
        hasPriorities = Environment.value("JOURNAL_STREAM") != nil
    }

    func debug(_ message: @autoclosure () -> String) { write(.debug, message) }
    func info(_ message: @autoclosure () -> String) { write(.info, message) }
    func error(_ message: @autoclosure () -> String) { write(.error, message) }

    /// - Parameter subject: what it is about; five lines in 30 s about one subject, then only their number.
    func warning(_ message: @autoclosure () -> String, about subject: String? = nil) {
        guard level <= .warning else { return }
        if let subject, !hasBudget(subject) { return }
        write(.warning, message)
    }

    private func hasBudget(_ subject: String) -> Bool {
        let time = now()
        // Subjects come from outside: no more than a few are remembered.
        if budgets.count > 64 { budgets = [:] }
        var budget = budgets[subject] ?? (time, 0)
        if time - budget.since > Self.window {
            if budget.count > Self.burst {
                let suppressed = budget.count - Self.burst
                write(.warning) { "\(subject): \(suppressed) more lines in the last 30 s" }
            }
            budget = (time, 0)
        }
        budget.count += 1
        budgets[subject] = budget
        return budget.count <= Self.burst
    }

    private func write(_ level: LogLevel, _ message: () -> String) {
        guard level >= self.level else { return }
        if dropped > 0 {
            let lost = dropped
            dropped = 0
            send(
                "\(Self.start(.warning, hasPriorities))\(lost) log lines were lost: standard error does not take them\n"
            )
        }
        send(Self.start(level, hasPriorities) + Self.safe(message()) + "\n")
    }

    private static func start(_ level: LogLevel, _ hasPriorities: Bool) -> String {
        hasPriorities ? "\(level.priority)" : "gestured: \(level.word): "
    }

    /// Names of devices and files may hold anything; a terminal gets no control bytes.
    private static func safe(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return text }
        return String(decoding: text.utf8.map { $0 < 0x20 || $0 == 0x7F ? UInt8(ascii: "?") : $0 }, as: UTF8.self)
    }

    private func send(_ text: String) {
        var text = text
        let taken = text.withUTF8 { bytes in
            bytes.baseAddress.map { linux_write_log(descriptor, $0, bytes.count) } ?? 0
        }
        if taken < 0 { dropped += 1 }
    }
}
