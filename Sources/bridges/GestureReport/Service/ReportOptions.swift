// SPDX-License-Identifier: MIT
import BridgeProgram
import CLinux
import GestureProtocol
import LinuxSystem

/// The command line. Its settings override those of the file.
struct ReportOptions: BridgeOptions {
    typealias Settings = ReportSettings

    static let program = "gestured-report"

    /// The form in which a report is printed.
    enum Form: String, CaseIterable { case text, html, csv, json }

    var action = ProgramAction.run
    var file: String?
    var socket: String?
    var form: Form?
    var days = 7
    var forgets = false

    mutating func read(_ option: CommandLineWords.Option, _ words: inout CommandLineWords) throws(UsageError) -> Bool {
        switch option.name {
        case "--print":
            let word = try words.value(of: option)
            guard let form = Form(rawValue: word) else {
                throw UsageError(
                    message: "there is no form \"\(word)\"; use one of "
                        + Form.allCases.map { $0.rawValue }.joined(separator: ", "))
            }
            self.form = form
        case "--days":
            let word = try words.value(of: option)
            guard let days = Int(word), (1...3660).contains(days) else {
                throw UsageError(message: "\"\(word)\" is no number of days; use one from 1 to 3660")
            }
            self.days = days
        case "--forget": forgets = true
        default: return false
        }
        return true
    }

    static let help = """
        gestured-report \(Version.number): counts visitors, touches and failures

        usage: gestured-report [options]
          -c, --config FILE     read this file (\(ReportSettings.standardFile), if it exists)
              --socket PATH     the daemon's socket ($GESTURED_SOCKET, \(InstalledFiles.socket))
              --print FORM      print a report and exit: text, html, csv or json (see gesturectl report)
              --days N          the days of the report, with today (7)
              --forget          delete everything that was counted and exit
              --check           check the file and exit: 0, or 78 with errors
              --version         print the version and exit
          -h, --help            print this and exit

        SIGHUP reads the file again, SIGTERM ends the program.

        """
}
