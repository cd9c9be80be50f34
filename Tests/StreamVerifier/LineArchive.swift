// SPDX-License-Identifier: MIT
import CLinux

/// Saves lines of the protocol for `scripts/check-lines`, which checks them against the schema. The variable
/// `GESTURED_LINES` names the folder, in which each process writes a file. If the variable is not set, nothing is
/// saved.
///
/// Lines that differ only in their numbers have the same shape. Only the first lines of each shape are saved, so
/// that many updates do not fill the disk. The archive may be used from any thread.
///
/// `@unchecked`, because the compiler cannot verify that the lock guards all mutable state.
package final class LineArchive: @unchecked Sendable {
    /// The archive of this process; `nil` if nothing is saved.
    package static let shared: LineArchive? = getenv("GESTURED_LINES").flatMap {
        LineArchive(folder: String(cString: $0))
    }

    /// The maximum number of saved lines of a shape, which is enough to cover the range of the numbers.
    private static let mostOfOneShape = 100

    private let descriptor: CInt
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private var seen: [UInt64: Int] = [:]

    /// Returns `nil` if the folder does not exist or no file can be created in it.
    package init?(folder: String) {
        // Process ids may be reused, so the name also contains the time.
        descriptor = creat("\(folder)/\(getpid())-\(linux_clock_us(CLOCK_MONOTONIC)).lines", 0o644)
        guard descriptor >= 0 else { return nil }
        linux_set_close_on_exec(descriptor)
        pthread_mutex_init(lock, nil)
    }

    /// - Parameter line: a line with or without its line feed.
    package func keep(_ line: UnsafeBufferPointer<UInt8>) {
        let line = line.last == 0x0A ? UnsafeBufferPointer(rebasing: line.dropLast()) : line
        guard isWanted(Self.shape(line)) else { return }
        write(line + [0x0A])
    }

    package func keep(_ line: String) {
        var line = line
        line.withUTF8 { keep($0) }
    }

    /// Saves a request and its reply, both without line feeds.
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

    /// Writes with a single call, because the process may be killed at any time and must not leave a partial line.
    private func write(_ bytes: [UInt8]) {
        _ = bytes.withUnsafeBytes { CLinux.write(descriptor, $0.baseAddress, $0.count) }
    }

    /// The FNV-1a hash of the line, in which each run of digits is replaced by one digit.
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
