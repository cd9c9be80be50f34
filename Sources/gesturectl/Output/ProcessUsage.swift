// SPDX-License-Identifier: MIT
import Glibc

/// Memory and processor time of a process, from proc(5).
struct ProcessUsage {
    /// In kB: now, and the most so far.
    var resident: Int64
    var peak: Int64
    /// Processor time so far.
    var milliseconds: Int64

    /// - Parameter process: its number where the daemon runs.
    /// - Returns: nil when it cannot be read, or is not a gesture daemon: the number may be one of another container, or
    ///   be in use again.
    init?(_ process: Int64) {
        let folder = "/proc/\(process)/"
        guard let status = FileBytes.text(folder + "status"), let stat = FileBytes.text(folder + "stat")
        else { return nil }
        var values: [Substring: Int64] = [:]
        for line in status.split(separator: "\n") {
            let words = line.split { $0 == ":" || $0 == "\t" || $0 == " " }
            if words.first == "Name", words.last != "gestured" { return nil }
            if words.count > 1 { values[words[0]] = Int64(words[1]) }
        }
        // After the name in brackets, which may have blanks, the first is field 3.
        let fields = (stat.split(separator: ")").last ?? "").split(separator: " ")
        guard let resident = values["VmRSS"], let peak = values["VmHWM"], fields.count > 12,
            let user = Int64(fields[11]), let system = Int64(fields[12])
        else { return nil }
        let (ticks, isTooMuch) = (user &+ system).multipliedReportingOverflow(by: 1000)
        milliseconds = isTooMuch ? 0 : ticks / max(1, Int64(sysconf(Int32(_SC_CLK_TCK))))
        (self.resident, self.peak) = (resident, peak)
    }

    /// For the table of `status`.
    var rows: [[String]] {
        [
            ["memory", "\(resident) kB, at most \(peak) kB so far"],
            ["cpu", durationText(milliseconds: milliseconds)],
        ]
    }
}
