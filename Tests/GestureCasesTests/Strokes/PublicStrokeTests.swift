// SPDX-License-Identifier: MIT
import Foundation
import GestureEngine
import GestureTestSupport
import Testing

/// One of the strokes of six people who drew sixteen shapes ten times each with a finger (`SharedData.strokes`).
private struct PublicStroke {
    let person: String
    let shape: String
    let points: [(time: Int64, position: Point)]

    /// `nil` unless the file is one of the set: `s01/arrow01.xml`.
    init?(_ file: URL) {
        guard file.pathExtension == "xml", let text = try? String(contentsOf: file, encoding: .utf8) else { return nil }
        person = file.deletingLastPathComponent().lastPathComponent
        shape = String(file.deletingPathExtension().lastPathComponent.prefix { !$0.isNumber })
        points = text.split(separator: "<Point ").dropFirst().compactMap { part in
            let values = part.split(separator: "\"")
            guard values.count > 5, let time = Int64(values[1]), let x = Double(values[3]), let y = Double(values[5])
            else { return nil }
            // The positions are pixels; 96 dpi are assumed.
            return (time * 1000, Point(x: x * 25.4 / 96, y: y * 25.4 / 96))
        }
        if points.isEmpty { return nil }
    }

    static let all: [PublicStroke] = {
        guard let folder = SharedData.strokes,
            let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        else { return [] }
        return files.compactMap { ($0 as? URL).flatMap(PublicStroke.init) }.sorted {
            ($0.person, $0.shape, $0.points[0].time) < ($1.person, $1.shape, $1.points[0].time)
        }
    }()
}

/// Recognizes what people drew with templates that others drew, with the shipped defaults.
@Suite(
    "Strokes of people",
    .enabled(if: SharedData.strokes != nil, "needs a public set of strokes, which is not part of the project"))
struct PublicStrokeTests {
    private static let panel = Rectangle(minX: 0, minY: 0, maxX: 1000, maxY: 1000)

    /// The name of the stroke that is recognized, in a region with these templates.
    private func name(
        _ stroke: PublicStroke, _ engine: inout GestureEngine, _ names: [String], from start: Int64
    ) -> String? {
        var events: [GestureEvent] = []
        func play(_ kind: ContactChange.Kind, _ time: Int64, _ position: Point) {
            let change = ContactChange(id: ContactID(start), kind: kind, position: position)
            engine.process(TouchFrame(time: Timestamp(microseconds: start + time), changes: [change]), into: &events)
        }
        let first = stroke.points[0].time
        for (place, point) in stroke.points.enumerated() {
            play(place == 0 ? .landed : .moved, point.time - first, point.position)
        }
        let last = stroke.points[stroke.points.count - 1]
        play(.lifted, last.time - first + 20_000, last.position)
        return events.first { !$0.isFailure }.map { names[$0.gesture.raw] }
    }

    @Test("are recognized with one and three templates of other people", arguments: [(1, 79.0, 8.0), (3, 91.0, 2.5)])
    func recognition(templates: Int, right: Double, wrong: Double) {
        let all = PublicStroke.all
        let (people, shapes) = (Set(all.map(\.person)).sorted(), Set(all.map(\.shape)).sorted())
        var random = SeededRandom(1)
        var (count, hits, misses, start) = (0, 0, 0, Int64(0))
        for person in people + people {
            var gestures: [Gesture] = []
            for shape in shapes {
                var others = people.filter { $0 != person }
                var settings = StrokeSettings()
                for _ in 0..<templates {
                    let other = others.remove(at: random.below(others.count))
                    let stroke = random.pick(all.filter { $0.person == other && $0.shape == shape })
                    settings.templates.append(StrokeTemplate(stroke.points.map(\.position)))
                }
                gestures.append(Gesture(name: shape, word: "stroke", settings: .stroke(settings)))
            }
            var region = region("page", (0, 0, 1000, 1000), [])
            (region.gestures, region.clip) = (gestures, Self.panel)
            var engine = GestureEngine([region], bounds: Self.panel)
            for stroke in all where stroke.person == person {
                start += 100_000_000
                count += 1
                guard let name = name(stroke, &engine, shapes, from: start) else { continue }
                if name == stroke.shape { hits += 1 } else { misses += 1 }
            }
        }
        #expect(count == 2 * 960)
        #expect(Double(hits) >= right / 100 * Double(count), "\(hits) of \(count)")
        #expect(Double(misses) <= wrong / 100 * Double(count), "\(misses) of \(count)")
    }
}
