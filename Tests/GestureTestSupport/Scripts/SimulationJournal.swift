// SPDX-License-Identifier: MIT
import CLinux
import LinuxSystem

/// The file that `GESTURED_SIMULATIONS` names, which must be there: every simulation of a test run with its transcript, for
/// another build of the engine to play. Without the variable nothing is written.
package struct SimulationJournal: Sendable {
    package static let shared = Environment.value("GESTURED_SIMULATIONS").map { SimulationJournal(path: $0) }

    let path: String

    /// One entry: the simulation's line, the transcript's lines behind `> `.
    ///
    /// Tests run side by side: an entry is appended by a single write.
    /// - Returns: false when it could not be written, or not be read again.
    func append(_ simulation: Simulation, _ transcript: String) -> Bool {
        let line = simulation.line
        guard Simulation(line: line) == simulation else { return false }
        var entry = line + "\n"
        for text in transcript.split(separator: "\n", omittingEmptySubsequences: false) { entry += "> \(text)\n" }
        let bytes = Array(entry.utf8)
        do throws(SystemError) {
            let file = try OwnedDescriptor(opening: path, flags: O_WRONLY | O_APPEND)
            return bytes.withUnsafeBytes { write(file.rawValue, $0.baseAddress, $0.count) } == bytes.count
        } catch {
            return false
        }
    }

    /// Plays what a journal holds.
    /// - Parameters:
    ///   - text: all of the journal.
    ///   - report: takes a text for each entry that is not as it was.
    /// - Returns: how many there are.
    package static func play(_ text: String, _ report: (String) -> Void) -> Int {
        var entries: [(line: Substring, transcript: [Substring])] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: true) {
            if line.hasPrefix("> "), !entries.isEmpty {
                entries[entries.count - 1].transcript.append(line.dropFirst(2))
            } else {
                entries.append((line, []))
            }
        }
        for entry in entries {
            guard let simulation = Simulation(line: String(entry.line)) else {
                report("cannot read: \(entry.line)")
                continue
            }
            let (expected, transcript) = (entry.transcript.joined(separator: "\n"), simulation.run())
            if transcript != expected {
                report("\(simulation.script)\nmust say:\n\(expected)\nsays:\n\(transcript)")
            }
        }
        return entries.count
    }
}
