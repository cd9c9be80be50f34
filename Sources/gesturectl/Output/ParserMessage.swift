// SPDX-License-Identifier: MIT
import ArgumentParser
import Glibc

extension Gesturectl {
    /// The width of help if neither a terminal nor COLUMNS determines it.
    private static let helpWidth = 80
    /// The least width for which the library wraps help. Its columns of options take 26 columns of it.
    private static let leastHelpWidth = 46

    /// Prints help, a script for completion or the error of a wrong command line, and ends the tool.
    static func end(_ error: any Error) -> Never {
        let (output, errors) = (StandardOutput.layout, StandardError.layout)
        // The library also renders help to find the exit status, and then takes the width from COLUMNS. In too few columns,
        // a debug build of it stops.
        let width = max((output.width ?? errors.width) ?? helpWidth, leastHelpWidth)
        setenv("COLUMNS", "\(width)", 1)
        let status = exitCode(for: error)
        let layout = status.isSuccess ? output : errors
        let text = fullMessage(for: error)
        guard !text.isEmpty else { exit(withError: status) }
        if !status.isSuccess {
            StandardError.write(usage(text, layout) + "\n", in: layout)
        } else if text.hasPrefix("OVERVIEW: ") || text.hasPrefix("USAGE: ") {
            StandardOutput.write(usage(text, layout) + "\n", in: layout)
        } else {
            StandardOutput.write(Array(text.utf8) + [0x0A])
        }
        exit(withError: status)
    }

    /// Returns a message of the library with its usage line wrapped between options, which the library does not do.
    private static func usage(_ text: String, _ layout: TextLayout) -> String {
        let layout = TextLayout(width: layout.width ?? helpWidth, isASCII: layout.isASCII)
        return text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line -> [String] in
            guard let head = ["USAGE: ", "Usage: "].first(where: line.hasPrefix) else { return [String(line)] }
            var depth = 0
            let bound = line.map { character -> Character in
                depth += character == "[" ? 1 : character == "]" ? -1 : 0
                return character == " " && depth > 0 ? "\u{A0}" : character
            }
            return layout.wrap(String(bound), indent: TextLayout.blanks(head.count))
        }.joined(separator: "\n")
    }
}
