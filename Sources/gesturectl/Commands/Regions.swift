// SPDX-License-Identifier: MIT
import ArgumentParser
import GestureClient
import GestureProtocol

/// `gesturectl regions`
struct Regions: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List the regions as they lie on the panels, from bottom to top.")

    @OptionGroup var requests: RequestOptions
    @OptionGroup var table: TableOptions

    @Flag(help: "Show children under their parents, topmost first.")
    var tree = false

    @Option(
        help: ArgumentHelp("Draw the layout into a file; - is the standard output.", valueName: "file"),
        completion: .file())
    var svg: String?

    @Argument(
        help: ArgumentHelp("Only regions whose id matches.", valueName: "glob"), completion: DaemonNames.regions)
    var region: String?

    func validate() throws {
        if [tree, svg != nil, requests.json].filter({ $0 }).count > 1 {
            throw ValidationError("--tree, --svg and --json exclude each other")
        }
    }

    func run() throws {
        let connection = try requests.connect()
        var request = RequestLine("regions")
        if let region { request.add("region", .text(region)) }
        guard let reply = try requests.send(request, on: connection) else { return }
        let regions = GestureClient.Region.all(in: reply.json)
        if let svg { return try draw(regions, into: svg, connection) }
        if regions.isEmpty { StandardError.write("gesturectl: no region on a panel that is ready\n") }
        tree ? StandardOutput.write(RegionTree.text(regions)) : table.write(Self.table(regions))
    }

    private func draw(_ regions: [GestureClient.Region], into path: String, _ connection: DaemonConnection) throws {
        let devices = try connection.reply(to: RequestLine("devices", id: 2)).json.list("devices")
        let panels = devices.map { GestureClient.Device($0) }.compactMap { device in
            device.output.map { RegionDrawing.Panel(device: device.id.safe, width: $0.width, height: $0.height) }
        }
        guard !panels.isEmpty else {
            throw ToolError(.unavailable, "no panel is ready; see gesturectl devices")
        }
        let picture = Array(RegionDrawing.svg(panels: panels, regions: regions).utf8)
        try FileBytes.write(picture, to: path)
    }

    static func table(_ regions: [GestureClient.Region]) -> Table {
        var table = Table("REGION", "DEVICE", "PARENT", "Z", "SHAPE", "FLAGS", "GESTURES")
        table.colors = [0: { _ in .bold }, 5: { $0 == "-" ? nil : .yellow }]
        for region in regions {
            table.rows.append([
                region.id, region.device, region.parent ?? "-", "\(region.z)", region.shapeText,
                region.flags.isEmpty ? "-" : region.flags.joined(separator: ","),
                region.gesturesText,
            ])
        }
        return table
    }
}

/// `gesturectl at X Y`
struct At: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Say which region a touch at a point would belong to.")

    @OptionGroup var requests: RequestOptions

    @Option(
        help: ArgumentHelp("The panel. (default: the first that is ready)", valueName: "id"),
        completion: DaemonNames.devices)
    var device: String?

    @Argument(help: "Output pixels from the left.")
    var x: Double

    @Argument(help: "Output pixels from the top.")
    var y: Double

    func validate() throws {
        guard x.isFinite, y.isFinite else { throw ValidationError("a point needs two finite numbers") }
    }

    func run() throws {
        var request = RequestLine("at", [("x", .number(x)), ("y", .number(y))])
        if let device { request.add("device", .text(device)) }
        if let reply = try requests.send(request) { StandardOutput.write(Self.text(.init(reply.json))) }
    }

    /// `buy, in carousel`; then the regions that see the touch without owning it.
    static func text(_ hit: GestureClient.Hit) -> String {
        let chain = hit.chain.map(\.safe)
        let pass = hit.pass.map(\.safe)
        var text = chain.first ?? hit.owner?.safe ?? "no region"
        for ancestor in chain.dropFirst() { text += ", in \(ancestor)" }
        if !pass.isEmpty { text += "; also seen by \(pass.joined(separator: ", "))" }
        return text + "\n"
    }
}
