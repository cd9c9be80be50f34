// SPDX-License-Identifier: MIT
import CLinux

/// Keeps lines of the protocol for `scripts/check-lines`, which holds them to the schema: in the
/// folder that `GESTURED_LINES` names, one file for each process; without it nothing is kept.
///
/// Lines that differ only in their numbers are of one shape: of each the first ones are kept, so that
/// a flood of updates does not fill the disk. May be used by any thread.
///
/// `@unchecked`: the lock guards all that changes.
package final class LineArchive: @unchecked Sendable {
    /// This process's own; `nil` when nothing is to be kept.
    package static let shared: LineArchive? = getenv("GESTURED_LINES").flatMap {
        LineArchive(folder: String(cString: $0))
    }

    /// Enough for numbers to show what they can be.
    private static let mostOfOneShape = 100

    private let descriptor: CInt
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private var seen: [UInt64: Int] = [:]

    /// `nil` when there is no such folder, or no file can be made in it.
    package init?(folder: String) {
        // A number of a process may come again.
        descriptor = creat("\(folder)/\(getpid())-\(linux_clock_us(CLOCK_MONOTONIC)).lines", 0o644)
        guard descriptor >= 0 else { return nil }
        linux_set_close_on_exec(descriptor)
        pthread_mutex_init(lock, nil)
    }

    /// - Parameter line: one that the protocol should know, with its line feed or without.
    package func keep(_ line: UnsafeBufferPointer<UInt8>) {
        let line = line.last == 0x0A ? UnsafeBufferPointer(rebasing: line.dropLast()) : line
        guard isWanted(Self.shape(line)) else { return }
        write(line + [0x0A])
    }

    package func keep(_ line: String) {
        var line = line
        line.withUTF8 { keep($0) }
    }

    /// Keeps a request and its reply, both without line feeds.
    package func keep(request: [UInt8], reply: [UInt8]) {
        guard isWanted(Self.shape(request) &* 31 ^ Self.shape(reply)) else { return }
        write([UInt8(ascii: "?")] + request + [0x0A, UInt8(ascii: "!")] + reply + [0x0A])
    }

    private func isWanted(_ shape: UInt64) -> Bool {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        let count = seen[shape, default: 0]
        if count < Self.mostOfOneShape { seen[shape] = count + 1 }
        return count < Self.mostOfOneShape
    }

    /// In one piece: a process may be killed at any time.
    private func write(_ bytes: [UInt8]) {
        _ = bytes.withUnsafeBytes { CLinux.write(descriptor, $0.baseAddress, $0.count) }
    }

    /// FNV-1a over the line, with one digit for each run of digits.
    private static func shape(_ line: some Sequence<UInt8>) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        var wasDigit = false
        for byte in line {
            let isDigit = byte &- UInt8(ascii: "0") < 10
            if !(isDigit && wasDigit) { hash = (hash ^ UInt64(isDigit ? UInt8(ascii: "0") : byte)) &* 0x100_0000_01b3 }
            wasDigit = isDigit
        }
        return hash
    }
}
