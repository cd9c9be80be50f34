// SPDX-License-Identifier: MIT

/// Verifies one connection to the daemon. It checks every line against the protocol and the laws of gestures, and saves
/// lines, and requests with their replies, in the archive.
package struct ConnectionVerifier {
    private var verifier = StreamVerifier(.everything)
    private var lines = ConnectionLines()

    /// - Parameter configuration: the daemon's configuration, as TOML. Positions must lie on the outputs whose sizes it
    ///   states.
    package init(configuration: String = "") {
        for output in OutputSize.all(in: configuration) {
            verifier.setPanel(output.device, width: output.width, height: output.height)
        }
    }

    package var violations: [StreamViolation] { verifier.violations }

    /// Counts the lines received so far.
    package var tally: StreamTally { verifier.tally }

    /// Processes bytes that the client has sent. Call this before the reply to them is passed to `received`.
    package mutating func sent(_ bytes: some Sequence<UInt8>) { lines.sent(bytes) }

    /// Processes bytes that the daemon has sent.
    package mutating func received(_ bytes: some Sequence<UInt8>) {
        for (line, request) in lines.received(bytes) {
            line.withUnsafeBufferPointer { verifier.take($0) }
            guard let request else { continue }
            LineArchive.shared?.keep(request: request, reply: line)
            follow(request, answeredBy: line)
        }
    }

    /// Restricts the checks to the laws that can be checked with the filter of a new subscription.
    private mutating func follow(_ request: [UInt8], answeredBy reply: [UInt8]) {
        let reply = String(decoding: reply, as: UTF8.self)
        guard reply.hasPrefix("{\"reply\":\"subscribe\""), reply.contains("\"ok\":true") else { return }
        let request = String(decoding: request, as: UTF8.self)
        func has(_ word: String) -> Bool { request.contains("\"\(word)\"") }
        var subscription = StreamVerifier.Subscription()
        let hasGestures = !has("events") || has("gesture")
        if has("phases") || !hasGestures {
            subscription.coverage = .filtered
        } else if ["regions", "devices", "gestures", "names"].contains(where: has) {
            subscription.coverage = .someGestures
        }
        subscription.hasTouches = has("touches")
        subscription.hasDevices = !has("events") || has("device")
        subscription.hasRate = has("max_rate_hz")
        verifier.resubscribe(subscription)
    }
}

/// The size of a device's output in pixels, as stated in the configuration.
struct OutputSize {
    var device: String
    var width: Double
    var height: Double

    /// The sizes in the `[[device]]` tables. Reads only the form that tests use, `output = { size = [W, H]`.
    static func all(in configuration: String) -> [OutputSize] {
        var result: [OutputSize] = []
        var device: String?
        for line in configuration.split(separator: "\n") {
            let line = line.drop { $0 == " " }
            if line.hasPrefix("[") { device = nil }
            if line.hasPrefix("id = \"") { device = line.split(separator: "\"").dropFirst().first.map(String.init) }
            guard line.hasPrefix("output = { size = ["), let device else { continue }
            let numbers = line.drop { $0 != "[" }.dropFirst().prefix { $0 != "]" }
            let size = numbers.split(separator: ",").compactMap { Double($0.filter { $0 != " " }) }
            if size.count == 2 { result.append(OutputSize(device: device, width: size[0], height: size[1])) }
        }
        return result
    }
}
