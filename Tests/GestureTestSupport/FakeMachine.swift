// SPDX-License-Identifier: MIT
import Glibc

/// The machine that a daemon believes to run on: `Tests/FakeMachine`. It sleeps, its time runs fast, and its
/// udev tells nothing, as a test wants it.
package final class FakeMachine {
    /// What becomes of udev's news.
    package enum News: Int64 {
        case told, lost
        /// The next ones are lost, and the kernel says so (`ENOBUFS`).
        case overrun
    }

    private let file: String
    private let speed: Int
    private let memory: UnsafeMutablePointer<Int64>

    /// - Parameter speed: so many times as fast runs the monotonic clock from the daemon's start on.
    package init(in folder: ScratchFolder, speed: Int = 1) throws {
        file = try folder.write(String(repeating: "\0", count: 24), to: "machine")
        self.speed = speed
        let descriptor = open(file, O_RDWR | O_CLOEXEC)
        defer { close(descriptor) }
        let start = mmap(nil, 24, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
        guard let start, start != MAP_FAILED else { throw TestFailure("cannot map \(file)") }
        memory = start.assumingMemoryBound(to: Int64.self)
    }

    deinit { munmap(memory, 24) }

    /// It has slept for so long until now. The daemon finds out when something wakes it.
    package func sleep(seconds: Int64) { memory[0] += seconds * 1_000_000 }

    package var news: News {
        get { News(rawValue: memory[1]) ?? .told }
        set { memory[1] = newValue.rawValue }
    }

    /// So many more times udev does not say what a device's node is.
    package var missingNodes: Int64 {
        get { memory[2] }
        set { memory[2] = newValue }
    }

    /// What a program needs to run on it, beside what its environment is otherwise.
    func environment(over other: [String: String]) throws -> [String: String] {
        var result = other
        result["LD_PRELOAD"] = ([try BuildProducts.fakeMachine()] + [other["LD_PRELOAD"]].compactMap { $0 })
            .joined(separator: ":")
        result["GESTURED_MACHINE"] = file
        result["GESTURED_SPEED"] = String(speed)
        return result
    }
}
