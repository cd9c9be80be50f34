// SPDX-License-Identifier: MIT
import CLinux
import GestureConfiguration
import GestureEngine
import GesturePipeline
import GestureProtocol
import GestureServer

/// How long the loop is held by a change of the configuration while the daemon runs.
extension Benchmarks {
    /// Milliseconds that a change may take, with a thousand regions and 64 clients.
    private static let longestChange = 5.0
    private static let rounds = 15

    static func changes() throws {
        write("\nchanges, 64 clients of 64 globs, milliseconds (median)     regions     figure   limit\n")
        var missed: [String] = []
        for count in [1000, 4096] {
            func show(_ what: String, isLimited: Bool = true, _ body: () throws -> Void) rethrows {
                let limit = isLimited && count == 1000 ? longestChange : nil
                let figure = try median(body)
                let isMet = limit.map { figure <= $0 } ?? true
                write(
                    what.padded(to: 56) + "\(count)".padded(to: 10, right: true)
                        + "\(Double(Int(figure * 100)) / 100)".padded(to: 11, right: true)
                        + (limit.map { "\(Int($0))" } ?? "").padded(to: 8, right: true)
                        + (isMet ? "" : "  FAILED") + "\n")
                if !isMet { missed.append(what) }
            }
            let run = try ChangeRun(regions: count)
            var turn = 0
            show("one region is switched") {
                turn += 1
                run.switchRegion(isOn: turn % 2 == 0)
            }
            try show("one region is defined") {
                turn += 1
                try run.define(1, from: turn)
            }
            // So many, and a reload, hold the loop longer.
            try show("250 regions are defined", isLimited: false) {
                turn += 1
                try run.define(250, from: turn)
            }
            try show("read the files again: parse", isLimited: false) { try run.parse() }
            try show("read the files again: lay out and install") { try run.reload() }
            show("subscribe with 64 globs") { run.subscribe() }
        }
        guard missed.isEmpty else { throw BenchmarkError("\(missed) hold the loop longer than \(longestChange) ms") }
    }

    /// Milliseconds of processor time, which other load on the machine affects least.
    private static func median(_ body: () throws -> Void) rethrows -> Double {
        var times: [Int64] = []
        for _ in 0..<rounds {
            let start = linux_clock_us(CLOCK_THREAD_CPUTIME_ID)
            try body()
            times.append(linux_clock_us(CLOCK_THREAD_CPUTIME_ID) - start)
        }
        return Double(times.sorted()[rounds / 2]) / 1000
    }
}

/// What the daemon does for a change by a client, and for a reload.
private final class ChangeRun {
    private let text: [UInt8]
    private var files: Configuration
    private var current: Configuration
    private var pipeline: PanelPipeline
    private let audience: Audience
    private var runtime = RuntimeState()
    private var time = Timestamp(microseconds: 1_000_000)

    init(regions: Int) throws {
        text = Array(Self.configuration(regions).utf8)
        files = try Self.read(text)
        current = files
        pipeline = PanelPipeline(try Self.setup(files))
        audience = try Audience(
            clients: 64, regions: 0,
            members: "\"regions\":[\((0..<64).map { "\"*\($0)?a*b\"" }.joined(separator: ","))],")
    }

    func switchRegion(isOn: Bool) {
        runtime.switchedOff = isOn ? [] : ["r5"]
        current = files.applying(runtime)
        let hidden = Set(zip(current.regions, current.isShown).filter { !$0.1 }.map { $0.0.id })
        pipeline.switchRegions(isShown: { !hidden.contains($0.id) }, at: time) { _ in }
    }

    func define(_ count: Int, from first: Int) throws {
        var others = runtime
        others.definitions = []
        let definitions = try (0..<count).map { try Self.definition(first + $0) }
        let (rules, diagnostics) = files.applying(others).readDefinitions(definitions, file: "regions")
        guard let rules else { throw BenchmarkError("\(diagnostics)") }
        runtime.definitions = rules
        current = files.applying(runtime)
        try apply()
    }

    func parse() throws { files = try Self.read(text) }

    func reload() throws {
        current = files.applying(runtime)
        try apply()
    }

    func subscribe() { audience.subscribe() }

    private func apply() throws {
        pipeline.replaceRegions(try Self.setup(current, since: pipeline.setup.layout), at: time) { _ in }
        var subjects = [Subject(panel: "panel")]
        for region in pipeline.setup.regions {
            for gesture in region.gestures {
                subjects.append(
                    Subject(
                        device: "panel", region: region.id, gesture: gesture.word, name: gesture.name,
                        isPrivate: region.isPrivate))
            }
        }
        let hidden = current.privateRegionIDs
        audience.server.setSubjects(
            subjects, regions: current.regions.map { ServedRegion($0.id, isPrivate: hidden.contains($0.id)) })
    }

    private static func read(_ text: [UInt8]) throws -> Configuration {
        let (configuration, diagnostics) = ConfigurationReader.read([("gestured.toml", text)])
        guard let configuration else { throw BenchmarkError("\(diagnostics)") }
        return configuration
    }

    private static func setup(_ configuration: Configuration, since old: PanelLayout? = nil) throws -> PanelSetup {
        let decision = PanelDecision(FingerEvents.device, configuration, fallbackName: "panel", since: old)
        guard case .ready(let setup) = decision else { throw BenchmarkError("the panel is refused") }
        return setup
    }

    private static func rect(_ index: Int) -> [Int] { [index % 100 * 19, index / 100 * 10 % 1070, 18, 9] }

    private static func definition(_ index: Int) throws -> JSONValue {
        let text = """
            {"id":"d\(index)","shape":{"rect":\(rect(index))},"gestures":["press","tap"]}
            """
        return try JSONDocument.read(text).root
    }

    private static func configuration(_ regions: Int) -> String {
        var text = """
            version = 1
            [[device]]
            id = "panel"
            match = { name = "*" }
            output = { size = [1920, 1080], size_mm = [344, 194] }

            """
        for index in 0..<regions {
            text += """
                [[region]]
                id = "r\(index)"
                shape = { rect = \(rect(index)) }
                gestures = ["press", "tap"]

                """
        }
        return text
    }
}
