// SPDX-License-Identifier: MIT
import ContactTracking
import GestureConfiguration
import GestureEngine
import GesturePipeline
import GestureProtocol
import TouchSharing

/// Plays steps on one panel.
struct StreamPlayer: ~Copyable {
    /// The regions of a configuration.
    struct RegionSet {
        var regions: [Region]
        var arbitration = ArbitrationSettings()
    }

    let laws: LineLaws
    private var pipeline: PanelPipeline
    private let sets: [RegionSet]
    private var current = 0
    /// Whether each deadline fires at its time; otherwise several events are read at once, and time advances with them.
    private let isPunctual: Bool
    private var waiting: [KernelEvent] = []
    /// The state of the slots that an application has read from the twin.
    private var twin: SlotTable
    private let twinEvents = TwinEvents()

    /// Writes to the twin that have not been applied to `twin` yet.
    private final class TwinEvents {
        var list: [[KernelEvent]] = []
    }

    /// The maximum number of deadlines in a row; a longer series is reported as an endless loop.
    private static let mostDeadlines = 1_000_000

    init(_ setup: PanelSetup, _ sets: [RegionSet], isPunctual: Bool) {
        let sets = sets.map { Self.keepingSome($0) }
        self.sets = sets
        self.isPunctual = isPunctual
        laws = LineLaws(isPunctual ? "punctual" : "late", setup)
        var setup = setup
        (setup.regions, setup.arbitration) = (sets[0].regions, sets[0].arbitration)
        (setup.share, setup.cancel) = (.forward, isPunctual ? .lift : .palm)
        setup.application = Self.application(0, isPunctual: isPunctual)
        pipeline = PanelPipeline(setup)
        twin = SlotTable(slots: Array(repeating: SlotState(), count: Admission.maximumSlots), current: 0)
        // The panel is shared, which must not change any line.
        pipeline.startSharing { [twinEvents] in twinEvents.list.append($0) }
        pipeline.idle = Self.idleWatch()
        // One of the two runs also reports failures, which must not change any other line.
        pipeline.interest = LineInterest(updates: true, failures: isPunctual)
    }

    /// The application's filter while a set of regions is in force.
    private static func application(_ set: Int, isPunctual: Bool) -> ApplicationFilter {
        var filter = ApplicationFilter()
        filter.maxContacts = isPunctual ? 1 + set : nil
        filter.minGap = set == 0 ? .milliseconds(isPunctual ? 60 : 300) : nil
        filter.filter = isPunctual == (set == 0)
        filter.bridge = isPunctual
        return filter
    }

    /// Changes some of the regions and gestures so that they keep contacts from the application.
    private static func keepingSome(_ set: RegionSet) -> RegionSet {
        var set = set
        for region in set.regions.indices {
            set.regions[region].touches = [.share, .hold, .capture][region % 3]
            for gesture in set.regions[region].gestures.indices where (region + gesture) % 2 == 0 {
                set.regions[region].gestures[gesture].consumes = true
            }
        }
        return set
    }

    /// An idle watch with three idle times: the shortest possible one, one that switches the scene, and one as long as
    /// a tap's gap.
    private static func idleWatch() -> IdleWatch {
        let text = """
            [[scene]]
            id = "saver"
            regions = []
            [[idle]]
            after = "100ms"
            [[idle]]
            id = "gap"
            after = "300ms"
            [[idle]]
            id = "saver"
            after = "2s"
            scene = "saver"
            """
        let watch = IdleWatch()
        let rules = ConfigurationReader.read(text).configuration?.idle ?? []
        _ = watch.apply(rules, in: "default", .reload, at: Timestamp(microseconds: 1_000_000))
        return watch
    }

    mutating func play(_ timed: StreamMaker.Timed) {
        defer { takeTwin() }
        let laws = laws
        if case .event(let event) = timed.step {
            guard isPunctual else { return waiting.append(event) }
            wake(upTo: event.time)
            pipeline.feed(event) { laws.check($0) }
            return
        }
        flush()
        wake(upTo: timed.time)
        switch timed.step {
        case .event: break
        case .resynchronize(let table): pipeline.resynchronize(table, at: timed.time) { laws.check($0) }
        case .cancel(let reason): pipeline.cancelAll(reason, at: timed.time) { laws.check($0) }
        case .cancelRegion(let number, let reason):
            let id = "r\(number)"
            pipeline.cancel(reason, where: { $0.id == id }, at: timed.time) { laws.check($0) }
        case .remove: pipeline.remove(at: timed.time) { laws.check($0) }
        case .replace(let reason): replace(reason, at: timed.time)
        case .interest(let bits):
            pipeline.interest = LineInterest(
                updates: bits & 1 == 0, touches: bits & 2 != 0, frames: bits & 4 != 0, failures: bits & 8 != 0)
        case .advance: pipeline.advance(to: timed.time) { laws.check($0) }
        }
    }

    /// Fires all remaining deadlines.
    mutating func finish() {
        flush()
        wake(upTo: .never)
        takeTwin()
        checkTwin()
        if !pipeline.isIdle { laws.complain("the pipeline is not idle at the end") }
        if let deadline = pipeline.nextDeadline { laws.complain("a deadline is left: \(deadline.microseconds)") }
        laws.finish()
    }

    /// Checks that the application has only contacts that are down on the panel.
    private func checkTwin() {
        let table = pipeline.tracker.table
        let isDown = table.slots.map { $0.isTouching }
        let down = twin.slots.indices.filter { twin.slots[$0].trackingID >= 0 }
        // A contact that goes on after the panel had lost it may be in another slot than on the panel.
        if isPunctual, down.count > isDown.count(where: { $0 }) {
            laws.complain("the application still has contacts in the slots \(down)")
        }
        for slot in down where !isPunctual && !(slot < isDown.count && isDown[slot]) {
            laws.complain("the application still has a contact in slot \(slot)")
        }
    }

    private mutating func takeTwin() {
        for events in twinEvents.list {
            twin.apply(events, isSingleTouch: false)
            if events.last?.endsFrame != true { laws.complain("the application gets a frame without an end") }
        }
        twinEvents.list = []
    }

    private mutating func flush() {
        let laws = laws
        pipeline.feed(waiting[...]) { laws.check($0) }
        waiting.removeAll(keepingCapacity: true)
    }

    private mutating func wake(upTo time: Timestamp) {
        let laws = laws
        var count = 0
        while let deadline = pipeline.nextDeadline, deadline <= time {
            pipeline.advance(to: deadline) { laws.check($0) }
            count += 1
            if count > Self.mostDeadlines { return laws.complain("the deadlines never end") }
            if let next = pipeline.nextDeadline, next <= deadline {
                return laws.complain("the deadline \(deadline.microseconds) is followed by \(next.microseconds)")
            }
        }
    }

    private mutating func replace(_ reason: CancelReason, at time: Timestamp) {
        let laws = laws
        current = (current + 1) % sets.count
        var setup = pipeline.setup
        (setup.regions, setup.arbitration) = (sets[current].regions, sets[current].arbitration)
        setup.application = Self.application(current, isPunctual: isPunctual)
        pipeline.replaceRegions(setup, removalReason: reason, at: time) { laws.check($0) }
    }
}
