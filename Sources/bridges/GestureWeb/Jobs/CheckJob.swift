// SPDX-License-Identifier: MIT
#if Web
import ContactTracking
import GestureConfiguration
import GestureEngine
import GesturePipeline
import GestureProtocol

/// The job for `POST /check`, which finds the mistakes in a configuration and the positions of its regions on a panel.
struct CheckJob {
    let configuration: SentConfiguration
    /// The id of a `[[device]]`; `nil` for the first one that has the size of an output.
    let device: String?
    /// The panel's size, which replaces that of the configuration.
    let size: PanelSize?
    /// Whether to report what may keep somebody from using the panel.
    let findsBarriers: Bool

    /// - Parameters:
    ///   - body: TOML, or JSON with `files`.
    ///   - query: the parameters `width`, `height`, `width_mm` and `height_mm`, which must be given together or not at
    ///     all, `device`, and `accessibility`, which must be `true`.
    init(_ body: [UInt8], isJSON: Bool, _ query: [(name: String, value: String)]) throws(RequestError) {
        let sent: SentConfiguration?
        if isJSON {
            sent = try JSONDocument.body(body)["files"].flatMap { SentConfiguration($0) }
        } else {
            sent = SentConfiguration(text: body)
        }
        guard let sent else {
            throw RequestError(
                .badRequest, "the body must be TOML of at most 1 MiB, or {\"files\":[{\"path\":…,\"text\":…}]}")
        }
        configuration = sent
        device = query.first { $0.name == "device" }?.value
        size = try Self.size(query)
        let accessibility = query.first { $0.name == "accessibility" }?.value
        guard accessibility == nil || accessibility == "true" else {
            throw RequestError(.badValue, "accessibility must be true")
        }
        findsBarriers = accessibility != nil
    }

    private static func size(_ query: [(name: String, value: String)]) throws(RequestError) -> PanelSize? {
        let names = ["width", "height", "width_mm", "height_mm"]
        let given = names.compactMap { name in query.first { $0.name == name }?.value }
        guard !given.isEmpty else { return nil }
        let numbers = given.compactMap { Double($0) }.filter { $0 >= 1 && $0 <= 100_000 }
        guard numbers.count == names.count else {
            throw RequestError(.badValue, "give all of width, height (pixels), width_mm, height_mm, each 1 to 100000")
        }
        return PanelSize(
            widthPixels: numbers[0], heightPixels: numbers[1], widthMillimeters: numbers[2],
            heightMillimeters: numbers[3])
    }

    /// - Returns: a line of JSON.
    func run() -> [UInt8] {
        let (configuration, diagnostics) = configuration.read()
        guard let configuration else {
            return JSONWriter.line { CheckReply.write(diagnostics, nil, into: &$0) }
        }
        let rules = configuration.devices.filter { !$0.ignore }
        let rule = rules.first { rule in device.map { $0 == rule.id } ?? (rule.output.sizePixels != nil) }
        let setup = PanelSetup(nominal: configuration, rule: rule, size: size)
        return JSONWriter.line { json in
            CheckReply.write(
                diagnostics + setup.diagnostics, setup.regions, findsBarriers ? setup.layout.accessibility : nil,
                into: &json)
            RegionsReply.write([setup], matching: { _ in true }, seesPrivate: true, into: &json)
        }
    }
}
#endif
