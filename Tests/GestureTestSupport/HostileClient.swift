// SPDX-License-Identifier: MIT

/// A bad client of the daemon's socket in a process of its own: `Tests/Crowd`, see `crowd` without arguments.
package final class HostileClient {
    /// All kinds there are.
    package static let kinds = [
        "never_reads", "reads_a_byte_a_second", "half_closes", "floods", "sends_no_newline", "sends_binary",
        "nests_deeply", "passes_descriptors", "connects_1000_a_second", "dies_at_random_bytes",
        "subscribes_64_a_second", "holds_16_connections",
    ]

    private let program: ChildProcess

    /// - Parameter user: the number of its user, where the tests run as root; else it is the tests' own.
    package init(_ kind: String, at socketPath: String, user: Int) throws {
        program = try ChildProcess([BuildProducts.crowd(), "hostile", kind, socketPath, String(user)])
    }

    /// Waits until it has done something for another tenth of a second.
    /// - Returns: how many times it has done so far what it does.
    @discardableResult
    package func waitForBout() throws -> Int {
        let line = try program.output.wait(for: "bout") { $0.hasPrefix("ACTED ") }
        return Int(line.dropFirst("ACTED ".count)) ?? 0
    }

    deinit {
        program.closeInput()
        _ = try? program.waitForExit()
    }
}
