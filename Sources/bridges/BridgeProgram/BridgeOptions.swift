// SPDX-License-Identifier: MIT
import CLinux
import GestureConfiguration
import GestureProtocol
package import LinuxSystem

/// The command line of a bridge.
package protocol BridgeOptions: ProgramOptions {
    associatedtype Settings: BridgeSettings

    /// Replaces settings that were given by options that only this bridge has.
    func apply(to settings: inout Settings)
}

/// A bridge without options of its own.
extension BridgeOptions {
    package mutating func read(
        _ option: CommandLineWords.Option, _ words: inout CommandLineWords
    ) throws(UsageError) -> Bool { false }

    package func apply(to settings: inout Settings) {}

    /// Returns the help of such a bridge.
    /// - Parameter purpose: what the bridge does, such as `sends gestures to a broker`.
    package static func standardHelp(_ purpose: String) -> String {
        """
        \(program) \(Version.number): \(purpose)

        usage: \(program) [options]
          -c, --config FILE     read this file (\(Settings.standardFile), if it exists)
              --socket PATH     the daemon's socket ($GESTURED_SOCKET, \(InstalledFiles.socket))
              --check           check the file and exit: 0, or 78 with errors
              --version         print the version and exit
          -h, --help            print this and exit

        SIGHUP reads the file again, SIGTERM ends the program.

        """
    }
}

/// The signals that stop a bridge or make it reload its file.
package let bridgeSignals = [SIGTERM, SIGINT, SIGHUP]

extension BridgeOptions {
    /// Does what the command line requests. While the bridge is running, `bridgeSignals` are blocked in all its
    /// threads.
    ///
    /// - Parameter arguments: the arguments without the program's name.
    /// - Returns: the exit status.
    package static func run(_ arguments: [String], serve: (Self, Settings) -> CInt) -> CInt {
        run(arguments, version: Version.number, check: { $0.check() }) { options in
            // A blocked signal stays pending until it is read. Threads inherit the blocked signals of the
            // thread that starts them.
            SignalSource.block(bridgeSignals)
            guard let settings = options.settings() else { return ExitStatus.configuration }
            return serve(options, settings)
        }
    }

    /// Returns settings of a file, with those given on the command line replaced.
    package func applied(to settings: Settings) -> Settings {
        var result = settings
        if let socket { result.socket = socket }
        apply(to: &result)
        return result
    }

    /// Reads the file and prints its errors and warnings.
    /// - Returns: `nil` if there is an error.
    package func settings() -> Settings? {
        let (read, diagnostics) = Settings.read(path: file)
        let settings = read.map { applied(to: $0) }
        for diagnostic in diagnostics { StandardStream.error.write(diagnostic.text { $0.columns } + "\n") }
        for warning in settings?.warnings ?? [] {
            StandardStream.error.write("\(Self.program): warning: \(warning)\n")
        }
        return settings
    }

    /// Writes a line to the log.
    package static func log(_ text: String) { StandardStream.error.write("\(program): \(SafeText.log(text))\n") }

    private func check() -> CInt {
        guard settings() != nil else { return ExitStatus.configuration }
        StandardStream.output.write("\(SafeText.terminal(file ?? Settings.standardFile)): ok\n")
        return ExitStatus.ok
    }
}
