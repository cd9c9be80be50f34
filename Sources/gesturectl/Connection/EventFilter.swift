// SPDX-License-Identifier: MIT
import ArgumentParser

/// Which gestures a command is about.
struct EventFilter: ParsableArguments {
    @Option(
        name: .shortAndLong, help: ArgumentHelp("Only these regions.", valueName: "glob"),
        completion: DaemonNames.regions)
    var region: [String] = []

    @Option(
        name: .shortAndLong, help: ArgumentHelp("Only these kinds of gestures.", valueName: "glob"),
        completion: DaemonNames.gestures)
    var gesture: [String] = []

    @Option(
        help: ArgumentHelp("Only gestures of these names.", valueName: "glob"), completion: DaemonNames.names)
    var name: [String] = []

    /// - Parameters:
    ///   - events: which lines to ask for.
    ///   - phases: of continuous gestures.
    func subscription(_ events: [String], phases: [String]) -> RequestLine {
        var request = RequestLine("subscribe", id: 1)
        request.add("events", events)
        if !region.isEmpty { request.add("regions", region) }
        if !gesture.isEmpty { request.add("gestures", gesture) }
        if !name.isEmpty { request.add("names", name) }
        request.add("phases", phases)
        return request
    }
}
