// SPDX-License-Identifier: MIT
import ArgumentParser

/// How a reply is shown.
struct ReplyOptions: ParsableArguments {
    @Flag(help: "Print the daemon's reply as one line of JSON.")
    var json = false

    /// Asks, and prints the reply as it came when that was wished for.
    /// - Returns: the reply; nil when it has been printed.
    func ask(_ connection: DaemonConnection, _ request: RequestLine, id: Int64 = 1) throws -> Reply? {
        let reply = try connection.reply(to: request, id: id)
        guard json else { return reply }
        StandardOutput.write(reply.line + [0x0A])
        return nil
    }
}

/// How a table is shown.
struct TableOptions: ParsableArguments {
    @Flag(help: "Print no line of column names.")
    var noLegend = false

    @OptionGroup var colors: ColorOptions

    func write(_ table: Table) {
        StandardOutput.write(table.text(withLegend: !noLegend, colors: colors.colors))
    }
}

/// Whether output is coloured.
struct ColorOptions: ParsableArguments {
    @Option(help: "Colours: auto (on a terminal, unless NO_COLOR is set), always or never.")
    var color: ColorChoice = .auto

    var colors: Colors { Colors(isOn: color.isOn) }
}
