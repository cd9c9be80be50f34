// SPDX-License-Identifier: MIT
import Foundation
import GestureTestSupport
import Testing

@testable import gesturectl

/// The manual pages list all options of the programs, and no others.
@Suite("Manual pages of the programs")
struct ManualPageTests {
    /// The text of a manual page with this file name.
    private static func page(_ name: String) throws -> String {
        let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        return try String(contentsOfFile: "\(root)/docs/man/\(name)", encoding: .utf8)
    }

    /// The names of long options in a text: after `--` in help texts, after `Fl -` in manual pages.
    private static func options(in text: some StringProtocol, after mark: String) -> Set<String> {
        let names = text.components(separatedBy: mark).dropFirst().map { part in
            String(part.prefix { $0.isLetter || $0 == "-" })
        }
        return Set(names.filter { $0.count > 1 && !$0.hasPrefix("-") })
    }

    @Test("gestured(8) has the daemon's options")
    func daemonOptions() throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: BuildProducts.program("gestured"))
        process.arguments = ["--help"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let help = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let options = Self.options(in: help, after: "--").subtracting(["help"])
        #expect(options.count > 4)
        #expect(Self.options(in: try Self.page("gestured.8"), after: "Fl -").subtracting(["help"]) == options)
    }

    @Test("gesturectl(1) has the tool's commands and their options")
    func toolOptions() throws {
        let dump = Data(try Tool.run(["--experimental-dump-help"]).output.utf8)
        let json = try #require(try JSONSerialization.jsonObject(with: dump) as? [String: Any])
        let command = try #require(json["command"] as? [String: Any])
        let subcommands = try #require(command["subcommands"] as? [[String: Any]])
        let items = try Self.page("gesturectl.1").components(separatedBy: "\n.It Cm ").dropFirst()
        var seen: Set<String> = []
        for subcommand in subcommands {
            let name = try #require(subcommand["commandName"] as? String)
            guard name != "help" else { continue }
            let item = items.first {
                $0.hasPrefix(name + " ") || $0.split(separator: "\n")[0].contains(", Cm \(name) ")
            }
            let text = try #require(item, "gesturectl.1 has no \(name)").components(separatedBy: "\n.El")[0]
            seen.insert(name)
            let arguments = subcommand["arguments"] as? [[String: Any]] ?? []
            let names = arguments.flatMap { $0["names"] as? [[String: String]] ?? [] }
            let options = Set(names.filter { $0["kind"] == "long" }.compactMap { $0["name"] })
            let common: Set<String> = ["help", "version", "socket"]
            // Options with a short form are listed with the first command that has them.
            let short: Set<String> = ["region", "gesture"]
            let written = Self.options(in: text, after: "Fl -").union(Self.options(in: text, after: ", -"))
            #expect(written.subtracting(short) == options.subtracting(common).subtracting(short), "\(name)")
        }
        #expect(seen.count > 12)
    }

    @Test("gesturectl(1) has the groups of the help, with the same commands in the same order")
    func groups() throws {
        let help = try Tool.run(["--help"]).output
        let names = try Tool.commandNames()
        let lines = help.components(separatedBy: "\nEVERYDAY:")[1].split(separator: "\n")
        let shown = lines.compactMap { line -> String? in
            if line.hasSuffix(":") { return line.dropLast().lowercased() }
            return line.split(separator: " ").first.map(String.init).flatMap { names.contains($0) ? $0 : nil }
        }
        let groups = try Self.page("gesturectl.1").components(separatedBy: ".Sh RECORDINGS")[0].split(separator: "\n")
        let listed = groups.flatMap { line -> [String] in
            if line.hasPrefix(".Ss ") { return [line.dropFirst(4).lowercased()] }
            guard line.hasPrefix(".It Cm ") else { return [] }
            return line.components(separatedBy: "Cm ").map { String($0.prefix { $0 != " " }) }.filter(names.contains)
        }
        #expect(["everyday"] + shown == listed)
        #expect(help.contains("\n\nExit status: 0 done, "))
    }

    @Test("gesturectl(1) has the tool's exit statuses")
    func statuses() throws {
        let page = try Self.page("gesturectl.1")
        let section = try #require(page.components(separatedBy: ".Sh EXIT STATUS\n").last)
        let listed = section.components(separatedBy: ".Sh ")[0].split(separator: "\n")
            .filter { $0.hasPrefix(".It ") }.compactMap { Int32($0.dropFirst(4)) }
        #expect(Set(listed) == Set(ToolError.Status.allCases.map { $0.rawValue } + [0]))
    }
}
