// SPDX-License-Identifier: MIT
package import GestureEngine

/// An engine as it is made, and what is played to it. As text it can be played by another build.
package struct Simulation: Hashable, Sendable {
    package var regions: [Region]
    package var arbitration: ArbitrationSettings
    /// The panel, in millimetres.
    package var bounds: Rectangle
    package var reportsUpdates: Bool
    /// A touch script.
    package var script: String

    package init(
        _ regions: [Region], arbitration: ArbitrationSettings, bounds: Rectangle, reportsUpdates: Bool, script: String
    ) {
        self.regions = regions
        self.arbitration = arbitration
        self.bounds = bounds
        self.reportsUpdates = reportsUpdates
        self.script = script
    }

    /// Plays it to a new engine.
    /// - Parameter others: the sets of regions that the script puts in place, from `reload 1` on.
    /// - Returns: the transcript.
    package func run(others: [[Region]] = []) -> String {
        var engine = GestureEngine(regions, arbitration: arbitration, bounds: bounds)
        engine.reportsUpdates = reportsUpdates
        return simulate(&engine, script, others: others)
    }

    /// On one line, without its end.
    package var line: String {
        var words = SettingsWords()
        var copy = self
        copy.pass(through: &words)
        return words.text
    }

    /// Reads a line; `nil` when it is none, or of another version.
    package init?(line: String) {
        let nothing = Rectangle(minX: 0, minY: 0, maxX: 0, maxY: 0)
        self.init([], arbitration: ArbitrationSettings(), bounds: nothing, reportsUpdates: true, script: "")
        var words = SettingsWords(reading: line)
        pass(through: &words)
        if words.isBroken { return nil }
    }

    private mutating func pass(through words: inout SettingsWords) {
        words.pass(&regions, new: Region()) { $1.pass(through: &$0) }
        arbitration.pass(through: &words)
        bounds.pass(through: &words)
        words.pass(&reportsUpdates)
        words.pass(&script)
    }
}
