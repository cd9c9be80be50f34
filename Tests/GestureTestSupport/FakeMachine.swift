// SPDX-License-Identifier: MIT
import Glibc

/// Fakes the clocks and udev of a daemon's machine (`Tests/Tools/FakeMachine`): a test can suspend it, make its time run
/// fast, and lose udev's events.
package final class FakeMachine {
    /// Selects whether udev runs, and whether the daemon receives its events.
    package enum UdevEvents: Int64 {
        case delivered, lost
        /// The next events are lost, and the kernel reports the loss (`ENOBUFS`).
        case overrun
        case absent
    }

    /// The size of the shared memory in bytes: six numbers of 64 bits.
    private static let bytes = 48

    private let file: String
    private let speed: Int
    private let uinput: Uinput
    private let node: String?
    private let memory: UnsafeMutablePointer<Int64>

    /// The state of uinput on the machine.
    package enum Uinput: Hashable {
        case none
        /// The daemon has no permission to open uinput.
        case denied
        /// The daemon's writes go to this file. Created devices are recorded in a file with this name and `.log`
        /// appended.
        case file(String)
        /// The kernel makes no device.
        case refusing
    }

    /// - Parameter speed: the factor by which the monotonic clock runs faster after the daemon has started; 0: it only
    ///   moves with `advance`.
    /// - Parameter node: the node of devices that are created with uinput; by default one that does not exist.
    package init(
        in folder: ScratchFolder, speed: Int = 1, uinput: Uinput = .none, node: String? = nil
    ) throws {
        self.uinput = uinput
        self.node = node
        file = try folder.write(String(repeating: "\0", count: Self.bytes), to: "machine")
        self.speed = speed
        let descriptor = open(file, O_RDWR | O_CLOEXEC)
        defer { close(descriptor) }
        let start = mmap(nil, Self.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
        guard let start, start != MAP_FAILED else { throw TestFailure("cannot map \(file)") }
        memory = start.assumingMemoryBound(to: Int64.self)
    }

    deinit { munmap(memory, Self.bytes) }

    /// Simulates that the machine has just been suspended for this time. The daemon notices this at its next wake-up.
    package func sleep(seconds: Int64) { memory[0] += seconds * 1_000_000 }

    /// Advances the monotonic clock, as if this time had passed. The daemon notices this at its next wake-up.
    package func advance(seconds: Int64) { memory[4] += seconds * 1_000_000 }

    /// Sets the wall clock forward, or back. Programs notice this when they read it.
    package func setClock(by seconds: Int64) { memory[5] += seconds * 1_000_000 }

    package var udevEvents: UdevEvents {
        get { UdevEvents(rawValue: memory[1]) ?? .delivered }
        set { memory[1] = newValue.rawValue }
    }

    /// The number of future lookups in which udev does not find the node of a device.
    package var missingNodes: Int64 {
        get { memory[2] }
        set { memory[2] = newValue }
    }

    /// Whether worker threads are kept from reporting that they are done. They report it when this is `false` again.
    package var holdsThreads: Bool {
        get { memory[3] != 0 }
        set { memory[3] = newValue ? 1 : 0 }
    }

    /// Adds the variables that a program needs to run on this machine to the environment `other`.
    package func environment(over other: [String: String]) throws -> [String: String] {
        var result = other
        result["LD_PRELOAD"] = ([try BuildProducts.fakeMachine()] + [other["LD_PRELOAD"]].compactMap { $0 })
            .joined(separator: ":")
        var settings = ["file=\(file)", "speed=\(speed)"]
        switch uinput {
        case .none: break
        case .denied: settings.append("uinput=denied")
        case .file(let path): settings.append("uinput=\(path)")
        case .refusing: settings.append("uinput=refusing")
        }
        if let node { settings.append("node=\(node)") }
        result["GESTURED_MACHINE"] = settings.joined(separator: ",")
        return result
    }
}
