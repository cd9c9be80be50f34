// SPDX-License-Identifier: MIT
import ArgumentParser
import CLinux
import Glibc
import LinuxSystem

struct Report: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show what visitors did: sessions, touches, failures, and what to change.",
        discussion: """
            Reads what gestured-report has counted, and needs no daemon. Names the three regions with the most failed \
            tries, the limit that would have helped, and what that would have let in wrongly. --forget deletes \
            everything.
            """)

    @Option(help: ArgumentHelp("Report on this many days, with today.", valueName: "number"))
    var days = 7

    @Flag(help: "Print one page of HTML with charts, which needs no network.")
    var html = false

    @Flag(help: "Print rows of CSV.")
    var csv = false

    @Flag(help: "Print one line of JSON.")
    var json = false

    @Flag(help: "Delete everything that was counted, also the open quarter of an hour.")
    var forget = false

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "The settings of gestured-report, which name the folder of the database.", valueName: "file"),
        completion: .file())
    var config: String?

    func validate() throws {
        let forms = [html, csv, json, forget].count { $0 }
        if forms > 1 { throw ValidationError("--html, --csv, --json and --forget cannot be combined; use one of them") }
        if !(1...3660).contains(days) { throw ValidationError("--days \(days): use a number from 1 to 3660") }
    }

    func run() throws {
        let form = html ? "html" : csv ? "csv" : json ? "json" : "text"
        let action = forget ? ["--forget"] : ["--print", form, "--days", "\(days)"]
        try Self.replaceProgram(with: action + (config.map { ["--config", $0] } ?? []))
    }

    /// Replaces this program with the one that knows the database, whose exit status becomes that of the tool: the tool
    /// needs no library for it.
    private static func replaceProgram(with words: [String]) throws(ToolError) {
        let program = InstalledFiles.program("gestured-report")
        let arguments = ([program] + words).map { strdup($0) } + [nil]
        execvp(program, arguments)
        throw ToolError(
            .unavailable, "the program gestured-report is not installed; run apt install gestured-report")
    }
}
