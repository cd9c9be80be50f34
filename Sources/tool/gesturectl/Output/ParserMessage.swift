// SPDX-License-Identifier: MIT
import ArgumentParser
import Glibc
import LinuxSystem

extension Gesturectl {
    /// The width of help if neither a terminal nor COLUMNS determines it.
    private static let helpWidth = 80
    /// The least width for which the library wraps help. Its columns of options take 26 columns of it.
    private static let leastHelpWidth = 46

    /// Calls a function of the library that renders help without being told a width, which it does to find an exit status.
    /// It then takes the width from COLUMNS, and in too few columns a debug build of it stops.
    static func withHelpWidth<Result>(_ body: () -> Result) -> Result {
        let columns = Environment.value("COLUMNS")
        setenv("COLUMNS", "\(helpWidth)", 1)
        defer { if let columns { setenv("COLUMNS", columns, 1) } else { unsetenv("COLUMNS") } }
        return body()
    }

    /// Prints help, the version or a script for completion, and ends the tool.
    static func end(_ error: any Error) -> Never {
        let layout = StandardOutput.layout
        let columns = max(layout.width ?? helpWidth, leastHelpWidth)
        let text = fullMessage(for: error, columns: columns)
        if text.hasPrefix("OVERVIEW: ") || text.hasPrefix("USAGE: ") {
            let isOfTool = text == helpMessage(columns: columns)
            StandardOutput.write(usage(text + (isOfTool ? "\n\n" + exitStatuses : ""), layout) + "\n", in: layout)
        } else {
            StandardOutput.write(Array(text.utf8) + [0x0A])
        }
        exit(withError: ExitCode.success)
    }

    /// Returns help with its usage line wrapped between options and the exit statuses wrapped, which the library does not do,
    /// and with the names of groups alone as headings.
    private static func usage(_ text: String, _ layout: TextLayout) -> String {
        let layout = layout.with(width: layout.width ?? helpWidth)
        let head = "USAGE: "
        return text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line -> [String] in
            if line == exitStatuses { return layout.wrap(exitStatuses, indent: "") }
            let group = " SUBCOMMANDS:"
            if line.hasSuffix(group) { return [line.dropLast(group.count) + ":"] }
            guard line.hasPrefix(head) else { return [String(line)] }
            var depth = 0
            let bound = line.map { character -> Character in
                depth += character == "[" ? 1 : character == "]" ? -1 : 0
                return character == " " && depth > 0 ? "\u{A0}" : character
            }
            return layout.wrap(String(bound), indent: TextLayout.blanks(head.count))
        }.joined(separator: "\n")
    }
}
