// SPDX-License-Identifier: MIT
import GestureTestSupport
import Glibc

/// The counters of `faults.c`, which is loaded into the tested program. They are in a file that both processes map.
final class FaultReport {
    private let numbers: UnsafePointer<UInt64>
    private static let size = 16

    /// - Parameter path: the path of the file to create.
    init(path: String) throws {
        let descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0, ftruncate(descriptor, Self.size) == 0 else { throw TestFailure("cannot create \(path)") }
        defer { close(descriptor) }
        guard let memory = mmap(nil, Self.size, PROT_READ, MAP_SHARED, descriptor, 0), memory != MAP_FAILED else {
            throw TestFailure("cannot map \(path)")
        }
        numbers = UnsafePointer(memory.assumingMemoryBound(to: UInt64.self))
    }

    deinit { munmap(UnsafeMutableRawPointer(mutating: numbers), Self.size) }

    /// The number of calls that were made to fail.
    var failures: Int { Int(numbers[0]) }
    /// The number of all calls, including the failed ones.
    var calls: Int { Int(numbers[1]) }
}
