// SPDX-License-Identifier: MIT
import ArgumentParser
import GestureClient
import GestureConfiguration
import GestureProtocol

/// Options for the gestures that a command handles.
struct EventFilter: ParsableArguments {
    @Option(
        name: .withLetter("r"), help: ArgumentHelp("Show only these regions.", valueName: "glob"),
        completion: DaemonNames.regions)
    var region: [String] = []

    @Option(
        name: .withLetter("g"), help: ArgumentHelp("Show only these kinds of gestures.", valueName: "glob"),
        completion: DaemonNames.gestures)
    var gesture: [String] = []

    @Option(
        help: ArgumentHelp("Show only gestures and idle times with these names.", valueName: "glob"),
        completion: DaemonNames.names)
    var name: [String] = []

    /// The filter that everything passes.
    static var everything: Self {
        var filter = Self()
        (filter.region, filter.gesture, filter.name) = ([], [], [])
        return filter
    }

    /// Whether the command handles the line. It handles gestures, idle times that pass the filter, and touches that wake
    /// the display, but no lines about the daemon or a panel.
    func isWanted(_ event: JSONValue) -> Bool {
        switch event["event"]?.string {
        case "gesture": true
        case "idle": passes(event)
        // It has no name.
        case "wake": name.isEmpty
        default: false
        }
    }

    /// Whether a line is shown. The daemon filters gestures, but sends all idle times and wakes.
    func isShown(_ event: JSONValue) -> Bool {
        ["idle", "wake"].contains(event["event"]?.string) ? isWanted(event) : true
    }

    /// Subscribes to events that pass the filter, and warns about globs that match nothing.
    /// - Parameters:
    ///   - phases: the phases of continuous gestures.
    ///   - devices: globs for panels; empty: all.
    ///   - event: receives the lines that come before the reply.
    func subscribe(
        _ connection: DaemonConnection, _ events: [GestureClient.Subscription.EventName],
        phases: Set<GestureClient.Gesture.Phase>, devices: [String] = [], event: ([UInt8]) throws -> Void = { _ in }
    ) throws {
        func globs(_ list: [String]) -> [String]? { list.isEmpty ? nil : list }
        let devices = devices.isEmpty ? [] : Self.panels(devices, among: try connection.devices(event: event))
        let request = RequestLine.subscribe(
            .init(
                events: events, regions: globs(region), gestures: globs(gesture), names: globs(name), phases: phases,
                devices: globs(devices)))
        var names: [String]?
        if events.contains(.gesture), !name.isEmpty {
            let regions = try connection.reply(to: RequestLine("regions", id: 2), event: event).json
            names = GestureClient.Region.all(in: regions).gestureNames
        }
        let reply = try connection.reply(to: request, event: event)
        for glob in reply.json.list("unmatched") { Self.warn(aboutRegion: glob.displayText) }
        warnAboutKinds()
        if let names { warnAboutNames(names) }
    }

    /// Warns about globs that match no region or no gesture at present.
    /// - Parameters:
    ///   - more: names that globs may match, in addition to the names of gestures.
    func warn(_ regions: [GestureClient.Region], more: [String] = []) {
        for glob in region where !regions.contains(where: { Glob(glob).matches($0.id) }) {
            Self.warn(aboutRegion: glob)
        }
        warnAboutKinds()
        warnAboutNames(regions.gestureNames + more)
    }

    /// Replaces nodes and names of devices with their ids, and warns about globs that match no device at present. The
    /// device may be plugged in later.
    private static func panels(_ globs: [String], among devices: [GestureClient.Device]) -> [String] {
        globs.map { glob in
            if devices.contains(where: { Glob(glob).matches($0.id) }) { return glob }
            if let device = devices.first(where: { $0.isNamed(glob) }) { return device.id }
            let nearest = Spelling.nearest(to: glob, among: devices.map(\.id))
            let hint = nearest.map { Spelling.hint($0.safe) } ?? "; see gesturectl devices"
            StandardError.tell("no panel matches \"\(glob.safe)\" at present\(hint)")
            return glob
        }
    }

    private static func warn(aboutRegion glob: String) {
        StandardError.tell("no region matches \"\(glob.safe)\" at present")
    }

    private func warnAboutNames(_ names: [String]) {
        for glob in name where !names.contains(where: { Glob(glob).matches($0) }) {
            let hint = Spelling.hint(Spelling.nearest(to: glob, among: names))
            StandardError.tell("no gesture is named \"\(glob.safe)\" at present\(hint)")
        }
    }

    /// Warns about globs that match no kind of gesture.
    private func warnAboutKinds() {
        for glob in gesture where !GestureType.words.contains(where: { Glob(glob).matches($0) }) {
            let hint = Spelling.hint(Spelling.nearest(to: glob, among: GestureType.words))
            StandardError.tell("no kind of gesture matches \"\(glob.safe)\"\(hint)")
        }
    }

    /// Whether the filter passes everything.
    var isEmpty: Bool { region.isEmpty && gesture.isEmpty && name.isEmpty }

    /// Whether the line of an event passes. The globs for regions do not apply to a line without a region.
    func passes(_ event: JSONValue) -> Bool {
        passes(region: event["region"]?.string)
            && passes(gesture: event["gesture"]?.string, name: event["name"]?.string)
    }

    func passes(region: String?) -> Bool { Self.any(self.region, region) }

    func passes(gesture: String?, name: String?) -> Bool {
        Self.any(self.gesture, gesture) && Self.any(self.name, name)
    }

    private static func any(_ globs: [String], _ text: String?) -> Bool {
        guard !globs.isEmpty, let text else { return true }
        return globs.contains { Glob($0).matches(text) }
    }
}
