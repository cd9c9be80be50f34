// SPDX-License-Identifier: MIT
import CLinux

/// The entry point of a program that runs as the process of a `ChildJob`.
package enum JobProgram {
    /// The first argument; the second is the name of the job, and the rest are its arguments. Passed only by
    /// the program itself.
    static let option = "--job"

    /// - Parameter arguments: the arguments without the program's name.
    /// - Returns: the job to do instead of everything else; `nil` for any other command line.
    package static func name(in arguments: [String]) -> String? {
        arguments.first == option ? arguments.dropFirst().first : nil
    }

    /// Returns the arguments of that job.
    package static func arguments(in arguments: [String]) -> [String] { Array(arguments.dropFirst(2)) }

    /// Does a job: calls `work` with the whole input.
    /// - Parameter work: writes the output with `write`.
    /// - Returns: the exit status.
    package static func run(_ work: ([UInt8]) -> Void) -> CInt {
        do throws(SystemError) {
            work(try input())
            return ExitStatus.ok
        } catch {
            StandardStream.error.write("\(error)\n")
            return ExitStatus.system
        }
    }

    /// Writes a part of the output. Exits if it cannot be written.
    package static func write(_ bytes: [UInt8]) {
        do throws(SystemError) {
            try LinuxSystem.write(all: bytes, to: STDOUT_FILENO)
        } catch {
            // The reader has closed the pipe.
            exit(ExitStatus.system)
        }
    }

    /// Reads standard input, which is a file, into memory of exactly its size.
    /// - Throws: `SystemError` if it is not a file.
    package static func input() throws(SystemError) -> [UInt8] {
        // Large allocations are mapped, because memory is limited.
        linux_map_large_memory()
        let size = linux_regular_size(STDIN_FILENO)
        guard size >= 0, let size = Int(exactly: size) else { throw SystemError(call: "fstat", code: EINVAL) }
        var failure: SystemError?
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            while let start = buffer.baseAddress, count < size {
                let taken = read(STDIN_FILENO, start + count, size - count)
                if taken < 0, linux_errno() == EINTR { continue }
                if taken < 0 { failure = .last("read") }
                guard taken > 0 else { return }
                count += taken
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// Frees the memory of the input's file, which is not needed once it has been read.
    package static func freeInput() { _ = ftruncate(STDIN_FILENO, 0) }
}
