// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureEngine

/// The regions of an example, on the panel of 200 x 100 mm on which `simulate` plays.
///
///     # press, tap                               one region that covers the panel
///     # list: drag axis=vertical                 such a region with a name
///     # button 50,20 40x20 in list: press, tap   x, y in its parent, then width and height
///     # screen pass: tap fingers=3               `z=1`, `margin=2mm`, `pass` before the colon
///     # map: drag, pinch unless=drag             `a+b` is a list; a step of a pattern is `tap@region`
///     # stroke points=0x0+1x2                    a point of a stroke is `1x2`
///     # [arbitration] priority=pinch+drag simultaneous=map.drag+map.pinch,map.drag+map.rotate
///
/// The regions are translated into a configuration with the same keys.
struct ExampleRegions {
    private(set) var configuration: Configuration?
    private(set) var regions: [Region] = []
    /// Lines that cannot be parsed. A test must fail if there are any.
    private(set) var mistakes: [String] = []
    private(set) var arbitration = ArbitrationSettings()
    private var toml = "version = 1\n"

    init(_ lines: [String]) {
        let rules = lines.filter(Self.isArbitration)
        for line in rules { toml += Self.arbitration(line) }
        for line in lines where !Self.isArbitration(line) { append(line) }
        let outcome = ConfigurationReader.read(toml, path: "example")
        configuration = outcome.configuration
        mistakes += outcome.diagnostics.filter { $0.isError }.map(\.description)
        regions = configuration?.regions(for: Self.panel).regions ?? []
        arbitration = configuration?.arbitration ?? ArbitrationSettings()
    }

    /// The panel has one pixel per millimetre.
    static let panel = PanelSize(
        widthPixels: 200, heightPixels: 100, widthMillimeters: 200, heightMillimeters: 100)

    private mutating func append(_ line: String) {
        let parts = line.dropFirst().split(separator: ":", maxSplits: 1)
        guard let list = parts.last else { return mistakes.append(line) }
        var words = (parts.count == 2 ? parts[0] : "r").split(separator: " ").map(String.init)[...]
        toml += "[[region]]\nid = \"\(words.popFirst() ?? "")\"\n"
        let isBox = words.first?.contains(",") == true
        toml += "shape = \(isBox ? Self.box(words.popFirst(), words.popFirst()) : "\"full\"")\n"
        while let word = words.popFirst() {
            toml += word == "in" ? "parent = \"\(words.popFirst() ?? "")\"\n" : Self.option(word) + "\n"
        }
        toml += "gestures = [\(list.split(separator: ",").map { Self.gesture(String($0)) }.joined(separator: ", "))]\n"
    }

    private static func isArbitration(_ line: String) -> Bool { line.hasPrefix("# [arbitration]") }

    private static func arbitration(_ line: String) -> String {
        var toml = "[arbitration]\n"
        for word in line.split(separator: " ").dropFirst(2) {
            guard word.hasPrefix("simultaneous=") else {
                toml += Self.option(String(word)) + "\n"
                continue
            }
            let pairs = word.dropFirst("simultaneous=".count).split(separator: ",").map { pair in
                Self.option("simultaneous=\(pair)").dropFirst("simultaneous = ".count)
            }
            toml += "simultaneous = [\(pairs.joined(separator: ", "))]\n"
        }
        return toml
    }

    private static func box(_ corner: String?, _ size: String?) -> String {
        let size = size?.split(separator: "x").joined(separator: ", ")
        return "{ rect = [\(corner ?? ""), \(size ?? "")] }"
    }

    /// Translates `drag axis=vertical` into an inline table.
    private static func gesture(_ text: String) -> String {
        let words = text.split(separator: " ").map(String.init)
        return "{ \((["type=\(words.first ?? "")"] + words.dropFirst()).map(option).joined(separator: ", ")) }"
    }

    /// Keys whose value is a list, even for a single element.
    private static let lists: Set<String> = [
        "directions", "path", "after", "unless", "steps", "priority", "simultaneous",
    ]

    /// Translates an option such as `wait`, `fingers=2`, `slop=4mm` or `directions=left+right` into a key and
    /// its value.
    private static func option(_ text: String) -> String {
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { return "\(text) = true" }
        if Double(parts[1]) != nil { return "\(parts[0]) = \(parts[1])" }
        if parts[0] == "points" {
            return "points = [[\(parts[1].replacing("x", with: ", ").replacing("+", with: "], ["))]]"
        }
        let words = parts[1].split(separator: "+").map { "\"\($0)\"".replacing("@", with: " ") }
        let isList = lists.contains(parts[0])
        return "\(parts[0]) = \(isList ? "[\(words.joined(separator: ", "))]" : words.joined())"
    }
}
