// SPDX-License-Identifier: MIT
import Glibc
import LinuxSystem

/// Finds the processes that have a file open by searching proc(5).
enum OpenFiles {
    /// - Returns: the names and ids of the processes, and whether all processes could be examined, which requires root.
    static func holders(of path: String) -> (names: [String], isComplete: Bool) {
        var processes: [String] = []
        try? forEachName(in: "/proc") { name in
            let text = String(cString: name)
            if text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) { processes.append(text) }
        }
        var result: (names: [String], isComplete: Bool) = ([], true)
        for process in processes {
            let folder = "/proc/\(process)/fd"
            var isOpen = false
            do throws(SystemError) {
                try forEachName(in: folder) { if target("\(folder)/\(String(cString: $0))") == path { isOpen = true } }
            } catch {
                // A process that has ended in the meantime is ignored.
                if error.code != ENOENT { result.isComplete = false }
            }
            guard isOpen else { continue }
            let name = FileBytes.text("/proc/\(process)/comm")?.split(separator: "\n").first.map { String($0) } ?? "?"
            result.names.append("\(name.safe) (\(process))")
        }
        return result
    }

    private static func target(_ link: String) -> String? {
        var buffer = [CChar](repeating: 0, count: 4096)
        let length = readlink(link, &buffer, buffer.count - 1)
        guard length > 0 else { return nil }
        return String(decoding: buffer[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

/// The output of other programs.
enum ProgramOutput {
    /// - Parameter command: a shell command, which must not contain untrusted text.
    /// - Returns: the lines of its standard output, at most a thousand; empty if there is no such program.
    static func lines(_ command: String) -> [String] {
        guard let stream = popen("LC_ALL=C \(command) 2>/dev/null </dev/null", "r") else { return [] }
        defer { pclose(stream) }
        var lines: [String] = []
        var buffer = [CChar](repeating: 0, count: 4096)
        while lines.count < 1000, fgets(&buffer, Int32(buffer.count), stream) != nil {
            let bytes = buffer.prefix { $0 != 0 && $0 != 0x0A }.map { UInt8(bitPattern: $0) }
            lines.append(String(decoding: bytes, as: UTF8.self).safe)
        }
        return lines
    }
}
