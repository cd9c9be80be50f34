// SPDX-License-Identifier: MIT

/// The format of a recording.
package enum RecordingFormat: String, CaseIterable, Sendable {
    /// One event per line, for `evemu-play`.
    case evemu
    /// YAML, for `libinput replay`.
    case libinput

    /// Derives the format from the end of a file name.
    package init?(endingOf path: String) {
        guard path.hasSuffix(".yml") || path.hasSuffix(".yaml") else { return nil }
        self = .libinput
    }

    /// Derives the format from a file name, or from the first line that is not a comment.
    /// - Parameter path: the file name; empty if there is none.
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

    /// Reads the devices of a file. An evemu file has only one.
    package func read(_ bytes: [UInt8]) throws(RecordingError) -> [LibinputDevice] {
        switch self {
        case .evemu: [LibinputDevice(recording: try EvemuReader.read(bytes))]
        case .libinput: try LibinputReader.read(bytes)
        }
    }
}
