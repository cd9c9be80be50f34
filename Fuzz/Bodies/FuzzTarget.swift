// SPDX-License-Identifier: MIT

/// The targets of the fuzzers. The same functions run under libFuzzer and, with all earlier findings, in the tests.
package enum FuzzTarget: String, CaseIterable, Sendable {
    /// A panel, its regions, and its kernel events.
    case events = "Events"
    /// The text of configuration files, and touches on their regions.
    case configuration = "Configuration"
    /// A recording, and its replay.
    case recordings = "Recordings"
    /// A recording in the format of `libinput record`, and its replay.
    case libinput = "Libinput"
    /// Requests of a client of the socket.
    case requests = "Requests"

    /// Runs one input.
    /// - Returns: the violation; `nil` if there is none.
    package func run(_ bytes: UnsafeRawBufferPointer) -> String? {
        switch self {
        case .events: EventStream.run(bytes)
        case .configuration: ConfigurationText.run(bytes)
        case .recordings: RecordingText.run(bytes)
        case .libinput: RecordingText.runLibinput(bytes)
        case .requests: RequestBytes.run(bytes)
        }
    }

    /// Traps on a violation: libFuzzer treats a trap as a finding and keeps the input.
    package func runOrTrap(_ bytes: UnsafePointer<UInt8>?, _ count: Int) {
        if let complaint = run(UnsafeRawBufferPointer(start: bytes, count: count)) {
            fatalError("\(rawValue): \(complaint)")
        }
    }
}
