// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureEngine
import GesturePipeline

/// Reads the input as configuration files that are separated by zero bytes.
///
/// The reader must return a configuration if and only if it reports no error, and every problem must have a location
/// in a file. The lines of touches on the regions must obey the laws of streams.
enum ConfigurationText {
    private static let panels = [
        PanelSize(widthPixels: 1920, heightPixels: 1080, widthMillimeters: 480, heightMillimeters: 270),
        PanelSize(widthPixels: 320, heightPixels: 480, widthMillimeters: 49, heightMillimeters: 73.5),
    ]

    static func run(_ input: UnsafeRawBufferPointer) -> String? {
        let texts = input.split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
        let files = texts.enumerated().map { (path: "\($0.offset).toml", text: Array($0.element)) }
        let (configuration, diagnostics) = ConfigurationReader.read(files)
        for diagnostic in diagnostics {
            if let complaint = check(diagnostic, files) { return complaint }
        }
        let hasErrors = diagnostics.contains { $0.isError }
        guard let configuration else { return hasErrors ? nil : "refused without an error" }
        if hasErrors { return "accepted with an error" }
        for warning in configuration.panelWarnings() {
            if warning.isError { return "a late error: \(warning)" }
            if let complaint = check(warning, files) { return complaint }
        }
        for panel in panels {
            if let complaint = check(configuration, on: panel) { return complaint }
        }
        return checkScenes(configuration) ?? ScriptedTouches.play(configuration)
    }

    /// Lays out some of the scenes with a region switched off.
    private static func checkScenes(_ configuration: Configuration) -> String? {
        var runtime = RuntimeState()
        runtime.switchedOff = Set(configuration.regions.map { $0.id }.prefix(1))
        for scene in configuration.sceneIDs.prefix(3) {
            runtime.scene = scene
            if let complaint = check(configuration.applying(runtime), on: panels[1]) { return complaint }
        }
        guard !configuration.scenes.isEmpty else { return nil }
        return ScriptedTouches.play(configuration.applying(runtime))
    }

    private static func check(_ diagnostic: Diagnostic, _ files: [(path: String, text: [UInt8])]) -> String? {
        guard let file = files.first(where: { $0.path == diagnostic.file }) else { return "no file: \(diagnostic)" }
        let lines = file.text.reduce(1) { $1 == 0x0A ? $0 + 1 : $0 }
        guard diagnostic.line >= 1, diagnostic.line <= lines, diagnostic.column >= 1, diagnostic.length >= 1 else {
            return "no valid location (\(diagnostic.line):\(diagnostic.column), \(lines) lines): \(diagnostic)"
        }
        if diagnostic.message.contains("\n") { return "more than one line: \(diagnostic)" }
        if diagnostic.message.isEmpty || diagnostic.message.hasSuffix(".") { return "not a message: \(diagnostic)" }
        if diagnostic.description.unicodeScalars.contains(where: { $0.value < 0x20 && $0 != "\n" && $0 != "\t" }) {
            return "control characters: \(diagnostic)"
        }
        return nil
    }

    private static func check(_ configuration: Configuration, on panel: PanelSize) -> String? {
        let (regions, warnings) = configuration.regions(for: panel)
        if let error = warnings.first(where: { $0.isError }) { return "a late error: \(error)" }
        for index in regions.regionIndices {
            let region = regions[index]
            if let parent = region.parent, parent >= index { return "\(region.id) comes before its parent" }
            let box = region.bounds
            guard
                [box.minX, box.minY, box.maxX, box.maxY, region.margin, region.leaveDistance].allSatisfy({ $0.isFinite }
                )
            else { return "\(region.id) has an invalid box: \(box)" }
            if Set(region.gestures.map { $0.name }).count != region.gestures.count {
                return "\(region.id): a duplicate name"
            }
            if regions.decisionDelays(of: index).count != region.gestures.count { return "\(region.id): delays" }
        }
        return nil
    }
}
