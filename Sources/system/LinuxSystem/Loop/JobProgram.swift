// SPDX-License-Identifier: MIT
import CLinux

/// Functions for a program that runs as the process of a `ChildJob`.
package enum JobProgram {
    /// The first argument of the process. The second argument is the name of the job, and the others are the job's
    /// arguments. Only the program itself passes this option.
    static let option = "--job"

    /// - Parameter arguments: the arguments without the program's name.
    /// - Returns: the name of the job that the process must do; `nil` if the command line does not name a job.
    package static func name(in arguments: [String]) -> String? {
        arguments.first == option ? arguments.dropFirst().first : nil
    }

    /// Returns the arguments of the job that the command line names.
    package static func arguments(in arguments: [String]) -> [String] { Array(arguments.dropFirst(2)) }

    /// Does a job by calling `work` with the whole input.
    /// - Parameter work: does the work, and writes the output with `write`.
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
            // Writing fails if the reader has closed the pipe.
            exit(ExitStatus.system)
        }
    }

    /// Reads standard input, which must be a file, into a buffer of exactly its size.
    /// - Throws: `SystemError` if standard input is not a file.
    package static func input() throws(SystemError) -> [UInt8] {
        // Large allocations are mapped separately, because memory is limited.
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

    /// Frees the memory of the file that contains the input. Call this after the input has been read.
    package static func freeInput() { _ = ftruncate(STDIN_FILENO, 0) }
}
