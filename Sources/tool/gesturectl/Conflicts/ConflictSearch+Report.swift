// SPDX-License-Identifier: MIT
import ContactTracking
import GestureConfiguration
import GestureProtocol
import Glibc
import LinuxSystem

extension ConflictSearch {
    /// The longest time of a search, in microseconds.
    private static let limit: Int64 = 10_000_000
    /// The time between two reports of the progress, in microseconds.
    private static let pause: Int64 = 100_000

    /// Searches panels, for ten seconds at most. On a terminal the progress is shown meanwhile.
    /// - Parameter rules: the panels; they share the time.
    static func run(_ configuration: Configuration, _ rules: [DeviceRule?], seed: UInt64) -> ConflictSearch {
        let end = MonotonicClock.now() + limit
        var search = ConflictSearch(configuration, seed: seed) { MonotonicClock.now() < end }
        let isShown = isatty(STDERR_FILENO) == 1
        var next: Int64 = 0
        search.report = { searched, all in
            let now = MonotonicClock.now()
            guard isShown, now >= next else { return }
            next = now + pause
            StandardError.write(
                "\r\(searched) of \(all) gestures searched, \(max(0, (end - now) / 1_000_000)) s left ")
        }
        for rule in rules where search.isComplete { search.search(rule) }
        if isShown, next > 0 { StandardError.write("\r\(TextLayout.blanks(60))\r") }
        return search
    }

    /// Prints the conflicts, and a verdict.
    /// - Parameters:
    ///   - options: the options with which `gesturectl try` reads the same configuration.
    ///   - verdict: the beginning of the verdict; `nil` for no verdict.
    func show(options: String, verdict: String?) {
        let layout = StandardOutput.layout
        for conflict in conflicts {
            let text = conflict.headline { layout.plain(String($0)).columns }
            var more = conflict.panel == firstPanel ? "" : "--device \(ShellWord.quoted(conflict.panel)) "
            if let scene = conflict.scene { more += "--scene \(ShellWord.quoted(scene)) " }
            StandardOutput.write(layout.diagnostic(text) + "\n", in: layout)
            StandardOutput.write(conflict.details, in: layout)
            // A command is not wrapped, so that it can be copied.
            StandardOutput.write(Array(conflict.command(options: options + more).utf8))
        }
        guard let verdict else { return }
        let found = conflicts.isEmpty ? "no conflict" : counted(conflicts.count, "conflict")
        let rest = isComplete ? "" : "; the time was over before all were searched"
        StandardOutput.write(
            "\(verdict): \(found) found in \(counted(gestures, "gesture")) with \(counted(touches, "touch", plural: "touches"))\(rest)\n"
        )
    }

    /// The panel that `gesturectl try` plays on if none is named.
    private var firstPanel: String { configuration.playedPanel?.id ?? "panel" }

    func write(into json: inout JSONWriter) {
        json.objects("conflicts", conflicts) { $0.write(into: &$1) }
        json.object("searched") { json in
            json.member("gestures", gestures)
            json.member("touches", touches)
            json.member("complete", isComplete)
        }
    }
}

/// A word of a command line for a shell.
enum ShellWord {
    static func quoted(_ word: String) -> String {
        let isPlain = word.unicodeScalars.allSatisfy {
            $0.properties.isAlphabetic || ("0"..."9").contains($0) || "/._-+,:@%=".unicodeScalars.contains($0)
        }
        return isPlain && !word.isEmpty ? word : "'" + word.safe.replacing("'", with: "'\\''") + "'"
    }
}
