// SPDX-License-Identifier: MIT
package import GestureEngine
package import GestureProtocol

/// Writes the events of one panel as lines: the only mapping between inside and wire.
///
/// Millimetres become output pixels here, and numbers are rounded here. Names are escaped when the
/// encoder is made, so that an event costs no allocation.
package struct GestureEncoder: Sendable {
    /// What is the same in every line of one gesture.
    private struct Subject: Sendable {
        /// `,"gesture":…,"name":…`
        var name: JSONFragment
        /// `,"region":…,"device":…`
        var place: JSONFragment
        var bounds: Rectangle
        var kind: GestureKind
        /// A swipe with `max_deviation`.
        var isStrict: Bool
    }

    private let subjects: [Subject]
    /// Where each region's gestures begin in `subjects`.
    private let firstSubject: [Int]
    private let scale: PixelScale
    /// Where this panel's subjects begin among those of all panels.
    package var subjectBase: Int

    package init(_ regions: [Region], size: PanelSize, device: String, subjectBase: Int = 0) {
        var subjects: [Subject] = []
        var firstSubject: [Int] = []
        for region in regions {
            firstSubject.append(subjects.count)
            let place = JSONFragment { line in
                line.appendKey("region")
                line.appendQuoted(region.id)
                line.appendKey("device")
                line.appendQuoted(device)
            }
            for gesture in region.gestures {
                let name = JSONFragment { line in
                    line.appendKey("gesture")
                    line.appendQuoted(gesture.word)
                    line.appendKey("name")
                    line.appendQuoted(gesture.name)
                }
                subjects.append(
                    Subject(
                        name: name, place: place, bounds: region.bounds, kind: gesture.settings.kind,
                        isStrict: gesture.settings.isStrictSwipe))
            }
        }
        self.subjects = subjects
        self.firstSubject = firstSubject
        self.subjectBase = subjectBase
        scale = PixelScale(size)
    }

    /// Writes one event; `line` holds it afterwards, and nothing else.
    package func encode(_ event: GestureEvent, into line: inout EventLine) {
        let index = firstSubject[event.region] + event.gesture
        if case .failed(let failure) = event.detail { return encode(failure, of: event, index, into: &line) }
        line.start(
            .gesture, subject: subjectBase + index, phase: event.phase.linePhase, sequence: event.sequence.rawValue)
        line.body.append(subjects[index].name)
        if let phase = event.phase { Self.append(phase, to: &line.body) }
        line.body.append(subjects[index].place)
        line.body.appendKey("sequence")
        line.body.appendInteger(event.sequence.rawValue)
        line.body.appendKey("fingers")
        line.body.appendInteger(event.fingers)
        appendMotion(event.detail, to: &line.body)
        appendPosition(event.position, in: subjects[index].bounds, to: &line.body)
        Self.appendDuration(event.detail, to: &line.body)
        line.finish(timeMicroseconds: event.time.microseconds)
    }

    private func encode(_ failure: GestureFailure, of event: GestureEvent, _ index: Int, into line: inout EventLine) {
        line.start(.failed, subject: subjectBase + index, sequence: event.sequence.rawValue)
        line.body.append(subjects[index].name)
        line.body.append(subjects[index].place)
        line.body.appendKey("sequence")
        line.body.appendInteger(event.sequence.rawValue)
        FailureEncoder.append(failure, of: subjects[index].kind, isStrict: subjects[index].isStrict, to: &line.body)
        line.finish(timeMicroseconds: event.time.microseconds)
    }

    private static func append(_ phase: GestureEvent.Phase, to body: inout LineBuffer) {
        switch phase {
        case .begin: body.append(",\"phase\":\"begin\"")
        case .update: body.append(",\"phase\":\"update\"")
        case .end: body.append(",\"phase\":\"end\"")
        case .cancel(let reason):
            body.append(",\"phase\":\"cancel\",\"reason\":\"")
            body.append(reason.word)
            body.append("\"")
        }
    }

    /// What stands before the position.
    private func appendMotion(_ detail: GestureEvent.Detail, to body: inout LineBuffer) {
        switch detail {
        case .press, .longPress: break
        case .tap(let count, _):
            body.appendKey("count")
            body.appendInteger(count)
        case .repeat(let n, let held):
            body.appendKey("n")
            body.appendInteger(n)
            body.appendKey("held_ms")
            body.appendInteger(held.wholeMilliseconds)
        case .drag(let translation, let velocity, let start, let predicted):
            body.appendKey("dx")
            body.appendTenths(scale.x(translation.dx))
            body.appendKey("dy")
            body.appendTenths(scale.y(translation.dy))
            body.appendKey("vx")
            body.appendTenths(scale.x(velocity.dx))
            body.appendKey("vy")
            body.appendTenths(scale.y(velocity.dy))
            appendPoint("start", start, to: &body)
            if let predicted { appendPoint("predicted", predicted, to: &body) }
        case .swipe(let swipe):
            appendSwipe(swipe, to: &body)
        case .pinch(let factor):
            body.appendKey("scale")
            body.appendTenThousandths(factor)
        case .rotate(let rotation):
            body.appendKey("rotation")
            body.appendTenths(rotation)
        case .pattern(let steps, _):
            body.appendKey("steps")
            body.appendInteger(steps)
        case .failed: break
        }
    }

    private func appendSwipe(_ swipe: SwipeDetail, to body: inout LineBuffer) {
        body.append(",\"direction\":\"")
        body.append(swipe.direction.word)
        body.append("\"")
        body.appendKey("angle")
        body.appendTenths(swipe.angle)
        body.appendKey("distance_mm")
        body.appendTenths(swipe.distance)
        body.appendKey("velocity_mm_s")
        body.appendTenths(swipe.speed)
        body.appendKey("duration_ms")
        body.appendInteger(swipe.duration.wholeMilliseconds)
        appendPoint("start", swipe.start, to: &body)
    }

    private func appendPoint(_ key: StaticString, _ point: Point, to body: inout LineBuffer) {
        body.appendKey(key)
        body.append("{\"x\":")
        body.appendTenths(scale.x(point.x))
        body.append(",\"y\":")
        body.appendTenths(scale.y(point.y))
        body.append("}")
    }

    private func appendPosition(_ position: Point, in bounds: Rectangle, to body: inout LineBuffer) {
        body.append(",\"x\":")
        body.appendTenths(scale.x(position.x))
        body.append(",\"y\":")
        body.appendTenths(scale.y(position.y))
        body.append(",\"u\":")
        body.appendTenThousandths(bounds.width > 0 ? (position.x - bounds.minX) / bounds.width : 0)
        body.append(",\"v\":")
        body.appendTenThousandths(bounds.height > 0 ? (position.y - bounds.minY) / bounds.height : 0)
    }

    /// What stands after the position.
    private static func appendDuration(_ detail: GestureEvent.Detail, to body: inout LineBuffer) {
        switch detail {
        case .press(let inside, let held):
            body.appendKey("inside")
            body.appendBool(inside)
            appendHeld(held, to: &body)
        case .tap(_, let duration), .pattern(_, let duration):
            body.appendKey("duration_ms")
            body.appendInteger(duration.wholeMilliseconds)
        case .longPress(let held): appendHeld(held, to: &body)
        case .repeat, .drag, .swipe, .pinch, .rotate, .failed: break
        }
    }

    private static func appendHeld(_ held: Interval?, to body: inout LineBuffer) {
        guard let held else { return }
        body.appendKey("held_ms")
        body.appendInteger(held.wholeMilliseconds)
    }
}

extension GestureSettings {
    /// A swipe with `max_deviation`.
    fileprivate var isStrictSwipe: Bool {
        if case .swipe(let swipe) = self { swipe.maxDeviation != nil } else { false }
    }
}
