// SPDX-License-Identifier: MIT
import GestureProtocol
import LinuxSystem

/// The daemon's command line.
struct Options: Hashable, Sendable {
    enum Action: Hashable, Sendable { case run, check, version, help }

    static let defaultSocket = "/run/gestured/gestured.sock"

    var action = Action.run
    /// `-c`: only this file.
    var configurationFile: String?
    /// `--conf-dir`: in place of `/etc/gestured/conf.d`.
    var configurationFolder: String?
    var socket = defaultSocket
    /// Takes precedence over the configuration's.
    var logLevel: LogLevel?

    /// A mistake in the command line.
    struct UsageError: Error, Hashable, Sendable {
        var message: String
    }

    init() {}

    /// - Parameters:
    ///   - arguments: without the program's name.
    ///   - environmentSocket: `$GESTURED_SOCKET`.
    init(_ arguments: [String], environmentSocket: String?) throws(UsageError) {
        if let environmentSocket, !environmentSocket.isEmpty { socket = environmentSocket }
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            let (name, attached) = Self.split(argument)
            switch name {
            case "-c", "--config": configurationFile = try Self.value(of: name, attached, &rest)
            case "--conf-dir": configurationFolder = try Self.value(of: name, attached, &rest)
            case "--socket": socket = try Self.value(of: name, attached, &rest)
            case "--log-level": logLevel = try Self.logLevel(try Self.value(of: name, attached, &rest))
            case "--check": action = .check
            case "--version": action = .version
            case "-h", "--help": action = .help
            default: throw UsageError(message: "unknown option \"\(argument)\"; gestured --help lists them")
            }
            if attached != nil, ["--check", "--version", "--help"].contains(name) {
                throw UsageError(message: "option \(name) takes no value")
            }
        }
    }

    static let help = """
        gestured \(Version.number): recognizes touch gestures in regions of a panel, and tells clients of a socket

        usage: gestured [options]
          -c, --config FILE    read this configuration only (\(ConfigurationFiles.standardFile),
                               then the files of --conf-dir by name)
              --conf-dir DIR   read DIR/*.toml after it (\(ConfigurationFiles.standardDirectory))
              --socket PATH    listen here ($GESTURED_SOCKET, \(defaultSocket));
                               a socket passed by systemd is used instead
              --check          check the configuration and exit: 0, or 78 with errors
              --log-level LEVEL  debug, info, warning or error
              --version        print the version and exit
          -h, --help           print this and exit

        SIGHUP reads the configuration again, SIGTERM ends the daemon.
        gesturectl is the tool to look at it with.

        """

    private static func split(_ argument: String) -> (name: String, value: String?) {
        guard argument.hasPrefix("--") else { return (argument, nil) }
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return parts.count == 2 ? (String(parts[0]), String(parts[1])) : (argument, nil)
    }

    private static func value(
        of name: String, _ attached: String?, _ rest: inout ArraySlice<String>
    ) throws(UsageError) -> String {
        guard let value = attached ?? rest.popFirst(), !value.isEmpty else {
            throw UsageError(message: "option \(name) needs a value")
        }
        return value
    }

    private static func logLevel(_ word: String) throws(UsageError) -> LogLevel {
        guard let level = LogLevel(rawValue: word) else {
            throw UsageError(message: "unknown log level \"\(word)\"; give debug, info, warning or error")
        }
        return level
    }
}
