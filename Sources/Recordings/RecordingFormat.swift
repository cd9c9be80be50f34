// SPDX-License-Identifier: MIT

/// How recordings are written down.
package enum RecordingFormat: String, CaseIterable, Sendable {
    /// One event a line, for `evemu-play`.
    case evemu
    /// YAML, for `libinput replay`.
    case libinput

    /// What the name of a file ends in says it.
    package init?(endingOf path: String) {
        guard path.hasSuffix(".yml") || path.hasSuffix(".yaml") else { return nil }
        self = .libinput
    }

    /// What a file is in, by its name or its first line that is no comment.
    /// - Parameter path: empty where there is none.
    package init(path: String = "", head: ArraySlice<UInt8>) {
        if let format = Self(endingOf: path) {
            self = format
            return
        }
        let line = head.split(separator: 0x0A).first { line in
            line.first { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }.map { $0 != UInt8(ascii: "#") } ?? false
        }
        let words = ["version:", "ndevices:", "libinput:", "system:", "devices:", "---", "%YAML", "{"]
        self = words.contains { line?.starts(with: $0.utf8) == true } ? .libinput : .evemu
    }

    /// The devices of a file; of evemu's it is one.
    package func read(_ bytes: [UInt8]) throws(RecordingError) -> [LibinputDevice] {
        switch self {
        case .evemu: [LibinputDevice(recording: try EvemuReader.read(bytes))]
        case .libinput: try LibinputReader.read(bytes)
        }
    }
}
