// SPDX-License-Identifier: MIT
import ArgumentParser
import GestureClient
import GestureProtocol

struct Devices: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List the panels, and show why other devices are not used.")

    @OptionGroup var requests: RequestOptions
    @OptionGroup var table: TableOptions

    func run() throws {
        guard let reply = try requests.send(RequestLine("devices")) else { return }
        let devices = GestureClient.Device.all(in: reply.json)
        if devices.isEmpty { StandardError.tell("no touch device") }
        table.write(Self.table(devices))
    }

    static func table(_ devices: [GestureClient.Device]) -> Table {
        var table = Table("DEVICE", "STATE", "NODE", "OUTPUT", "SIZE", "ROTATION", "CORNERS", "CONTACTS", "NAME")
        table.rows = devices.map(row)
        // CORNERS, CONTACTS, NODE, ROTATION, OUTPUT
        table.optional = [6, 7, 2, 5, 3]
        table.colors = [0: { _ in .bold }, 1: { $0 == "ready" ? .green : $0 == "ignored" ? .dim : .red }]
        return table
    }

    /// Returns the positions of the panel's corners on the output, in output pixels, clockwise from the panel's own
    /// top left corner. `--json` also prints them in millimetres.
    private static func corners(_ output: GestureClient.Output) -> String {
        let corners = output.corners.map { "\(shortest($0.x)),\(shortest($0.y))" }
        return corners.isEmpty ? "-" : corners.joined(separator: " ")
    }

    private static func row(_ device: GestureClient.Device) -> [String] {
        func cell(_ text: String) -> String { text.isEmpty ? "-" : text.safe }
        var row = [device.id, device.state, device.node].map(cell)
        if let output = device.output {
            row.append("\(shortest(output.width))x\(shortest(output.height))")
            row.append("\(shortest(output.physicalWidth))x\(shortest(output.physicalHeight)) mm")
            row.append(Rotate.word(output))
            row.append(corners(output))
        } else {
            row += ["-", "-", "-", "-"]
        }
        row.append("\(device.contacts)")
        let remarks = [device.reason?.safe, grab(device), twin(device.twin)].compactMap { $0 }.filter { !$0.isEmpty }
        row.append(([cell(device.name)] + remarks).joined(separator: ": "))
        return row
    }

    /// Returns a remark on the grab of the panel; `nil` if the panel is not grabbed or has a twin.
    private static func grab(_ device: GestureClient.Device) -> String? {
        switch device.grab {
        case "held": device.twin == nil ? "grabbed" : nil
        case "waiting": "waiting for fingers to lift before grabbing"
        case "given_back": "given back by a five-finger hold, until a scene is set or a reload"
        case "other": "grabbed by another process"
        default: device.grab?.safe
        }
    }

    /// Returns the name of the device that applications read instead of the panel, and the numbers of contacts that
    /// were forwarded, captured, held, cancelled and kept by each key of the application's filter.
    private static func twin(_ twin: GestureClient.Twin?) -> String? {
        guard let twin else { return nil }
        let counts = [
            (twin.forwarded, "forwarded"), (twin.captured, "captured"), (twin.held, "held"),
            (twin.cancelled, "cancelled"),
        ]
        let texts =
            counts.compactMap { count, word in count.map { "\($0) \(word)" } }
            + twin.kept.sorted { $0.key < $1.key }.map { "\($0.value) kept by \($0.key.safe)" }
        let name = "shared as \(twin.node?.safe ?? "a twin")"
        return texts.isEmpty ? name : "\(name) (\(texts.joined(separator: ", ")))"
    }
}
