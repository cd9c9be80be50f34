// SPDX-License-Identifier: MIT

/// What the fuzzer is set on. The same functions run under libFuzzer and, on the files that were
/// found once, in the tests.
package enum FuzzTarget: String, CaseIterable, Sendable {
    /// A panel, its regions, and what its kernel device says.
    case events = "Events"
    /// The text of configuration files, and a finger on what they define.
    case configuration = "Configuration"
    /// A recording, and its replay.
    case recordings = "Recordings"
    /// The same, as `libinput record` writes it.
    case libinput = "Libinput"
    /// What a client of the socket sends.
    case requests = "Requests"

    /// Runs one input.
    /// - Returns: what it broke; `nil` when all held.
    package func run(_ bytes: UnsafeRawBufferPointer) -> String? {
        switch self {
        case .events: EventStream.run(bytes)
        case .configuration: ConfigurationText.run(bytes)
        case .recordings: RecordingText.run(bytes)
        case .libinput: RecordingText.runLibinput(bytes)
        case .requests: RequestBytes.run(bytes)
        }
    }

    /// For libFuzzer, which takes a trap for a finding and keeps the input.
    package func runOrTrap(_ bytes: UnsafePointer<UInt8>?, _ count: Int) {
        if let complaint = run(UnsafeRawBufferPointer(start: bytes, count: count)) {
            fatalError("\(rawValue): \(complaint)")
        }
    }
}
