// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureEngine
import GestureTestSupport
import Testing

/// Gestures are recognized no later than `decisionDelays` states, even if they wait for others.
@Suite("Decision delays of random regions")
struct DelayLawTests {
    private static let bounds = Rectangle(minX: 0, minY: 0, maxX: 200, maxY: 100)

    private static func settings(_ random: inout SeededRandom) -> GestureSettings {
        switch Int.random(in: 0..<12, using: &random) {
        case 0: return .press(PressSettings())
        case 1: return tap(count: 2)
        case 2: return tap(wait: true)
        case 3: return longPress { $0.delay = .milliseconds(Int64.random(in: 1...9, using: &random) * 100) }
        case 4: return repeating { $0.delay = .milliseconds(Int64.random(in: 1...9, using: &random) * 100) }
        case 5: return drag { $0.start = 3 }
        case 6: return .swipe(SwipeSettings())
        case 7: return .pinch(PinchSettings())
        case 8: return dial { $0.start = .random(in: 0...20, using: &random) }
        case 9: return chain([.right]) { $0.maxTime = .milliseconds(Int64.random(in: 1...9, using: &random) * 100) }
        case 10: return stroke([(0, 0), (1, 0)]) { $0.minLength = .random(in: 0...20, using: &random) }
        default: return tap()
        }
    }

    /// A region in which gestures wait only for preceding gestures.
    private static func region(_ random: inout SeededRandom) -> Region {
        var gestures: [Gesture] = []
        for number in 0..<Int.random(in: 2...5, using: &random) {
            var gesture = Gesture(name: "g\(number)", word: "g\(number)", settings: settings(&random))
            for other in gestures {
                switch Int.random(in: 0..<6, using: &random) {
                case 0, 1: gesture.unless.append(other.name)
                case 2: gesture.after.append(other.name)
                default: break
                }
            }
            gestures.append(gesture)
        }
        return Region(
            id: "r", shape: .rectangle(bounds), bounds: bounds, clip: bounds, gestures: gestures)
    }

    /// A contact that lands at 0 ms, may move, and then lifts.
    private static func touch(_ random: inout SeededRandom) -> (frames: [TouchFrame], lift: Timestamp) {
        let id = ContactID(1)
        var time = Timestamp(microseconds: 0)
        var position = Point(x: 50, y: 50)
        var frames = [TouchFrame(time: time, changes: [ContactChange(id: id, kind: .landed, position: position)])]
        func later() { time = time + .milliseconds(Int64.random(in: 1...600, using: &random)) }
        while Int.random(in: 0..<3, using: &random) > 0 {
            later()
            position.x += Double.random(in: 0...20, using: &random)
            frames.append(TouchFrame(time: time, changes: [ContactChange(id: id, kind: .moved, position: position)]))
        }
        later()
        frames.append(TouchFrame(time: time, changes: [ContactChange(id: id, kind: .lifted, position: position)]))
        return (frames, time)
    }

    @Test("hold", arguments: 0..<4)
    func hold(seed: UInt64) {
        var random = SeededRandom(seed)
        var recognized = 0
        for _ in 0..<1500 {
            let region = Self.region(&random)
            let (frames, lift) = Self.touch(&random)
            var engine = GestureEngine([region], bounds: Self.bounds)
            var events: [GestureEvent] = []
            for frame in frames { engine.process(frame, into: &events) }
            while let deadline = engine.nextDeadline { engine.advance(to: deadline, into: &events) }
            var first: [String: Timestamp] = [:]
            for event in events.reversed() { first[region.gestures[event.gesture].name] = event.time }
            recognized += first.count
            for (gesture, delay) in zip(region.gestures, [region].decisionDelays(of: 0)) {
                guard let time = first[gesture.name], let latest = latest(delay, lift, first) else { continue }
                // The tolerance covers swipes, which fail a microsecond after their time limit.
                #expect(
                    time <= latest + .milliseconds(1), "\(gesture.name): \(delay); \(Self.text(region, frames, first))")
            }
        }
        #expect(recognized > 1000)
    }

    private static func text(_ region: Region, _ frames: [TouchFrame], _ first: [String: Timestamp]) -> String {
        let gestures = region.gestures.map { gesture in
            let delay =
                switch gesture.settings {
                case .longPress(let settings): "\(settings.delay.wholeMilliseconds)"
                case .repeat(let settings): "\(settings.delay.wholeMilliseconds)"
                case .tap(let settings): "count \(settings.count) wait \(settings.wait)"
                default: ""
                }
            return "\(gesture.name) \(gesture.settings.kind) \(delay) unless \(gesture.unless) after \(gesture.after)"
        }
        let touch = frames.map {
            "\($0.time.microseconds / 1000) \($0.changes[0].kind) \(Int($0.changes[0].position.x))"
        }
        return
            "\(gestures.joined(separator: "; ")) | \(touch.joined(separator: ", ")) | \(first.mapValues { $0.microseconds })"
    }

    /// The latest time at which a gesture may be recognized; `nil` if it depends on a movement, which
    /// may come at any time.
    private func latest(_ delay: DecisionDelay, _ lift: Timestamp, _ first: [String: Timestamp]) -> Timestamp? {
        switch delay.moment {
        case .landing: Timestamp(microseconds: 0) + delay.interval
        case .lift: lift + delay.interval
        case .recognition(let names): names.compactMap { first[$0] }.max().map { $0 + delay.interval }
        case .movement, .never: nil
        }
    }
}
