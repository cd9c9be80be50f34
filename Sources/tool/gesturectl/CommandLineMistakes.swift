// SPDX-License-Identifier: MIT
import ArgumentParser
import GestureProtocol

/// Reads command lines that ArgumentParser does not accept, and words its errors like the tool's other errors.
enum CommandLineMistakes {
    private static let commands =
        Gesturectl.configuration.subcommands.map { $0._commandName } + ["help"]
    private static let list = "gesturectl --help lists the commands"
    private static let socket = "--socket"

    /// Returns the arguments with `--socket` after the command, where ArgumentParser expects it, and the negative numbers
    /// of `at` in a form that it does not take for options.
    /// - Throws: `ToolError` 64 if there is no such command.
    static func arranged(_ arguments: [String]) throws(ToolError) -> [String] {
        var rest = arguments[...]
        var leading: [String] = []
        while let word = rest.first, word == socket || word.hasPrefix(socket + "=") {
            let count = word == socket ? 2 : 1
            leading += rest.prefix(count)
            rest = rest.dropFirst(count)
        }
        guard let command = rest.first else {
            if leading.isEmpty { return arguments }
            throw ToolError(.usage, "there is no command after \(socket); \(list)")
        }
        if command.hasPrefix("-") { return Array(rest) }
        try check(command)
        if command == "help", let topic = rest.dropFirst().first, !topic.hasPrefix("-") { try check(topic) }
        let words = leading + rest.dropFirst()
        return [command] + (command == At._commandName ? words.map(withMinus) : words)
    }

    private static func withMinus(_ word: String) -> String {
        guard word.hasPrefix("-"), Double(word) != nil else { return word }
        return Coordinate.minus + word.dropFirst()
    }

    private static func check(_ command: String) throws(ToolError) {
        guard !commands.contains(command) else { return }
        let beginning = commands.first { command.count > 1 && $0.hasPrefix(command) }
        let nearest = Spelling.nearest(to: command, among: commands) ?? beginning
        throw ToolError(
            .usage,
            "there is no command \"\(command.safe)\"" + (nearest.map { Spelling.hint($0) } ?? "; \(list)"))
    }

    /// Returns the message for an error of ArgumentParser, with a cure.
    /// - Parameter arguments: the arguments without the tool's name.
    static func message(for error: any Error, _ arguments: [String]) -> String {
        // ArgumentParser does not expose the kinds of its errors, only their texts.
        var text = Gesturectl.message(for: error)
        if let end = text.firstRange(of: "\n   or: ") { text = String(text[..<end.lowerBound]) }
        // The quotes remain as they are if a quoted value may contain one.
        if !arguments.contains(where: { $0.contains("'") }) { text = text.replacing("'", with: "\"") }
        text = text.prefix(1).lowercased() + String(text.dropFirst())
        if text.hasSuffix(".") { text.removeLast() }
        text = withoutFarSuggestion(text.replacing(". Please provide one of ", with: "; use "))
            .replacing(". Did you mean ", with: "; did you mean ")
        if let start = text.firstRange(of: "; use ")?.upperBound {
            text = String(text[..<start]) + text[start...].replacing(" and ", with: " or ")
        }
        return (text.contains("; ") ? text : text + "; " + cure(for: text, arguments)).safe
    }

    /// Removes the suggestion of an option that has little in common with the given one.
    private static func withoutFarSuggestion(_ text: String) -> String {
        let names = text.split(separator: "\"", omittingEmptySubsequences: false)
        guard let mark = text.firstRange(of: ". Did you mean "), names.count > 3,
            Spelling.nearest(to: String(names[1]), among: [String(names[3])]) == nil
        else { return text }
        return String(text[..<mark.lowerBound])
    }

    private static func cure(for text: String, _ arguments: [String]) -> String {
        guard let command = arguments.first, commands.contains(command) else {
            guard text.hasPrefix("unknown option") else { return list }
            let nearest = Spelling.nearest(to: arguments.first ?? "", among: ["--help", "--version"])
            return nearest.map { "did you mean \"\($0)\"?" } ?? "options come after the command; \(list)"
        }
        if text.contains(" is invalid for ") {
            for (name, cure) in valueCures where text.contains("<\(name)>") { return cure }
        }
        return "see gesturectl \(command) --help"
    }

    /// Examples of values, by the names of the values in the usage.
    private static let valueCures = [
        ("time", "use a time such as 10s, 1.5s or 500ms"), ("n", "use a whole number"), ("x", "use a number of pixels"),
        ("y", "use a number of pixels"), ("step", "use a length such as 5mm, or an angle such as 15deg"),
    ]
}
