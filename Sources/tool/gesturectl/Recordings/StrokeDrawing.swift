// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureEngine
import GestureProtocol

/// A shape that was drawn on a panel, to be used as a template of a stroke.
struct StrokeDrawing {
    /// More points hardly change the score.
    private static let mostPoints = 16
    /// Points that are closer to the line between their neighbours than this part of the shape's size are left out.
    private static let tolerance = 0.01
    /// Touches outside these limits were not meant as drawings.
    static let limits = AttemptLimits(distance: 5...10_000, duration: 0...60_000)

    /// The path as drawn.
    let path: StrokeTemplate
    /// The simplified path: its longer side is 100, and the coordinates are whole, so that all templates fit in a line of
    /// the configuration, which may have 256 dots.
    let template: StrokeTemplate

    init?(_ track: ContactTrack) {
        self.init(track.frames.flatMap { $0.changes.map(\.position) })
    }

    /// - Returns: `nil` if all points are the same.
    init?(_ points: [Point]) {
        let box = Shape.polygon(points).boundingBox
        let size = max(box.width, box.height)
        guard size > 0 else { return nil }
        path = StrokeTemplate(points)
        func rounded(_ value: Double) -> Double { (value / size * 100).rounded() }
        template = StrokeTemplate(
            Self.simplified(points, tolerance: size * Self.tolerance)
                .map { Point(x: rounded($0.x - box.minX), y: rounded($0.y - box.minY)) })
    }

    /// Leaves out the points that change the shape least (Douglas and Peucker).
    private static func simplified(_ points: [Point], tolerance: Double) -> [Point] {
        var kept = [0, points.count - 1]
        while kept.count < mostPoints {
            var farthest = (place: 0, distance: tolerance)
            for (start, end) in zip(kept, kept.dropFirst()) where end - start > 1 {
                for place in start + 1..<end {
                    let distance = Self.distance(points[place], from: points[start], to: points[end])
                    if distance > farthest.distance { farthest = (place, distance) }
                }
            }
            guard farthest.place > 0 else { break }
            kept.append(farthest.place)
            kept.sort()
        }
        return kept.map { points[$0] }
    }

    /// The distance of a point from a line segment.
    private static func distance(_ point: Point, from start: Point, to end: Point) -> Double {
        let (way, reach) = (end - start, point - start)
        guard way.squaredLength > 0 else { return reach.length }
        let part = (reach.dx * way.dx + reach.dy * way.dy) / way.squaredLength
        return (reach - way * min(max(part, 0), 1)).length
    }

    // MARK: Texts

    /// Describes a drawing: `84 mm wide, 60 mm high, 940 ms`.
    static func summary(_ attempt: [ContactTrack]) -> String {
        guard let track = attempt.first else { return "" }
        let points = track.frames.flatMap { $0.changes.map(\.position) }
        func extent(_ values: [Double]) -> String { shortest((values.max() ?? 0) - (values.min() ?? 0)) }
        let (width, height) = (extent(points.map(\.x)), extent(points.map(\.y)))
        return "\(width) mm wide, \(height) mm high, \(Int64(track.duration)) ms"
    }

    /// The gesture as in `gestures` of a region.
    static func gesture(_ name: String, _ drawings: [StrokeDrawing]) -> String {
        let templates = drawings.map { drawing in
            "[" + drawing.template.points.map { "[\(Int($0.x)), \(Int($0.y))]" }.joined(separator: ", ") + "]"
        }
        let points = templates.count == 1 ? templates[0] : "[\(templates.joined(separator: ", "))]"
        return "{ type = \"stroke\", name = \"\(name)\", points = \(points) }"
    }

    /// Formats a number with at most two decimals: `0.25`, `1`.
    private static func decimal(_ value: Double) -> String {
        var text = fixed(value, 2)
        while text.hasSuffix("0") { text.removeLast() }
        return text.hasSuffix(".") ? String(text.dropLast()) : text
    }

    // MARK: Checks

    /// Returns why a name cannot be that of a gesture, or `nil`.
    static func mistake(inName name: String) -> String? {
        let isPlain = !name.contains { $0 == "\"" || $0 == "\\" || $0.isNewline }
        let gesture = isPlain ? "{ type = \"stroke\", name = \"\(name)\", points = [[0, 0], [1, 1]] }" : "\"\""
        let text = "version = 1\n[[region]]\nid = \"r\"\nshape = \"full\"\ngestures = [\(gesture)]\n"
        let (_, diagnostics) = ConfigurationReader.read(text, path: "")
        guard let error = diagnostics.first(where: \.isError) else { return nil }
        return isPlain
            ? error.message : "--stroke \"\(name.safe)\" cannot be the name of a gesture; use letters and digits"
    }

    /// Returns what may be wrong with the drawings.
    /// - Parameters:
    ///   - name: the name of the gesture. Configured strokes with this name are not compared with it.
    ///   - regions: the regions of the panel as configured.
    static func remarks(_ drawings: [StrokeDrawing], name: String, regions: [Region]) -> [String] {
        short(drawings) + unlike(drawings) + lines(drawings) + others(drawings, name: name, regions: regions)
    }

    /// The score of a drawing with templates.
    private static func score(
        _ drawing: StrokeDrawing, _ templates: [StrokeTemplate], _ settings: StrokeSettings = StrokeSettings()
    ) -> Double {
        templates.map { $0.score(of: drawing.path, rotation: settings.rotation, closed: settings.closed) }.max() ?? 0
    }

    /// Whether each drawing is long enough.
    private static func short(_ drawings: [StrokeDrawing]) -> [String] {
        let least = StrokeSettings().minLength
        return drawings.enumerated().compactMap { number, drawing in
            let points = drawing.path.points
            let length = zip(points, points.dropFirst()).reduce(0) { $0 + ($1.1 - $1.0).length }
            guard length < least else { return nil }
            return
                "drawing \(number + 1) is \(shortest(length)) mm long, and min_length is \(shortest(least)) mm; "
                + "draw it larger"
        }
    }

    /// Whether each drawing would be recognized by the others.
    private static func unlike(_ drawings: [StrokeDrawing]) -> [String] {
        guard drawings.count > 1 else { return [] }
        let least = StrokeSettings().minScore
        return drawings.enumerated().compactMap { number, drawing in
            let others = drawings.enumerated().filter { $0.offset != number }.map(\.element.template)
            let score = score(drawing, others)
            guard score < least else { return nil }
            return
                "drawing \(number + 1) scores \(decimal(score)) with the others, and min_score is \(decimal(least)); "
                + "draw them more alike"
        }
    }

    private static func lines(_ drawings: [StrokeDrawing]) -> [String] {
        let line = [StrokeTemplate([.zero, Point(x: 1, y: 0)])]
        var anyWay = StrokeSettings()
        anyWay.rotation = 180
        let score = drawings.map { Self.score($0, line, anyWay) }.max() ?? 0
        guard score >= StrokeSettings().minScore else { return [] }
        return [
            "a straight line scores \(decimal(score)) with this, so swipes may be taken for it; set min_score higher, or draw "
                + "another shape"
        ]
    }

    private static func others(_ drawings: [StrokeDrawing], name: String, regions: [Region]) -> [String] {
        regions.flatMap { region in
            region.gestures.compactMap { gesture -> String? in
                guard case .stroke(let settings) = gesture.settings, gesture.name != name else { return nil }
                let scores = drawings.map { score($0, settings.templates, settings) }
                guard let score = scores.max(), score >= settings.minScore else { return nil }
                return "this is like \"\(gesture.name.safe)\" of region \"\(region.id.safe)\" (it scores "
                    + "\(decimal(score)) there); draw another shape"
            }
        }
    }
}
