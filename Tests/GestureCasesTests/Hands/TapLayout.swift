// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureEngine
import GestureTestSupport

/// The gestures of the regions that a hand taps. Each region also has a press, which shows where a finger lands.
enum TapLayout: String, CaseIterable, Sendable {
    case button = "`button`"
    case tap = "`tap`"
    case list = "`tap`, `long_press`; around it `drag`, `swipe`"
    case everything = "`tap`, `double_tap`, `long_press`, `drag`, `swipe`"

    private var gestures: [String] {
        switch self {
        case .button: ["press", "button"]
        case .tap: ["press", "tap"]
        case .list: ["press", "tap", "long_press"]
        case .everything: ["press", "tap", "double_tap", "long_press", "drag", "swipe"]
        }
    }

    static func id(_ target: Int) -> String { "target\(target)" }

    /// A configuration with a region for each target of a grid.
    func configuration(_ grid: TargetGrid, profile: String) throws -> Configuration {
        var regions = """
            [[region]]
            id = "page"
            shape = "full"
            gestures = [\(self == .list ? #"{ type = "drag", axis = "vertical" }, "swipe""# : "")]

            """
        for target in 0..<TargetGrid.count {
            let (middle, half) = (grid.middle(of: target), grid.size / 2)
            regions += """
                [[region]]
                id = "\(Self.id(target))"
                parent = "page"
                shape = { rect = ["\(middle.x - half)mm", "\(middle.y - half)mm", "\(grid.size)mm", "\(grid.size)mm"] }
                gestures = \(gestures)

                """
        }
        return try .of(regions, width: grid.panel.width, height: grid.panel.height, profile: profile)
    }
}

extension Configuration {
    /// Reads the regions of a panel of this size in millimetres, and puts a profile in force.
    static func of(_ regions: String, width: Double, height: Double, profile: String) throws -> Configuration {
        let (width, height) = (Int(width), Int(height))
        let panel = panelTable([width * 10, height * 10], millimeters: [width, height])
        let (configuration, diagnostics) = ConfigurationReader.read(panel + regions)
        guard let configuration else { throw TestFailure("\(diagnostics)") }
        var runtime = configuration.runtime
        runtime.profile = profile
        return configuration.applying(runtime)
    }
}
