// SPDX-License-Identifier: MIT

/// The words of a command line that consists only of options, such as `-c FILE`, `--config FILE`, `--config=FILE` and
/// `--check`.
package struct CommandLineWords {
    /// One option of the command line.
    package struct Option {
        /// The name of the option, including its dashes.
        package let name: String
        let attached: String?
        let word: String

        func unknown(to program: String) -> UsageError {
            UsageError(message: "unknown option \"\(word)\"; \(program) --help lists the options")
        }
    }

    private var rest: ArraySlice<String>

    /// - Parameter arguments: the arguments without the program's name.
    init(_ arguments: [String]) {
        rest = arguments[...]
    }

    mutating func next() -> Option? {
        guard let word = rest.popFirst() else { return nil }
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard word.hasPrefix("--"), parts.count == 2 else { return Option(name: word, attached: nil, word: word) }
        return Option(name: String(parts[0]), attached: String(parts[1]), word: word)
    }

    /// Returns the value of an option that has one.
    package mutating func value(of option: Option) throws(UsageError) -> String {
        guard let value = option.attached ?? rest.popFirst(), !value.isEmpty else {
            throw UsageError(message: "option \(option.name) needs a value")
        }
        return value
    }

    /// Returns the action of an option that does not take a value.
    func flag(_ option: Option, _ action: ProgramAction) throws(UsageError) -> ProgramAction {
        guard option.attached == nil else { throw UsageError(message: "option \(option.name) takes no value") }
        return action
    }
}

/// The exit statuses of programs, from sysexits(3).
package enum ExitStatus {
    package static let ok: CInt = 0
    package static let usage: CInt = 64
    package static let cannotListen: CInt = 69
    package static let system: CInt = 71
    package static let configuration: CInt = 78
}

/// A mistake in the command line.
package struct UsageError: Error, Hashable, Sendable {
    package var message: String

    package init(message: String) {
        self.message = message
    }
}
