// SPDX-License-Identifier: MIT
import GestureEngine
import GesturePipeline
import GestureProtocol
import Recordings
import TouchScripts

/// A gesture of a region, by the region's id and its own name.
struct GesturePlace: Hashable {
    var region: String
    var gesture: String
}

/// The result of a touch that was played on a panel.
struct TouchOutcome {
    /// A gesture that has begun.
    struct Begin: Hashable {
        var place: GesturePlace
        var kind: GestureKind
        var fingers: Int
        /// In microseconds.
        var time: Int64
    }

    /// The gestures that have begun, in order; a gesture without phases begins with its only line.
    private(set) var begun: [Begin] = []
    /// The gestures that came to their end.
    private(set) var completed: Set<GesturePlace> = []
    private(set) var failures: [GesturePlace: GestureFailure] = [:]
    /// The reasons for which gestures were cancelled that had begun.
    private(set) var cancels: [GesturePlace: CancelReason] = [:]
    /// The key of `[filter]` that has hidden a contact.
    private(set) var filter: String?

    /// - Parameter filter: the key of `[filter]` that has hidden a contact.
    fileprivate init(_ events: [(event: GestureEvent, region: Region)], filter: String?) {
        self.filter = filter
        for (event, region) in events { add(event, region) }
    }

    private mutating func add(_ event: GestureEvent, _ region: Region) {
        let gesture = region.gestures[event.gesture]
        let place = GesturePlace(region: region.id, gesture: gesture.name)
        if case .failed(let failure) = event.detail {
            failures[place] = failure
            return
        }
        switch event.phase {
        case nil, .begin:
            begun.append(
                Begin(
                    place: place, kind: gesture.settings.kind, fingers: event.fingers, time: event.time.microseconds))
            if event.phase == nil { completed.insert(place) }
        case .update: break
        case .end: completed.insert(place)
        case .cancel(let reason): cancels[place] = reason
        }
    }

    /// The reason why a gesture was not recognized, or why it was cancelled; `nil` if nothing was said about it.
    func loss(of place: GesturePlace) -> GestureFailure.Code? {
        failures[place]?.code ?? cancels[place].map { .cancelled($0) }
    }
}

/// A panel on which touches are played one by one, each as if there had been none before.
final class TouchPlayer {
    /// The most events of a touch.
    private static let mostEvents = 20_000

    private final class Notes {
        var events: [(event: GestureEvent, region: Region)] = []
        var filter: String?
    }

    private let setup: PanelSetup
    private let axes: DeviceAxes
    private var pipeline: PanelPipeline
    /// The time of the next landing.
    private var start = Timestamp(microseconds: 1_000_000)
    /// Whether an idle panel has no past. Patterns remember wrong steps.
    private let forgets: Bool

    init(_ setup: PanelSetup) {
        self.setup = setup
        axes = DeviceAxes(setup)
        pipeline = PanelPipeline(setup)
        forgets = !setup.regions.contains { $0.traits.contains(.hasPattern) }
    }

    /// Plays a touch, and waits until nothing more can come of it.
    /// - Parameter watchesFilters: whether to look for contacts that filters hide, which takes longer.
    func play(_ touch: SketchedTouch, watchesFilters: Bool = false) -> TouchOutcome {
        let notes = Notes()
        pipeline.interest = LineInterest(touches: watchesFilters, failures: true)
        pipeline.observer = { output in
            switch output {
            case .gesture(let event, let region): notes.events.append((event, region))
            case .touches(let report): notes.filter = notes.filter ?? report.hidden.first?.filter
            case .wake, .idle, .frame: break
            }
        }
        let recording = touch.recording(of: setup, axes, from: start)
        let isOver = RecordingReplay.run(
            recording, through: &pipeline, while: { notes.events.count < Self.mostEvents }
        ) { _ in }
        start = (recording.entries.last?.time ?? start) + RecordingReplay.limit + .milliseconds(1000)
        if !isOver || !forgets || !pipeline.isIdle { pipeline = PanelPipeline(setup) }
        return TouchOutcome(notes.events, filter: notes.filter)
    }
}
