// SPDX-License-Identifier: MIT
import ArgumentParser
import GestureClient
import GestureEngine
import GesturePipeline
import GestureProtocol

struct Regions: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List the regions as laid out on the panels, from bottom to top.",
        discussion:
            "With --config it shows the regions of files on the panels that they describe, without a daemon.")

    @OptionGroup var requests: RequestOptions
    @OptionGroup var layout: ConfigurationOptions
    @OptionGroup var table: TableOptions

    @Flag(help: "Show children under their parents, topmost first.")
    var tree = false

    @Argument(
        help: ArgumentHelp("Show only regions whose id matches.", valueName: "glob"), completion: DaemonNames.regions)
    var region: String?

    func validate() throws {
        if tree, requests.json { throw ValidationError("--tree and --json cannot be combined; use one of them") }
    }

    func run() throws {
        if layout.isGiven { return try show(ConfigurationLoading.panels(layout.files)) }
        let connection = try requests.connect()
        var request = RequestLine("regions")
        if let region { request.add("region", .text(region)) }
        let list = try requests.send(request, on: connection)
        let regions = GestureClient.Region.all(in: try (list ?? connection.reply(to: request)).json)
        if let region, regions.isEmpty {
            let all = GestureClient.Region.all(in: try connection.reply(to: RequestLine("regions", id: 3)).json)
            throw Self.unknown(region, among: all.map(\.id))
        }
        guard list != nil else { return }
        if regions.isEmpty { StandardError.tell("no region on a panel that is ready") }
        show(regions)
    }

    private func show(_ setups: [PanelSetup]) throws {
        let (regions, line) = GestureClient.Region.all(of: setups, matching: region ?? "*")
        if let region, regions.isEmpty {
            throw Self.unknown(region, among: setups.flatMap { $0.regions.map(\.id) })
        }
        guard !requests.json else { return StandardOutput.write(line) }
        show(regions)
    }

    private static func unknown(_ region: String, among ids: [String]) -> ToolError {
        let nearest = Spelling.nearest(to: region, among: ids, ignoringCase: true)
        let cure = nearest.map { Spelling.hint($0.safe) } ?? Self.cure
        return ToolError(.notFound, "no region \"\(region.safe)\" on a panel\(cure)")
    }

    /// The end of a message about a region that does not exist.
    static let cure = "; gesturectl regions lists them"

    private func show(_ regions: [GestureClient.Region]) {
        let layout = StandardOutput.layout
        tree
            ? StandardOutput.write(RegionTree.text(regions, in: layout), in: layout)
            : table.write(Self.table(regions))
    }

    static func table(_ regions: [GestureClient.Region]) -> Table {
        var table = Table("REGION", "DEVICE", "PARENT", "Z", "SHAPE", "FLAGS", "GESTURES")
        table.colors = [0: { _ in .bold }, 5: { $0 == "-" ? nil : .yellow }]
        // Z, and DEVICE if there is only one
        table.optional = Set(regions.map(\.device)).count == 1 ? [3, 1] : [3]
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
        abstract: "Show which region a touch at a point would belong to.",
        discussion: "With --config it uses files and a panel that they describe, without a daemon.")

    @OptionGroup var requests: RequestOptions
    @OptionGroup var layout: ConfigurationOptions

    @OptionGroup var choice: PanelOption

    @Argument(help: "Distance from the left edge, in output pixels.")
    var x: Coordinate

    @Argument(help: "Distance from the top edge, in output pixels.")
    var y: Coordinate

    func validate() throws {
        guard x.value.isFinite, y.value.isFinite else {
            throw ValidationError("the point is not finite; use numbers of pixels")
        }
    }

    func run() throws {
        if layout.isGiven { return try show(choice.panel(of: ConfigurationLoading.load(layout.files))) }
        let connection = try requests.connect()
        let panel = try connection.panel(choice.device)
        let request = RequestLine(
            "at", [("x", .number(x.value)), ("y", .number(y.value)), ("device", .text(panel.id))])
        if let reply = try requests.send(request, on: connection) {
            StandardOutput.write(Self.text(.init(reply.json)))
        }
    }

    private func show(_ setup: PanelSetup) throws {
        var error: RequestError?
        let panel = PanelPipeline(setup)
        let line = JSONWriter.line {
            error = AtReply.write(panel, x: x.value, y: y.value, seesPrivate: true, into: &$0)
        }
        if let error { throw ToolError(.usage, error.message.safe) }
        guard !requests.json, let json = JSONValue(parsing: Array(line.dropLast())) else {
            return StandardOutput.write(line)
        }
        StandardOutput.write(Self.text(.init(json)))
    }

    /// Returns a text such as `buy (its margin), in carousel`, followed by the regions that receive the touch without
    /// owning it.
    static func text(_ hit: GestureClient.Hit) -> String {
        let chain = hit.chain.map(\.safe)
        let pass = hit.pass.map(\.safe)
        var text = chain.first ?? hit.owner?.safe ?? "no region"
        if hit.isInMargin { text += " (its margin)" }
        for ancestor in chain.dropFirst() { text += ", in \(ancestor)" }
        if !pass.isEmpty { text += "; also seen by \(pass.joined(separator: ", "))" }
        return text + "\n"
    }
}

/// A coordinate on the command line. `CommandLineMistakes.arranged` marks negative ones, which ArgumentParser would
/// take for options.
struct Coordinate: ExpressibleByArgument {
    /// Replaces the hyphen of a negative number.
    static let minus = "\u{2212}"

    var value: Double

    init?(argument: String) {
        guard let value = Double(argument.replacing(Self.minus, with: "-")) else { return nil }
        self.value = value
    }
}
