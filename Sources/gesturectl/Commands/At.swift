// SPDX-License-Identifier: MIT
import ArgumentParser
import GestureClient

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
