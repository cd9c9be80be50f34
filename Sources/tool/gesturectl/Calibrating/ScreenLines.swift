// SPDX-License-Identifier: MIT
import ContactTracking

/// A panel and the output that it lies on, as lines for gestured and for compositors.
struct ScreenLines {
    /// The panel's `[[device]]`.
    let table: [String]
    let finding: PanelFinding
    let description: DeviceDescription

    /// The names of panels that sway and labwc distinguish by.
    private var name: String { description.name }

    /// The line for sway, which replaces what cannot be printed, and writes the ids as decimal numbers.
    var sway: String {
        let name = String(
            String.UnicodeScalarView(name.trimmed.unicodeScalars.map { (33...126).contains($0.value) ? $0 : "_" }))
        return "input \"\(description.vendor):\(description.product):\(name)\" map_to_output \(finding.value)"
    }

    /// The element for labwc.
    var labwc: String {
        let entities: [Character: String] = ["&": "&amp;", "<": "&lt;", "\"": "&quot;"]
        let name = name.map { entities[$0] ?? String($0) }.joined()
        return "<touch deviceName=\"\(name.safe)\" mapToOutput=\"\(finding.value)\" />"
    }

    /// The lines for all panels. Those for a compositor are copied, so they are not wrapped.
    static func text(_ all: [Self]) -> String {
        let names = all.map(\.name)
        var lines = all.flatMap { $0.table + [""] }
        if Set(names).count == names.count, !names.contains(where: { $0.contains { "\"\\$".contains($0) } }) {
            lines += ["# sway"] + all.map(\.sway)
            lines += ["# labwc: in <labwc_config> of rc.xml"] + all.map(\.labwc)
        } else {
            lines.append(
                "# sway and labwc cannot tell these panels apart by their names")
        }
        if let only = all.first, all.count == 1 {
            lines += ["# niri", "input { touch { map-to-output \"\(only.finding.value)\"; }; }"]
        } else {
            lines.append("# niri maps all panels to the same output")
        }
        lines.append("# udev: for weston and sway 1.7; wlroots 0.18, of sway 1.10 and labwc 0.8, does not read it")
        return (lines + all.map { $0.finding.rule(for: $0.description) }).joined(separator: "\n") + "\n"
    }
}

extension WaylandScreens.Screen {
    /// The finding about the panel on this output.
    var finding: PanelFinding {
        func turned(_ size: OutputSettings.Size) -> String {
            let sides = rotation.isOnSide ? [size.height, size.width] : [size.width, size.height]
            return "[\(sides.map { shortest($0) }.joined(separator: ", "))]"
        }
        var members: [String] = []
        if pixels.width > 0, pixels.height > 0 { members.append("size = \(turned(pixels))") }
        if millimeters.width > 0, millimeters.height > 0 { members.append("size_mm = \(turned(millimeters))") }
        if rotation != .none {
            members.append("rotation = \(rotation.isFlipped ? "\"\(rotation.rawValue)\"" : rotation.rawValue)")
        }
        return PanelFinding(.screen, key: "output = { \(members.joined(separator: ", ")) }", value: name)
    }
}

extension StringProtocol {
    /// The text without the spaces around it.
    fileprivate var trimmed: SubSequence {
        let start = drop { $0.isWhitespace }
        return start[..<(start.lastIndex { !$0.isWhitespace }.map { start.index(after: $0) } ?? start.startIndex)]
    }
}
