// SPDX-License-Identifier: MIT
import ContactTracking
import GestureConfiguration
import GestureEngine
import GesturePipeline
import GestureProtocol
import GestureTestSupport
import StreamVerifier
import TouchSharing

/// Plays a run on a whole panel, from kernel events to lines, and checks the lines against the protocol.
package struct PanelPlayer: ~Copyable {
    private var pipeline: PanelPipeline
    private let sink = Lines()
    private let interest: LineInterest
    /// Checks the application's events; only for a shared panel.
    private var watch: TwinWatch?
    private let twinEvents = TwinEvents()
    private let seed: UInt64
    /// Whether the panel is shared, or compared with one that is.
    private let isShared: Bool
    /// Whether deadlines fire when they are due. Otherwise they fire late, with the next event.
    private var isPunctual = false
    /// The display; `nil` if the panel has no guard against touches that wake it.
    private let display: Display?

    private final class Display {
        var isOff = false
    }

    private final class TwinEvents {
        /// Writes to the twin that have not been passed to `watch` yet.
        var list: [[KernelEvent]] = []
        /// The events of all others.
        var all: [KernelEvent] = []
    }

    /// The receiver of the lines.
    private final class Lines {
        var verifier = StreamVerifier(.everything, isWholeConnection: false)
        var number: Int64 = 0
        var text = JSONWriter()
        /// The lines without `seq`; `nil` if they are not compared.
        var kept: [String]?

        func take(_ line: borrowing EventLine) {
            number += 1
            text.removeAll()
            line.write(number: number, into: &text)
            text.withBytes { verifier.take(UnsafeBufferPointer(rebasing: $0.dropLast())) }
            // All other lines depend on the clients' subscriptions.
            if kept != nil, line.event == .gesture, line.phase != .update { kept?.append(line.body.text) }
        }
    }

    /// The first law that a run's panel violates, alone or compared with its variant; `nil` if there is none.
    package static func violation(
        of run: LawRun, seed: UInt64, _ variant: PanelVariant?, _ tally: inout SharedTally
    ) -> LawViolation? {
        guard run.size == Vector(dx: 200, dy: 100), let setup = Self.setup(nil) else {
            return LawViolation("setup", "the panel cannot be set up")
        }
        var base = PanelPlayer(setup, run, seed, nil, compares: variant)
        if let violation = base.play(run, seed, nil) { return violation }
        guard let variant, let setup = Self.setup(variant) else { return nil }
        var other = PanelPlayer(setup, run, seed, variant, compares: variant)
        let violation = other.play(run, seed, variant)
        if let watch = other.watch { tally.add(watch.laws.tally) }
        if let violation { return violation }
        return difference(base.sink.kept ?? [], other.sink.kept ?? [], "\(variant)")
            ?? other.latenessChange(run, variant)
    }

    /// The law that a late wake-up changes neither a line nor an event of the application. The display is looked at when
    /// a deadline fires, so a panel with a guard is left out.
    private func latenessChange(_ run: LawRun, _ variant: PanelVariant) -> LawViolation? {
        guard watch != nil || variant == .again, display == nil, let setup = Self.setup(variant) else { return nil }
        var punctual = PanelPlayer(setup, run, seed, variant, compares: variant)
        punctual.isPunctual = true
        // The application's events are checked in the late run only, and must be the same here.
        _ = punctual.play(run, seed, variant)
        return Self.difference(sink.kept ?? [], punctual.sink.kept ?? [], "late")
            ?? Self.difference(twinEvents.all, punctual.twinEvents.all, "late")
    }

    private static func difference<Element: Equatable>(
        _ a: [Element], _ b: [Element], _ law: String
    ) -> LawViolation? {
        for i in 0..<max(a.count, b.count) {
            let (left, right) = (i < a.count ? a[i] : nil, i < b.count ? b[i] : nil)
            let words = [left, right].map { $0.map { "\($0)" } ?? "nothing" }
            if left != right { return LawViolation(law, "\(words[0]) became \(words[1])") }
        }
        return nil
    }

    private init(
        _ setup: PanelSetup, _ run: LawRun, _ seed: UInt64, _ variant: PanelVariant?, compares: PanelVariant?
    ) {
        var setup = setup
        self.seed = seed
        isShared = compares?.cancel != nil
        setup.regions = run.worlds[0].regions
        if let cancel = variant?.cancel {
            (setup.share, setup.cancel) = (.forward, cancel)
            setup.regions = SharedWorld.share(setup.regions, seed)
            setup.application = SharedWorld.filter(seed, scene: 0)
            watch = TwinWatch(slots: setup.touchProtocol.slotCount, cancel: cancel, setup.application)
        }
        display = isShared && SharedWorld.isGuarded(seed) ? Display() : nil
        if display != nil { setup.wake = WakeSettings() }
        setup.arbitration = run.worlds[0].arbitration
        // Ghosts are counted as landings, so only one of the two runs might have a storm.
        if compares == .haunted { setup.filter.storm = nil }
        if compares == .flickering || seed % 3 == 1 { setup.filter.bridge = KernelWriter.bridge }
        // If a contact that is ignored flickers, it lands again as a new contact.
        if compares == .flickering { (setup.filter.storm, setup.filter.maxContactAge) = (nil, nil) }
        pipeline = PanelPipeline(setup)
        if let display {
            pipeline.guardWake(
                reason: { display.isOff ? .display : nil }, wakes: { _ in display.isOff = seed % 2 == 0 })
        }
        let isLoud = variant != .quiet
        interest = LineInterest(
            updates: isLoud, touches: isLoud && seed % 3 == 0, frames: isLoud && seed % 5 == 0,
            failures: isLoud && seed % 2 == 0)
        pipeline.interest = interest
        if variant == .haunted { pipeline.setInitial(SlotTable(slots: KernelWriter.elders)) }
        sink.kept = compares == nil ? nil : []
        sink.verifier.setPanel(setup.device, width: setup.size.widthPixels, height: setup.size.heightPixels)
    }

    private mutating func startSharing() {
        watch?.setMapping(pipeline.tracker.mapping)
        pipeline.startSharing { [twinEvents] in twinEvents.list.append($0) }
    }

    private mutating func play(_ run: LawRun, _ seed: UInt64, _ variant: PanelVariant?) -> LawViolation? {
        let sink = sink
        var last = Timestamp(microseconds: 0)
        if watch != nil { startSharing() }
        let writer = KernelWriter(run, seed: seed, variant: variant, isShared: isShared)
        for step in writer.steps { tell(step, variant, &last) }
        var turns = 0
        while let deadline = pipeline.nextDeadline, turns < 100_000 {
            pipeline.advance(to: deadline) { sink.take($0) }
            takeTwin()
            last = max(last, deadline)
            watch?.compare(at: deadline, pipeline)
            turns += 1
        }
        watch?.finish()
        if turns == 100_000 { return LawViolation("deadlines", "there is always another one") }
        if variant != .haunted, !pipeline.isIdle { return LawViolation("idle", "the pipeline is not idle at the end") }
        pipeline.remove(at: last) { sink.take($0) }
        takeTwin()
        if let violation = watch?.violation { return violation }
        sink.verifier.finish()
        return sink.verifier.violations.first.map { LawViolation("stream \($0.law)", $0.description) }
    }

    private mutating func tell(_ step: KernelStep, _ variant: PanelVariant?, _ last: inout Timestamp) {
        let sink = sink
        if let display { watch?.setDisplay(isOff: display.isOff) }
        switch step {
        case .events(let events):
            let before = last
            last = max(last, events.last?.time ?? last)
            if isPunctual, let first = events.first { fireDeadlines(before: first.time) }
            if variant == .profiled { feed(events, withOtherProfileSince: before, at: last) } else { feed(events) }
        case .resynchronize(let table, let time):
            watch?.takePanel(table)
            pipeline.resynchronize(table, at: time) { sink.take($0) }
            compare(at: time)
        case .advance(let time):
            pipeline.advance(to: time) { sink.take($0) }
            compare(at: time)
        case .cancelAll(let reason, let time):
            pipeline.cancelAll(reason, at: time) { sink.take($0) }
            takeTwin()
            // Without a contact to cancel, lifts that are due come only with the next deadline or frame.
            watch?.advance(to: time)
        case .cancel(let region, let time):
            pipeline.cancel(.client, where: { $0.id == region }, at: time) { sink.take($0) }
            compare(at: time)
        case .replace(let world, let time): replace(world, at: time)
        case .suspend(let time):
            pipeline.suspend(at: time) { sink.take($0) }
            takeTwin()
            watch?.interrupt()
            compare(at: time)
        case .restart(let time): restart(at: time)
        case .scene(let filter, let time):
            guard watch != nil else { return }
            watch?.setFilter(filter, pipeline)
            pipeline.switchRegions(isShown: { $0.isEnabled }, filter, at: time) { sink.take($0) }
        case .displayOff: display?.isOff = true
        case .updates(let isOn): pipeline.interest.updates = isOn && interest.updates
        case .failures(let isOn): pipeline.interest.failures = isOn && interest.failures
        }
    }

    private mutating func fireDeadlines(before time: Timestamp) {
        let sink = sink
        while let deadline = pipeline.nextDeadline, deadline <= time {
            pipeline.advance(to: deadline) { sink.take($0) }
            takeTwin()
        }
    }

    private mutating func feed(_ events: [KernelEvent]) {
        let sink = sink
        guard watch != nil else { return pipeline.feed(events[...]) { sink.take($0) } }
        for event in events {
            watch?.takePanel(event)
            pipeline.feed(event) { sink.take($0) }
            takeTwin()
            if event.type == EventCode.evSyn, event.code == EventCode.synDropped { watch?.interrupt() }
            if event.endsFrame { compare(at: event.time) }
        }
    }

    /// Feeds events while another profile is in force, unless a contact may land in a region that has the profile.
    private mutating func feed(
        _ events: [KernelEvent], withOtherProfileSince before: Timestamp, at time: Timestamp
    ) {
        let (sink, own) = (sink, pipeline.setup)
        let lands = events.contains { $0.code == EventCode.absMTTrackingID && $0.value >= 0 }
        guard !lands, !own.regions.contains(where: { $0.capture == .follow }) else { return feed(events) }
        var other = own
        // A pattern may begin without a landing. Its region and those around it then keep the other profile.
        let kept = own.regions.aroundPatterns
        for i in other.regions.regionIndices where !kept.contains(i) { other.regions[i.raw].changeProfile() }
        other.filter.maxTouch = 1
        pipeline.changeProfile(other, at: before) { sink.take($0) }
        feed(events)
        pipeline.followProfile(at: time) { sink.take($0) }
        pipeline.changeProfile(own, at: time) { sink.take($0) }
    }

    private mutating func replace(_ world: LawWorld, at time: Timestamp) {
        let sink = sink
        var setup = pipeline.setup
        setup.regions = watch == nil ? world.regions : SharedWorld.share(world.regions, seed)
        setup.arbitration = world.arbitration
        pipeline.replaceRegions(setup, at: time) { sink.take($0) }
        compare(at: time)
    }

    /// Ends sharing, and begins it again.
    private mutating func restart(at time: Timestamp) {
        guard watch != nil else { return }
        pipeline.liftShared(at: time)
        takeTwin()
        watch?.finish()
        watch?.interrupt()
        pipeline.endSharing()
        startSharing()
        compare(at: time)
    }

    /// Passes the application's events to `watch`, and compares them with the panel.
    private mutating func compare(at time: Timestamp) {
        takeTwin()
        watch?.compare(at: time, pipeline)
    }

    private mutating func takeTwin() {
        for events in twinEvents.list {
            watch?.takeTwin(events)
            twinEvents.all += events
        }
        twinEvents.list = []
    }

    static func setup(_ variant: PanelVariant?) -> PanelSetup? {
        let text = panelTable([1920, 1080], millimeters: [200, 100])
        guard let configuration = ConfigurationReader.read(text).0,
            case .ready(let setup) = PanelDecision(device(variant), configuration, fallbackName: "panel")
        else { return nil }
        return setup
    }

    private static func device(_ variant: PanelVariant?) -> DeviceDescription {
        let factor: Int32 = variant == .finer ? 2 : 1
        func axis(_ count: Int32) -> AxisRange { AxisRange(minimum: 0, maximum: count - 1) }
        let x = axis(4000 * factor)
        let y = axis(2000 * factor)
        let slots = Int32(KernelWriter.slots + KernelWriter.ghostSlots)
        return DeviceDescription(
            name: "Random Touchscreen", properties: [1], keys: [Int(EventCode.btnTouch)],
            axes: [
                Int(EventCode.absX): x, Int(EventCode.absY): y, Int(EventCode.absMTSlot): axis(slots),
                Int(EventCode.absMTPositionX): x, Int(EventCode.absMTPositionY): y,
                Int(EventCode.absMTTrackingID): axis(65_536), Int(EventCode.absMTToolType): axis(16),
                Int(EventCode.absMTDistance): axis(256),
            ],
            udev: ["ID_INPUT_TOUCHSCREEN": "1"])
    }
}
