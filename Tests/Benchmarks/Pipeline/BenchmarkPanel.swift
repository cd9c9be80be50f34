// SPDX-License-Identifier: MIT
import ContactTracking
import GestureConfiguration
import GesturePipeline

/// A panel of 1024 x 1024 px with twenty regions in a grid, each with the same gestures.
enum BenchmarkPanel {
    static let regions = 20

    /// - Parameter gestures: the gestures of each region, in the notation of the configuration.
    static func setup(_ gestures: String) throws(BenchmarkError) -> PanelSetup {
        let (read, diagnostics) = ConfigurationReader.read(text(gestures))
        guard let configuration = read else { throw BenchmarkError("\(diagnostics)") }
        switch PanelDecision(FingerEvents.device, configuration, fallbackName: "panel") {
        case .ready(let setup): return setup
        case .refused(_, let reason), .ignored(_, let reason): throw BenchmarkError(reason)
        }
    }

    private static func text(_ gestures: String) -> String {
        var text = """
            version = 1
            [[device]]
            id = "panel"
            match = { name = "*" }
            output = { size = [1024, 1024] }
            [filter]
            max_contact_age = "off"

            """
        for region in 0..<regions {
            text += """
                [[region]]
                id = "r\(region)"
                shape = { rect = ["\(region % 5 * 20)%", "\(region / 5 * 25)%", "20%", "25%"] }
                gestures = [\(gestures)]

                """
        }
        return text
    }
}
