// SPDX-License-Identifier: MIT

/// The targets of the fuzzers. The same functions run under libFuzzer and, with the files that were
/// found before, in the tests.
package enum FuzzTarget: String, CaseIterable, Sendable {
    /// A panel, its regions, and its kernel events.
    case events = "Events"
    /// The text of configuration files, and touches on their regions.
    case configuration = "Configuration"
    /// A recording, and its replay.
    case recordings = "Recordings"
    /// The same, as `libinput record` writes it.
    case libinput = "Libinput"
    /// What a client of the socket sends.
    case requests = "Requests"

    /// Runs one input.
    /// - Returns: the violation; `nil` when there is none.
    package func run(_ bytes: UnsafeRawBufferPointer) -> String? {
        switch self {
        case .events: EventStream.run(bytes)
        case .configuration: ConfigurationText.run(bytes)
        case .recordings: RecordingText.run(bytes)
        case .libinput: RecordingText.runLibinput(bytes)
        case .requests: RequestBytes.run(bytes)
        }
    }

    /// Traps on a violation: libFuzzer takes a trap for a finding and keeps the input.
    package func runOrTrap(_ bytes: UnsafePointer<UInt8>?, _ count: Int) {
        if let complaint = run(UnsafeRawBufferPointer(start: bytes, count: count)) {
            fatalError("\(rawValue): \(complaint)")
        }
    }
}
