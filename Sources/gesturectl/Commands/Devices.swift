// SPDX-License-Identifier: MIT
import GestureProtocol
import ArgumentParser

/// `gesturectl devices`
struct Devices: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List the panels, and why others are not used.")

    @OptionGroup var socket: SocketOptions
    @OptionGroup var show: ReplyOptions
    @OptionGroup var table: TableOptions

    func run() throws {
        guard let reply = try show.ask(socket.connect(), RequestLine("devices", id: 1)) else { return }
        let devices = reply.json["devices"]?.elements ?? []
        if devices.isEmpty { StandardError.write("gesturectl: no touch device\n") }
        table.write(Self.table(devices))
    }

    static func table(_ devices: [JSONValue]) -> Table {
        var table = Table("DEVICE", "STATE", "NODE", "OUTPUT", "SIZE", "ROTATION", "CORNERS", "CONTACTS", "NAME")
        table.rows = devices.map(row)
        table.colors = [0: { _ in .bold }, 1: { $0 == "ready" ? .green : $0 == "ignored" ? .dim : .red }]
        return table
    }

    /// Where the panel's own corners lie on the output, in its pixels (`--json` has millimetres too), clockwise from
    /// what the panel calls top left.
    private static func corners(_ output: JSONValue) -> String {
        let corners = (output["corners"]?.elements ?? []).map { corner in
            shortest(corner["x"]?.number ?? 0) + "," + shortest(corner["y"]?.number ?? 0)
        }
        return corners.isEmpty ? "-" : corners.joined(separator: " ")
    }

    private static func row(_ device: JSONValue) -> [String] {
        func text(_ json: JSONValue?, _ key: String) -> String {
            guard let text = json?[key]?.text.safe, !text.isEmpty else { return "-" }
            return text
        }
        var row = [text(device, "device"), text(device, "state"), text(device, "node")]
        if let output = device["output"] {
            let width = shortest(output["width_mm"]?.number ?? 0)
            let height = shortest(output["height_mm"]?.number ?? 0)
            row.append(text(output, "width") + "x" + text(output, "height"))
            row.append("\(width)x\(height) mm")
            row.append(text(output, "rotation"))
            row.append(corners(output))
        } else {
            row += ["-", "-", "-", "-"]
        }
        row.append(text(device, "contacts"))
        let remarks = [device["reason"]?.text.safe, grab(device["grab"]?.text)].compactMap { $0 }.filter { !$0.isEmpty }
        row.append(([text(device, "name")] + remarks).joined(separator: ": "))
        return row
    }

    /// Who gets its touches, where that is not everybody.
    private static func grab(_ word: String?) -> String? {
        switch word {
        case "held": "grabbed"
        case "waiting": "to be grabbed when no finger is on it"
        case "given_back": "given back by a five-finger hold, until a reload"
        case "other": "grabbed by another process"
        default: word?.safe
        }
    }
}
