// SPDX-License-Identifier: MIT
import Foundation
import Glibc
import Testing

/// A terminal for a program. The test reads what the program writes.
struct PseudoTerminal {
    /// The side of the test.
    let reader: FileHandle
    /// The path of the terminal, such as `/dev/pts/4`.
    let path: String

    init() throws {
        reader = FileHandle(fileDescriptor: open("/dev/ptmx", O_RDWR | O_NOCTTY), closeOnDealloc: true)
        // The ioctls TIOCSPTLCK and TIOCGPTN unlock the terminal and return its number. Swift does not import
        // their names.
        var (lock, number) = (CInt(0), CUnsignedInt(0))
        try #require(ioctl(reader.fileDescriptor, 0x4004_5431, &lock) == 0)
        try #require(ioctl(reader.fileDescriptor, 0x8004_5430, &number) == 0)
        path = "/dev/pts/\(number)"
    }

    /// Reads all that programs have written. At least one must have opened the terminal; this waits until none has it
    /// open.
    func readToEnd() -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(reader.fileDescriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            // The error EIO means that the last program has closed the terminal.
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes += buffer[..<count]
        }
    }
}
