// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine
import GestureProtocol

extension PanelPipeline {
    /// Plays a tap and a stroke on a panel like this one, with one gesture of each kind that it has, and forgets them: what
    /// a touch runs is in memory then, when the first finger comes.
    ///
    /// It takes as long as some touches do, however many regions there are.
    /// - Returns: how many lines these have made.
    @discardableResult
    package static func warmUp(_ setup: PanelSetup) -> Int {
        guard let x = setup.middle(EventCode.absMTPositionX, or: EventCode.absX),
            let y = setup.middle(EventCode.absMTPositionY, or: EventCode.absY)
        else { return 0 }
        var pipeline = PanelPipeline(setup.likeness)
        pipeline.tallies = RegionTallies()
        var text = JSONWriter()
        var lines = 0
        let sink: Sink = { line in
            text.removeAll()
            line.write(number: 1, into: &text)
            lines += 1
        }
        var time = Timestamp(microseconds: 1_000_000)
        func play(_ contact: SlotState) {
            time = time + .milliseconds(8)
            pipeline.feed(SlotTable(slots: [contact], current: 0).events(at: time)[...], sink)
            if let deadline = pipeline.nextDeadline, deadline <= time { pipeline.advance(to: time, sink) }
        }
        for steps in [0, 8] as [Int32] {
            for step in 0...steps { play(SlotState(trackingID: steps, x: x.at(step), y: y.at(step))) }
            play(SlotState(x: x.at(steps), y: y.at(steps)))
        }
        pipeline.advance(to: time + .milliseconds(10_000), sink)
        return lines
    }
}

extension PanelSetup {
    /// The same panel with a single region, which has one gesture of each kind that the first regions have.
    fileprivate var likeness: PanelSetup {
        var kinds: Set<GestureKind> = []
        var gestures: [Gesture] = []
        for region in regions.prefix(64) {
            for gesture in region.gestures where kinds.insert(gesture.settings.kind).inserted {
                gestures.append(Gesture(name: gesture.name, word: gesture.word, settings: gesture.settings))
            }
        }
        var result = self
        result.touchProtocol = .slots(count: 1)
        result.filter.storm = nil
        result.filter.masks = []
        result.arbitration = ArbitrationSettings()
        result.regions = [
            Region(
                id: "", shape: .rectangle(size.bounds), bounds: size.bounds, clip: size.bounds, gestures: gestures)
        ]
        return result
    }

    /// A way from the middle of an axis, in device units.
    fileprivate func middle(_ code: UInt16, or other: UInt16) -> Way? {
        guard let axis = description.axis(code) ?? description.axis(other) else { return nil }
        let (minimum, maximum) = (Int64(axis.minimum), Int64(axis.maximum))
        return Way(start: (minimum + maximum) / 2, step: (maximum - minimum) / 64)
    }
}

/// Positions on an axis.
private struct Way {
    let start: Int64
    let step: Int64

    func at(_ number: Int32) -> Int32 { Int32(clamping: start + Int64(number) * step) }
}
