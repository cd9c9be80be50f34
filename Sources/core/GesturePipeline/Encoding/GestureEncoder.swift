// SPDX-License-Identifier: MIT
package import GestureEngine
package import GestureProtocol

/// Encodes the events of one panel as lines. This is the only mapping between the engine and the wire.
///
/// Converts millimetres to output pixels and rounds numbers. The text that all lines of a gesture share is encoded
/// with its first event, so that later events allocate nothing and a change of regions is cheap.
package struct GestureEncoder: Sendable {
    /// The constant data of a gesture.
    private final class Subject: Sendable {
        /// `"gesture":…,"name":…`, and `"action":…` if the gesture has one.
        let names: [UInt8]
        /// `"region":…,"device":…`, with `"leased":true` between them if a client has defined the region.
        let place: [UInt8]
        /// `names`, `"phase":"update"` and `place`: the start of most lines.
        let updateHead: [UInt8]
        /// Converts positions to those in lines about the region.
        let box: LinePlace
        let kind: GestureKind
        let audience: EventLine.Audience
        /// The directions of a swipe, or the path of a chain; empty for kinds without directions.
        let directions: [SwipeDirection]

        init(_ gesture: Gesture, in region: Region, place: [UInt8], scale: PixelScale) {
            let names = JSONWriter.bytes { json in
                json.member("gesture", gesture.word)
                json.member("name", gesture.name)
                if let action = gesture.action { json.member("action", action) }
            }
            self.names = names
            self.place = place
            updateHead = JSONWriter.bytes { json in
                json.append(json: names)
                json.member("phase", LinePhase.update.word)
                json.append(json: place)
            }
            box = LinePlace(scale, box: region.bounds)
            kind = gesture.settings.kind
            audience = region.isPrivate ? .insiders : region.isShadowed ? .outsiders : .everybody
            directions = gesture.settings.swipeDirections
        }
    }

    /// The gestures that have had an event.
    private var subjects: [Subject] = []
    /// Indices into `subjects` by gesture; -1 before its first event. An array of references would take longer to
    /// free.
    private var places: [Int32]
    private let regions: [Region]
    private let device: String
    /// The number of each region's first gesture.
    private let firstSubjects: [Int]
    private let scale: PixelScale
    /// The number of this panel's first subject among those of all panels.
    package var subjectBase: Int
    /// The subject of the panel as a whole, which precedes that of its first gesture. Without a server, it is
    /// `EventLine.noSubject`.
    var panelSubject: Int { subjectBase - 1 }

    package init(_ regions: [Region], size: PanelSize, device: String, subjectBase: Int = 0) {
        var firstSubjects: [Int] = []
        firstSubjects.reserveCapacity(regions.count)
        var count = 0
        for index in regions.indices {
            firstSubjects.append(count)
            count += Int(regions[index].gestureCount)
        }
        places = Array(repeating: -1, count: count)
        self.regions = regions
        self.device = device
        self.firstSubjects = firstSubjects
        self.subjectBase = subjectBase
        scale = PixelScale(size)
    }

    /// Looks up the gestures of the current regions by number.
    package var subjectIndex: SubjectIndex {
        SubjectIndex(regions: regions, first: firstSubjects, count: places.count)
    }

    private mutating func makeSubject(of event: GestureEvent, at index: Int) -> Subject {
        let region = regions[event.region]
        let place = JSONWriter.bytes { json in
            json.member("region", region.name)
            if region.isLeased { json.member("leased", true) }
            json.member("device", device)
        }
        let subject = Subject(region.gestures[event.gesture], in: region, place: place, scale: scale)
        places[index] = Int32(clamping: subjects.count)
        subjects.append(subject)
        return subject
    }

    /// Replaces `line` with the line of one event.
    /// - Parameter number: the number of an active gesture, for `EventLine.identity`.
    package mutating func encode(_ event: GestureEvent, number: Int64 = 0, into line: inout EventLine) {
        let index = firstSubjects[event.region.raw] + event.gesture.raw
        let place = Int(places[index])
        let subject = place >= 0 ? subjects[place] : makeSubject(of: event, at: index)
        if case .failed(let failure) = event.detail {
            line.start(.failed, subject: subjectBase + index, to: subject.audience)
            line.body.append(json: subject.names)
            line.body.append(json: subject.place)
            line.body.member("sequence", event.sequence.rawValue)
            FailureReport(failure, of: subject.kind, directions: subject.directions).write(to: &line.body)
        } else {
            line.start(
                .gesture, subject: subjectBase + index, phase: event.phase.linePhase, identity: number,
                to: subject.audience)
            write(event, of: subject, to: &line.body)
        }
        line.writeTime(event.time.microseconds)
    }

    private func write(_ event: GestureEvent, of subject: Subject, to json: inout JSONWriter) {
        if case .update = event.phase {
            json.append(json: subject.updateHead)
        } else {
            json.append(json: subject.names)
            if event.phase != nil { json.member("phase", event.phase.linePhase.word) }
            if case .cancel(let reason) = event.phase { json.member("reason", reason.word) }
            json.append(json: subject.place)
        }
        json.member("sequence", event.sequence.rawValue)
        event.members(in: subject.box, to: &json)
    }
}

/// Looks up the gestures of a panel by number.
package struct SubjectIndex {
    fileprivate let regions: [Region]
    /// The number of each region's first gesture.
    fileprivate let first: [Int]
    /// The number of gestures.
    package let count: Int

    /// The gesture with a number, and its region.
    /// - Parameter number: less than `count`.
    package subscript(number: Int) -> (region: Region, gesture: Gesture) {
        // Finds the last region whose gestures begin at `number` or before. A region without gestures begins where
        // the next one does.
        var (low, high) = (0, first.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if first[middle] <= number { low = middle } else { high = middle }
        }
        return (regions[low], regions[low].gestures[number - first[low]])
    }
}
