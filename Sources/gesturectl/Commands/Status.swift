// SPDX-License-Identifier: MIT
import GestureProtocol
import ArgumentParser

/// `gesturectl status`
struct Status: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Say how the daemon is.")

    @OptionGroup var socket: SocketOptions
    @OptionGroup var show: ShowOptions

    func run() throws {
        let reply = try socket.connect().reply(to: RequestLine("status", id: 1), id: 1)
        guard !show.json else { return StandardOutput.write(reply.line + [0x0A]) }
        StandardOutput.write(Self.table(reply.json).text(withLegend: false))
    }

    /// One row for each key, nested ones with what they hold; keys of newer daemons are shown too.
    static func table(_ json: JSONValue) -> Table {
        var table = Table("", "")
        for member in json.members where !["reply", "id", "ok"].contains(member.key) {
            let value = member.key == "uptime_ms" ? uptime(member.value) : text(member.value)
            table.rows.append([(member.key == "uptime_ms" ? "uptime" : member.key).safe, value.safe])
        }
        return table
    }

    private static func text(_ value: JSONValue) -> String {
        if value.isObject { return value.members.map { "\($0.key) \(text($0.value))" }.joined(separator: ", ") }
        guard let elements = value.array else { return value.text }
        return elements.isEmpty ? "none" : elements.map(text).joined(separator: " ")
    }

    private static func uptime(_ value: JSONValue) -> String {
        let seconds = max(0, value.integer ?? 0) / 1000
        let (days, hours, minutes) = (seconds / 86400, seconds / 3600 % 24, seconds / 60 % 60)
        if days > 0 { return "\(days) d \(hours) h" }
        if hours > 0 { return "\(hours) h \(minutes) min" }
        return minutes > 0 ? "\(minutes) min \(seconds % 60) s" : "\(seconds) s"
    }
}
