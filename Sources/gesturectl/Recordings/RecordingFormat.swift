// SPDX-License-Identifier: MIT
import ArgumentParser
import GesturePipeline
import GestureProtocol
import Recordings

/// How recordings are written down.
enum RecordingFormat: String, CaseIterable, ExpressibleByArgument {
    /// One event a line, for `evemu-play`.
    case evemu
    /// YAML, for `libinput replay`.
    case libinput

    /// What the name of a file ends in says it.
    init?(endingOf path: String) {
        guard path.hasSuffix(".yml") || path.hasSuffix(".yaml") else { return nil }
        self = .libinput
    }

    /// What a file is in, by its name or its first line that is no comment.
    init(path: String, head: ArraySlice<UInt8>) {
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

    /// The bytes of a whole file.
    func write(_ recording: Recording, node: String) -> [UInt8] {
        switch self {
        case .evemu: EvemuWriter.write(recording)
        case .libinput: LibinputWriter.write(recording, node: node, origin: .thisMachine)
        }
    }
}

extension LibinputWriter.Origin {
    /// What libinput's recorder says about the machine that it runs on.
    static var thisMachine: Self {
        Self(
            program: "gesturectl \(Version.number)", system: system,
            kernel: firstLine(of: "/proc/sys/kernel/osrelease"), machine: firstLine(of: "/sys/class/dmi/id/modalias"))
    }

    /// `debian:12`, of os-release(5).
    private static var system: String {
        var values: [String: String] = [:]
        for line in (FileBytes.text("/etc/os-release") ?? "").split(separator: "\n") {
            guard let sign = line.firstIndex(of: "=") else { continue }
            values[String(line[..<sign])] = line[line.index(after: sign)...].filter { $0 != "\"" && $0 != "'" }
        }
        guard let id = values["ID"] else { return "" }
        return values["VERSION_ID"].map { "\(id):\($0)" } ?? id
    }

    private static func firstLine(of path: String) -> String {
        FileBytes.text(path)?.split(separator: "\n").first.map(String.init) ?? ""
    }
}
