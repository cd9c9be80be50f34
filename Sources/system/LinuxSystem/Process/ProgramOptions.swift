// SPDX-License-Identifier: MIT
import CLinux

/// The command line of a service. It has the options that all services have, and the service's own options.
package protocol ProgramOptions {
    static var program: String { get }
    static var help: String { get }

    var action: ProgramAction { get set }
    /// The file given by `-c`; `nil` for the standard file, which may be missing.
    var file: String? { get set }
    /// The path given by `--socket` or else by `$GESTURED_SOCKET`.
    var socket: String? { get set }

    init()

    /// Reads an option that only this service has.
    /// - Returns: whether there is an option with this name.
    mutating func read(_ option: CommandLineWords.Option, _ words: inout CommandLineWords) throws(UsageError) -> Bool
}

/// The action that a command line requests.
package enum ProgramAction: Hashable, Sendable { case run, check, version, help }

extension ProgramOptions {
    /// - Parameters:
    ///   - arguments: the arguments without the program's name.
    ///   - environmentSocket: the value of `$GESTURED_SOCKET`.
    package init(_ arguments: [String], environmentSocket: String? = nil) throws(UsageError) {
        self.init()
        if let environmentSocket, !environmentSocket.isEmpty { socket = environmentSocket }
        var words = CommandLineWords(arguments)
        while let option = words.next() {
            switch option.name {
            case "-c", "--config": file = try words.value(of: option)
            case "--socket": socket = try words.value(of: option)
            case "--check": action = try words.flag(option, .check)
            case "--version": action = try words.flag(option, .version)
            case "-h", "--help": action = try words.flag(option, .help)
            default: guard try read(option, &words) else { throw option.unknown(to: Self.program) }
            }
        }
    }

    /// Does what the command line requests.
    ///
    /// - Parameters:
    ///   - arguments: the arguments without the program's name.
    ///   - version: the text that `--version` prints after the name.
    /// - Returns: the exit status.
    package static func run(
        _ arguments: [String], version: String, check: (Self) -> CInt, serve: (Self) -> CInt
    ) -> CInt {
        // Errors are ignored, because nothing better can be done without /dev/null.
        _ = linux_open_standard_streams()
        SignalSource.ignoreBrokenPipe()
        let options: Self
        do throws(UsageError) {
            options = try Self(arguments, environmentSocket: Environment.value("GESTURED_SOCKET"))
        } catch {
            StandardStream.error.write("\(program): \(error.message.printable)\n")
            return ExitStatus.usage
        }
        switch options.action {
        case .help: StandardStream.output.write(help)
        case .version: StandardStream.output.write("\(program) \(version)\n")
        case .check: return check(options)
        case .run: return serve(options)
        }
        return ExitStatus.ok
    }
}
