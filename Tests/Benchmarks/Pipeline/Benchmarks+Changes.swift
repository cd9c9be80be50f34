// SPDX-License-Identifier: MIT
import CLinux
import GestureConfiguration
import GestureEngine
import GesturePipeline
import GestureProtocol
import GestureServer

/// Measures for how long a change of the configuration blocks the daemon's loop.
extension Benchmarks {
    private static let rounds = 15

    /// Prints the figures and checks their limits, both in milliseconds. A thread parses large sets of regions and
    /// computes their layout, so the loop only applies them. With the maximum number of regions, only the switch
    /// of a scene has a limit, because users would notice a delay.
    static func changes() throws {
        write("\nchanges, 64 clients with 64 globs, milliseconds (median)   regions     figure   limit\n")
        var missed: [String] = []
        for (files, leased) in [(1000, 0), (2000, 2000)] {
            let isMost = leased > 0
            func show(
                _ what: String, limit: Double? = nil, before: () throws -> Void = {}, _ body: () throws -> Void
            ) throws {
                let figure = try median(before, body)
                let isMet = limit.map { figure <= $0 } ?? true
                write(
                    what.padded(to: 56) + "\(files + leased)".padded(to: 10, right: true)
                        + "\(Double(Int(figure * 100)) / 100)".padded(to: 11, right: true)
                        + (limit.map { "\($0)" } ?? "").padded(to: 8, right: true)
                        + (isMet ? "" : "  FAILED") + "\n")
                if !isMet { missed.append(what) }
            }
            let run = try ChangeRun(files: files, leased: leased)
            let (many, one) = (ChangeRun.requests(250, rounds), ChangeRun.requests(1, rounds))
            var turn = 0
            try show("one region is switched", limit: isMost ? 10 : 1) {
                turn += 1
                run.switchRegion(isOn: turn % 2 == 0)
            }
            try show("one region is defined", limit: isMost ? nil : 10) {
                turn += 1
                try run.define(one[turn % rounds])
            }
            try show("250 regions are defined: read and lay out") {
                turn += 1
                _ = try run.prepare(try run.read(many[turn % rounds]))
            }
            var next: ChangeRun.Prepared?
            try show("250 regions are defined: take the request and install", limit: isMost ? nil : 2) {
                turn += 1
                next = try run.prepare(try run.read(many[turn % rounds]))
            } _: {
                _ = try run.read(many[turn % rounds])
                if let next { try run.install(next) }
            }
            try show("one of 250 regions is moved", limit: isMost ? nil : 10) {
                turn += 1
                try run.put(turn)
            }
            try show("read the files again: parse") { try run.parse() }
            try show("read the files again: lay out and install", limit: isMost ? nil : 20) { try run.reload() }
            try show("subscribe with 64 globs", limit: isMost ? nil : 5) { run.subscribe() }
        }
        guard missed.isEmpty else { throw BenchmarkError("\(missed) block the loop for longer than their limits") }
    }

    /// Measures the processor time in milliseconds, which depends least on other load on the machine.
    private static func median(_ before: () throws -> Void, _ body: () throws -> Void) throws -> Double {
        var times: [Int64] = []
        for _ in 0..<rounds {
            try before()
            let start = linux_clock_us(CLOCK_THREAD_CPUTIME_ID)
            try body()
            times.append(linux_clock_us(CLOCK_THREAD_CPUTIME_ID) - start)
        }
        return Double(times.sorted()[rounds / 2]) / 1000
    }
}

/// The daemon's work for a client's change, and for a reload.
private final class ChangeRun {
    private let text: [UInt8]
    private var files: Configuration
    private var current: Configuration
    private var pipeline: PanelPipeline
    private let audience: Audience
    /// Regions that other clients have defined.
    private var others: [RegionRule] = []
    private var runtime = RuntimeState()
    private var time = Timestamp(microseconds: 1_000_000)

    init(files count: Int, leased: Int) throws {
        text = Array(Self.configuration(count).utf8)
        files = try Self.read(text)
        current = files
        pipeline = PanelPipeline(try Self.setup(files))
        audience = try Audience(
            clients: 64, regions: 0,
            members: "\"regions\":[\((0..<64).map { "\"*\($0)?a*b\"" }.joined(separator: ","))],")
        // These regions lie above two regions of the files, but do not cover them.
        let values = try (0..<leased).map { try JSONDocument.read(Self.definition($0, "other", shift: 9)).root }
        others = try read(values, replacing: [])
        runtime.definitions = others
        current = files.applying(runtime)
        try apply()
    }

    func switchRegion(isOn: Bool) {
        runtime.switchedOff = isOn ? [] : ["r5"]
        current = files.applying(runtime)
        let hidden = Set(zip(current.regions, current.isShown).filter { !$0.1 }.map { $0.0.id })
        pipeline.switchRegions(isShown: { !hidden.contains($0.id) }, pipeline.setup.application, at: time) { _ in }
    }

    /// A client replaces a few regions, and the loop does all the work.
    func define(_ request: [UInt8]) throws {
        runtime.definitions = try next(try read(request)).definitions
        try change()
    }

    /// The regions that a request defines.
    func read(_ request: [UInt8]) throws -> [JSONValue] {
        let outcome = request.withUnsafeBufferPointer { RequestReader.read($0) }
        guard case .request(let request) = outcome, case .defineRegions(_, let definitions, _) = request.command else {
            throw BenchmarkError("\(outcome)")
        }
        return definitions
    }

    /// A client's regions, and the setup of the panel with them.
    typealias Prepared = (definitions: [RegionRule], setup: PanelSetup)

    /// The part of a large change that runs in a thread.
    func prepare(_ definitions: [JSONValue]) throws -> Prepared {
        let next = try next(definitions)
        let setup = try Self.setup(files.applying(next))
        return (next.definitions, setup)
    }

    /// The runtime state after this client has replaced its definitions.
    private func next(_ definitions: [JSONValue]) throws -> RuntimeState {
        let own = runtime.definitions[others.count...].map { $0.id }
        var next = runtime
        next.definitions = others + (try read(definitions, replacing: Set(own)))
        return next
    }

    func install(_ prepared: Prepared) throws {
        runtime.definitions = prepared.definitions
        current = files.applying(runtime)
        try apply(prepared.setup)
    }

    /// Requests that each replace all regions of a client with different ones.
    static func requests(_ count: Int, _ times: Int) -> [[UInt8]] { (0..<times).map { request(count, from: $0) } }

    static func request(_ count: Int, from first: Int) -> [UInt8] {
        let regions = (0..<count).map { definition(first + $0) }.joined(separator: ",")
        return Array("{\"cmd\":\"define_regions\",\"lease\":true,\"regions\":[\(regions)]}".utf8)
    }

    /// A client replaces one of its regions with `put_region`.
    func put(_ turn: Int) throws {
        let place = runtime.definitions.count - 100
        let id = runtime.definitions[place].id
        let text = """
            {"id":"\(id)","shape":{"rect":[\(turn % 500),500,18,9]},"gestures":["press","tap"]}
            """
        runtime.definitions[place] = try read([try JSONDocument.read(text).root], replacing: [id])[0]
        try change()
    }

    private func read(_ values: [JSONValue], replacing replaced: Set<String>) throws -> [RegionRule] {
        let (rules, diagnostics) = current.readDefinitions(values, file: "regions", replacing: replaced)
        guard let rules else { throw BenchmarkError("\(diagnostics)") }
        return rules
    }

    private func change() throws {
        current = files.applying(runtime)
        try apply()
    }

    func parse() throws { files = try Self.read(text) }

    func reload() throws {
        current = files.applying(runtime)
        try apply()
    }

    func subscribe() { audience.subscribe() }

    private func apply(_ made: PanelSetup? = nil) throws {
        let setup = try made ?? Self.setup(current)
        pipeline.replaceRegions(setup, at: time) { _ in }
        let index = pipeline.subjectIndex
        let subjects = SubjectList(count: index.count) { number in
            let (region, gesture) = index[number]
            return Subject(
                device: "panel", region: region.id, gesture: gesture.word, name: gesture.name,
                isPrivate: region.isPrivate)
        }
        let current = current
        audience.server.setSubjects(subjects, hasPrivate: current.hasPrivateRegions) {
            current.regions.map { ServedRegion($0.id, isPrivate: false) }
        }
    }

    private static func read(_ text: [UInt8]) throws -> Configuration {
        let (configuration, diagnostics) = ConfigurationReader.read([("gestured.toml", text)])
        guard let configuration else { throw BenchmarkError("\(diagnostics)") }
        return configuration
    }

    private static func setup(_ configuration: Configuration) throws -> PanelSetup {
        let decision = PanelDecision(FingerEvents.device, configuration, fallbackName: "panel")
        guard case .ready(let setup) = decision else { throw BenchmarkError("the panel is refused") }
        return setup
    }

    private static func rect(_ index: Int, shift: Int = 0) -> [Int] {
        [index % 100 * 19 + shift, index / 100 * 10 % 1070, 18, 9]
    }

    private static func definition(_ index: Int, _ name: String = "d", shift: Int = 0) -> String {
        """
        {"id":"\(name)\(index)","shape":{"rect":\(rect(index, shift: shift))},"gestures":["press","tap"]}
        """
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
