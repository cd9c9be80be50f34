// SPDX-License-Identifier: MIT
import GestureEngine
import GestureTestSupport

/// The regions of an example, on the panel of 200 x 100 mm that `simulate` plays on.
///
///     # press, tap                               one region that is the whole panel
///     # list: drag axis=vertical                 the same, with a name
///     # button 50,20 40x20 in list: press, tap   at x, y, so wide and high, a child of `list`
///     # screen pass: tap fingers=3               `z=1`, `margin=2`, `pass`, `disabled` before the colon
struct ExampleRegions {
    private(set) var regions: [Region] = []
    /// What could not be read; a test must fail on it.
    private(set) var mistakes: [String] = []

    init(_ lines: [String]) {
        for line in lines { read(line) }
    }

    private mutating func read(_ line: String) {
        let parts = line.dropFirst().split(separator: ":", maxSplits: 1)
        guard let list = parts.last else { return mistakes.append(line) }
        let gestures = list.split(separator: ",").compactMap { gesture($0.split(separator: " ").map(String.init)) }
        var region = Region(
            id: "r", shape: .rectangle(Self.panel), bounds: Self.panel, clip: Self.panel, gestures: gestures)
        if parts.count == 2 { place(&region, parts[0].split(separator: " ").map(String.init)) }
        regions.append(region)
    }

    private static let panel = Rectangle(minX: 0, minY: 0, maxX: 200, maxY: 100)

    private mutating func place(_ region: inout Region, _ words: [String]) {
        var words = words[...]
        region.id = words.popFirst() ?? ""
        while let word = words.popFirst() {
            let value = Double(word.drop { $0 != "=" }.dropFirst()) ?? 0
            if word.contains(","), let size = words.popFirst(), let box = Self.box(word, size) {
                region.shape = .rectangle(box)
                region.bounds = box
            } else if word == "in", let name = words.popFirst() {
                region.parent = regions.firstIndex { $0.id == name }
                if region.parent == nil { mistakes.append("in \(name)") }
            } else if word == "pass" {
                region.pass = true
            } else if word == "disabled" {
                region.isEnabled = false
            } else if word.hasPrefix("z=") {
                region.z = Int(value)
            } else if word.hasPrefix("margin=") {
                region.margin = value
            } else {
                mistakes.append(word)
            }
        }
    }

    private static func box(_ corner: String, _ size: String) -> Rectangle? {
        let corner = corner.split(separator: ",").compactMap { Double($0) }
        let size = size.split(separator: "x").compactMap { Double($0) }
        guard corner.count == 2, size.count == 2 else { return nil }
        return Rectangle(minX: corner[0], minY: corner[1], maxX: corner[0] + size[0], maxY: corner[1] + size[1])
    }

    private mutating func gesture(_ words: [String]) -> Gesture? {
        guard let word = words.first, var settings = Self.defaults[word] else {
            mistakes.append(words.joined(separator: " "))
            return nil
        }
        var name = word
        for option in words.dropFirst() {
            let parts = option.split(separator: "=", maxSplits: 1).map(String.init)
            let value = parts.count == 2 ? parts[1] : ""
            if parts[0] == "name" {
                name = value
            } else if !settings.set(parts[0], value) {
                mistakes.append(option)
            }
        }
        return Gesture(name: name, word: word, settings: settings)
    }

    private static let defaults: [String: GestureSettings] = [
        "press": .press(PressSettings()), "tap": tap(), "double_tap": tap(count: 2),
        "two_finger_tap": tap(fingers: 2), "long_press": longPress(), "repeat": repeating(), "drag": drag(),
        "swipe": swipe(),
    ]
}
