// SPDX-License-Identifier: MIT
import GestureEngine

/// Generates regions that a configuration could define, with parents first, unique names and any shapes.
struct RegionMaker {
    static func regions(_ bytes: inout FuzzBytes, on panel: Rectangle) -> [Region] {
        let count = 1 + bytes.below(6)
        let ids = (0..<count).map { "r\($0)" }
        var regions: [Region] = []
        for id in ids { regions.append(region(id, &bytes, regions, panel, ids)) }
        return regions
    }

    static func arbitration(_ bytes: inout FuzzBytes, _ regions: [Region]) -> ArbitrationSettings {
        var settings = ArbitrationSettings()
        let names = regions.flatMap { region in
            region.gestures.map { ArbitrationSettings.Reference(region: region.id, gesture: $0.name) }
        }
        guard !names.isEmpty else { return settings }
        for _ in 0..<bytes.below(4) {
            settings.simultaneous.append(ArbitrationSettings.Pair(bytes.pick(names), bytes.pick(names)))
        }
        for _ in 0..<bytes.below(4) {
            let kind = bytes.pick(GestureKind.allCases)
            if !settings.priority.contains(kind) { settings.priority.append(kind) }
        }
        return settings
    }

    private static func region(
        _ id: String, _ bytes: inout FuzzBytes, _ earlier: [Region], _ panel: Rectangle, _ ids: [String]
    ) -> Region {
        let flags = bytes.byte()
        let parent = flags & 1 != 0 && !earlier.isEmpty ? RegionIndex(raw: bytes.below(earlier.count)) : nil
        let frame = parent.map { earlier[$0].bounds } ?? panel
        let clip = parent.map { earlier[$0].bounds.intersection(earlier[$0].clip) } ?? panel
        let shape = shape(&bytes, in: frame)
        var region = Region(
            id: id, shape: shape, bounds: shape.boundingBox, clip: clip, parent: parent,
            z: flags & 2 != 0 ? bytes.below(3) - 1 : 0, margin: flags & 4 != 0 ? 4 : 0, pass: flags & 24 == 8,
            isEnabled: flags & 96 != 32, leaveDistance: flags & 4 != 0 ? 0 : 4,
            gestures: GestureMaker.gestures(&bytes, ids: ids))
        if flags & 128 != 0 { region.capture = .follow }
        if flags & 192 == 64 { region.restAfter = .milliseconds(300) }
        if flags & 208 == 144 { region.contacts = .each }
        return region
    }

    private static func shape(_ bytes: inout FuzzBytes, in frame: Rectangle) -> Shape {
        let kind = bytes.below(6)
        let a = point(&bytes, frame)
        let b = point(&bytes, frame)
        switch kind {
        case 0, 1: return .rectangle(frame)
        case 2: return .circle(center: a, radius: max(0.1, (b - a).length))
        case 3: return .polygon([a, b, point(&bytes, frame), point(&bytes, frame)])
        default:
            return .rectangle(
                Rectangle(
                    minX: min(a.x, b.x), minY: min(a.y, b.y), maxX: max(a.x, b.x) + 0.1, maxY: max(a.y, b.y) + 0.1))
        }
    }

    private static func point(_ bytes: inout FuzzBytes, _ frame: Rectangle) -> Point {
        // A shape may extend slightly beyond the frame.
        let (x, y) = (bytes.fraction() * 1.1 - 0.05, bytes.fraction() * 1.1 - 0.05)
        return Point(x: frame.minX + x * frame.width, y: frame.minY + y * frame.height)
    }
}
