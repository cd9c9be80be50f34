// SPDX-License-Identifier: MIT
import GestureProtocol
import LinuxSystem

/// The daemon's command line.
struct Options: ProgramOptions {
    static let program = "gestured"

    var action = ProgramAction.run
    var file: String?
    /// `--conf-dir`: in place of `/etc/gestured/conf.d`.
    var configurationFolder: String?
    var socket: String?
    /// `--state-dir`: where the last good configuration is kept; `nil`: nowhere.
    var stateFolder: String?
    /// Takes precedence over the configuration's.
    var logLevel: LogLevel?

    mutating func read(_ option: CommandLineWords.Option, _ words: inout CommandLineWords) throws(UsageError) -> Bool {
        switch option.name {
        case "--conf-dir": configurationFolder = try words.value(of: option)
        case "--state-dir": stateFolder = try words.value(of: option)
        case "--log-level": logLevel = try Self.logLevel(try words.value(of: option))
        default: return false
        }
        return true
    }

    static let help = """
        gestured \(Version.number): recognizes touch gestures in regions of a panel, and tells clients of a socket

        usage: gestured [options]
          -c, --config FILE    read this configuration only (\(ConfigurationFiles.standardFile),
                               then the files of --conf-dir by name)
              --conf-dir DIR   read DIR/*.toml after it (\(ConfigurationFiles.standardDirectory))
              --socket PATH    listen here ($GESTURED_SOCKET, \(SharedFiles.socket));
                               a socket passed by systemd is used instead
              --state-dir DIR  keep the configuration in force here, and use it at a start at
                               which the files are refused
              --check          check the configuration and exit: 0, or 78 with errors
              --log-level LEVEL  debug, info, warning or error
              --version        print the version and exit
          -h, --help           print this and exit

        SIGHUP reads the configuration again, SIGTERM ends the daemon.
        gesturectl is the tool to look at it with.

        """

    private static func logLevel(_ word: String) throws(UsageError) -> LogLevel {
        guard let level = LogLevel(rawValue: word) else {
            throw UsageError(message: "unknown log level \"\(word)\"; give debug, info, warning or error")
        }
        return level
    }
}
