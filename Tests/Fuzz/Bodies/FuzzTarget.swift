// SPDX-License-Identifier: MIT

/// The targets of the fuzzers. libFuzzer runs these functions, and the tests run them with all earlier findings.
package enum FuzzTarget: String, CaseIterable, Sendable {
    /// A panel with its regions and its kernel events.
    case events = "Events"
    /// The text of configuration files, and touches on their regions.
    case configuration = "Configuration"
    /// A recording in the format of evemu, and its replay.
    case recordings = "Recordings"
    /// A recording in the format of `libinput record`, and its replay.
    case libinput = "Libinput"
    /// Requests of a client on the socket.
    case requests = "Requests"

    /// Runs one input.
    /// - Returns: a description of the first violation; `nil` if there is none.
    package func run(_ bytes: UnsafeRawBufferPointer) -> String? {
        switch self {
        case .events: EventStream.run(bytes)
        case .configuration: ConfigurationText.run(bytes)
        case .recordings: RecordingText.run(bytes)
        case .libinput: RecordingText.runLibinput(bytes)
        case .requests: RequestBytes.run(bytes)
        }
    }

    /// Runs one input, and traps on a violation. libFuzzer treats a trap as a finding and keeps the input.
    package func runOrTrap(_ bytes: UnsafePointer<UInt8>?, _ count: Int) {
        if let complaint = run(UnsafeRawBufferPointer(start: bytes, count: count)) {
            fatalError("\(rawValue): \(complaint)")
        }
    }
}
