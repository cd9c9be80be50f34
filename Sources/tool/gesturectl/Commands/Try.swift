// SPDX-License-Identifier: MIT
import ArgumentParser
import ContactTracking
import GestureConfiguration
import GestureEngine
import GesturePipeline
import Glibc
import LinuxSystem
import Recordings
import TouchScripts

struct Try: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Play touches that are written as text, without a panel.",
        discussion: """
            Plays touches on a virtual panel, and prints the lines that the daemon would send, as gesturectl replay does. \
            Touches are what a person does, such as "tap ok", "double-tap ok", "hold 800ms ok", "swipe left from list", \
            "drag knob to 600,400", "pinch 2x at map", "turn 90deg at volume" or "draw check", or what contacts do: \
            "down a 600,400; +90ms; up a". Statements are separated by ; or line ends, places are regions or \
            positions in px, % or mm, & joins touches, and +90ms lets time pass. Touches of people tremble a little, \
            and are the same for the same --seed. Reads the installed configuration unless --config is given; the \
            panel has the size of its [[device]] unless --size is given.
            """)

    @OptionGroup var touches: TouchArguments

    @Option(help: ArgumentHelp("The panel's id in the configuration. (default: the first one)", valueName: "device"))
    var device: String?

    @OptionGroup var options: ReplayOptions

    @Flag(help: "Explain each touch as gesturectl explain does.")
    var explain = false

    func run() throws {
        let source = try touches.played(
            config: options.configuration.files, scene: options.scene, profile: options.profile, device: device,
            rotation: options.rotation)
        if explain {
            var table = TableOptions()
            (table.colors, table.noLegend) = (options.colors, false)
            return source.explain(
                ExplanationOutput(
                    filter: options.filter, table: table, isJSON: options.json, limit: .max, time: recordingTime),
                profile: options.profile)
        }
        if try options.replay(source) == 0 {
            StandardError.tell("no gesture was recognized; add --explain to see why")
        }
    }
}

/// The hand and the panel that touches are made with.
struct TouchOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The panel's size in pixels, and in millimetres: 1280x800, or 1280x800,256x160mm.", valueName: "size"))
    var size: TouchPanelSize?

    @Option(help: "The hand that makes the touches: steady, trembling, child or glove.")
    var hand: Hand = .steady

    @Option(help: ArgumentHelp("Touches of people are the same for the same number.", valueName: "number"))
    var seed: UInt64 = 1
}

/// Touches as text.
struct TouchArguments: ParsableArguments {
    /// The end of the name of a file with touches.
    static let ending = ".touch"
    /// The largest file in bytes.
    private static let sizeLimit = 1 << 20

    @Argument(
        help: ArgumentHelp(
            "Touches, or files with touches, whose names end in \(Self.ending); - for standard input.",
            valueName: "touches"), completion: .file(extensions: ["touch"]))
    var touches: [String]

    @OptionGroup var made: TouchOptions

    /// The touches, played on a panel of a configuration.
    /// - Throws: `ToolError` 65 for touches that cannot be read or do not fit the panel; see `ReplaySource`.
    func played(
        config: ConfigurationFiles, scene: String?, profile: String?, device: String?,
        rotation: OutputSettings.Rotation?
    ) throws(ToolError) -> ReplaySource {
        try Self.played(
            touches, size: made.size?.size, hand: made.hand, seed: made.seed, config: config, scene: scene,
            profile: profile, device: device, rotation: rotation)
    }

    /// - Parameters:
    ///   - file: the file that the touches were read from.
    ///   - isPlugged: whether a daemon shall find the panel among its devices.
    static func played(
        _ touches: [String], from file: String? = nil, size: PanelSize? = nil, hand: Hand = .steady, seed: UInt64 = 1,
        config: ConfigurationFiles, scene: String?, profile: String?, device: String?,
        rotation: OutputSettings.Rotation?, isPlugged: Bool = false
    ) throws(ToolError) -> ReplaySource {
        let loaded = try ConfigurationLoading.load(config).switched(toScene: scene, profile: profile)
        let configuration = loaded.turned(rotation, PanelSetup.fallbackName)
        let setup = try setup(of: configuration, device: device, size: size, isPlugged: isPlugged)
        return ReplaySource(
            try recording(of: touches, from: file, on: setup, by: hand, seed: seed), configuration, setup)
    }

    /// The virtual panel that touches are played on.
    /// - Parameter isPlugged: whether a daemon shall find it among its devices.
    static func setup(
        of configuration: Configuration, device: String?, size: PanelSize?, isPlugged: Bool = false
    ) throws(ToolError) -> PanelSetup {
        let rule = try rule(device, of: configuration)
        let setup = PanelSetup(virtual: configuration, rule: rule, size: size, isPlugged: isPlugged)
        if size == nil, rule?.output.sizePixels == nil {
            StandardError.tell(
                "the configuration does not say how large the panel is; assuming "
                    + "\(plain(setup.size.widthPixels))x\(plain(setup.size.heightPixels)) and "
                    + "\(plain(setup.size.widthMillimeters.rounded()))x\(plain(setup.size.heightMillimeters.rounded())) mm; "
                    + "choose with --size")
        }
        return setup
    }

    /// The recording of a virtual panel on which touches are played.
    static func recording(
        of touches: [String], from file: String? = nil, on setup: PanelSetup, by hand: Hand, seed: UInt64
    ) throws(ToolError) -> Recording {
        let texts = try file == nil ? touches.map { argument throws(ToolError) in try text(argument) } : touches
        do throws(ScriptError) {
            return try ScriptPlayer.recording(of: TouchScript(texts), on: setup, by: hand, seed: seed)
        } catch {
            let place = error.position
            let argument = touches[place.text]
            let name = file?.safe ?? (isFile(argument) ? argument.safe : "touches")
            throw ToolError(.data, "\(name):\(place.line):\(place.column): \(error.message.safe)")
        }
    }

    /// Whether an argument names a file. Each statement of touches has a space, and so may the name of a file that exists.
    private static func isFile(_ argument: String) -> Bool {
        argument == "-" || (argument.hasSuffix(ending) && (!argument.contains(" ") || access(argument, F_OK) == 0))
    }

    private static func text(_ argument: String) throws(ToolError) -> String {
        guard isFile(argument) else { return argument }
        return String(decoding: try bytes(of: argument), as: UTF8.self)
    }

    /// Returns the bytes of a file with touches.
    /// - Throws: `ToolError` 66 if it cannot be read, 65 if it is too large.
    static func bytes(of path: String) throws(ToolError) -> [UInt8] {
        let bytes = try FileBytes.read(path, limit: sizeLimit)
        guard bytes.count <= sizeLimit else {
            throw ToolError(.data, "\(path.safe): a file of touches has at most \(sizeLimit >> 20) MiB")
        }
        return bytes
    }

    private static func rule(_ device: String?, of configuration: Configuration) throws(ToolError) -> DeviceRule? {
        guard let device else { return configuration.playedPanel }
        let panel = try PanelOption.panel(device, of: configuration)
        return configuration.panelRules.first { $0?.id == panel.device } ?? nil
    }
}

/// The size of a panel on the command line: `1280x800` or `1280x800,256x160mm`.
struct TouchPanelSize: ExpressibleByArgument, Hashable {
    var size: PanelSize

    init?(argument: String) {
        let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
        guard let pixels = Self.sides(parts[0]) else { return nil }
        var millimeters = (pixels.0 * 25.4 / 96, pixels.1 * 25.4 / 96)
        if parts.count > 1 {
            guard parts.count == 2, parts[1].hasSuffix("mm"), let sides = Self.sides(parts[1].dropLast(2)) else {
                return nil
            }
            millimeters = sides
        }
        size = PanelSize(
            widthPixels: pixels.0, heightPixels: pixels.1, widthMillimeters: millimeters.0,
            heightMillimeters: millimeters.1)
    }

    private static func sides(_ text: Substring) -> (Double, Double)? {
        let numbers = text.split(separator: "x", omittingEmptySubsequences: false).map { Double($0) ?? .nan }
        guard numbers.count == 2, numbers.allSatisfy({ 1...100_000 ~= $0 }) else { return nil }
        return (numbers[0], numbers[1])
    }
}

extension Hand: ExpressibleByArgument {}
