// SPDX-License-Identifier: MIT
import GestureProtocol
import LinuxSystem

/// The daemon's command line.
struct Options: ProgramOptions {
    static let program = "gestured"

    var action = ProgramAction.run
    var file: String?
    /// The value of `--conf-dir`, which replaces `/etc/gestured/conf.d`.
    var configurationFolder: String?
    var socket: String?
    /// The value of `--state-dir`, where the last good configuration is kept; `nil` if none is kept.
    var stateFolder: String?
    /// The value of `--log-level`, which overrides the level of the configuration.
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
        gestured \(Version.number): recognizes touch gestures in regions of a panel and sends them to clients

        usage: gestured [options]
          -c, --config FILE    read only this configuration (default: \(ConfigurationFiles.standardFile);
                               with that file, even if it is given here, conf.d is read too;
                               while it does not exist, the installed default is used)
              --conf-dir DIR   read DIR/*.toml after it, by name (\(ConfigurationFiles.standardDirectory))
              --socket PATH    listen here ($GESTURED_SOCKET, \(InstalledFiles.socket));
                               a socket passed by systemd is used instead
              --state-dir DIR  keep the last good configuration here, and start with it if
                               the files are refused
              --check          check the configuration and exit: 0, or 78 with errors
              --log-level LEVEL  debug, info, warning or error
              --version        print the version and exit
          -h, --help           print this and exit

        SIGHUP reads the configuration again, SIGTERM ends the daemon.
        Use gesturectl to inspect the daemon.

        """

    private static func logLevel(_ word: String) throws(UsageError) -> LogLevel {
        guard let level = LogLevel(rawValue: word) else {
            throw UsageError(message: "unknown log level \"\(word)\"; use debug, info, warning or error")
        }
        return level
    }
}
