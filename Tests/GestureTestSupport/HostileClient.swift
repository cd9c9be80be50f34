// SPDX-License-Identifier: MIT

/// A misbehaving client of the daemon, which runs in its own process (`Tests/Tools/Crowd`). `crowd` without arguments
/// prints its usage.
package final class HostileClient {
    /// All kinds of misbehaving clients.
    package static let kinds = [
        "never_reads", "reads_a_byte_a_second", "half_closes", "floods", "sends_no_newline", "sends_binary",
        "nests_deeply", "passes_descriptors", "passes_what_closes_slowly", "connects_1000_a_second",
        "dies_at_random_bytes", "subscribes_64_a_second", "holds_16_connections", "subscribes_and_hangs_up",
        "asks_and_hangs_up", "subscribes_to_64_globs", "ends_2000_leases", "defines_deeply",
        "defines_patterns",
    ]

    private let program: ChildProcess

    /// - Parameter user: the client's user id if the tests run as root; otherwise the client runs as the tests' user.
    package init(_ kind: String, at socketPath: String, user: Int) throws {
        program = try ChildProcess([BuildProducts.crowd(), "hostile", kind, socketPath, String(user)])
    }

    /// Waits until the client has been active for another tenth of a second.
    /// - Returns: the number of the client's actions so far.
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
