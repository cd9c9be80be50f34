// SPDX-License-Identifier: MIT
package import GestureEngine
package import GestureProtocol

/// Writes the events of one panel as lines: the only mapping between inside and wire.
///
/// Millimetres become output pixels here, and numbers are rounded here. Names are escaped when the
/// encoder is made, so that an event costs no allocation.
package struct GestureEncoder: Sendable {
    /// What a line has besides its prepared text, at most: a drag's 14 numbers of up to 21 bytes, their
    /// keys (170 bytes), phase and reason (50), and the room of the last number.
    private static let room = 14 * 21 + 170 + 50 + DecimalText.room

    private let subjects: SubjectTexts
    private let scale: PixelScale
    /// Where this panel's subjects begin among those of all panels.
    package var subjectBase: Int

    package init(_ regions: [Region], size: PanelSize, device: String, subjectBase: Int = 0) {
        subjects = SubjectTexts(regions, device: device)
        self.subjectBase = subjectBase
        scale = PixelScale(size)
    }

    /// Writes one event; `line` holds it afterwards, and nothing else.
    package func encode(_ event: GestureEvent, into line: inout EventLine) {
        let index = subjects.index(event.region, event.gesture)
        if case .failed(let failure) = event.detail { return encode(failure, of: event, index, into: &line) }
        line.start(
            .gesture, subject: subjectBase + index, phase: event.phase.linePhase, sequence: event.sequence.rawValue)
        subjects.withText(of: index) { subject, name, place in
            var cursor = LineCursor(line.body.place(reserving: name.count + place.count + Self.room))
            cursor.append(name)
            if let phase = event.phase { Self.append(phase, to: &cursor) }
            cursor.append(place)
            cursor.append(",\"sequence\":", integer: event.sequence.rawValue)
            cursor.append(",\"fingers\":", integer: Int64(event.fingers))
            appendMotion(event.detail, to: &cursor)
            appendPosition(event.position, in: subject.bounds, to: &cursor)
            Self.appendDuration(event.detail, to: &cursor)
            line.body.commit(to: cursor.place)
        }
        line.finish(timeMicroseconds: event.time.microseconds)
    }

    private func encode(_ failure: GestureFailure, of event: GestureEvent, _ index: Int, into line: inout EventLine) {
        line.start(.failed, subject: subjectBase + index, sequence: event.sequence.rawValue)
        subjects.withText(of: index) { subject, name, place in
            line.body.append(name)
            line.body.append(place)
            line.body.appendKey("sequence")
            line.body.appendInteger(event.sequence.rawValue)
            FailureEncoder.append(failure, of: subject.kind, isStrict: subject.isStrict, to: &line.body)
        }
        line.finish(timeMicroseconds: event.time.microseconds)
    }

    @inline(__always)
    private static func append(_ phase: GestureEvent.Phase, to cursor: inout LineCursor) {
        switch phase {
        case .begin: cursor.append(",\"phase\":\"begin\"")
        case .update: cursor.append(",\"phase\":\"update\"")
        case .end: cursor.append(",\"phase\":\"end\"")
        case .cancel(let reason):
            cursor.append(",\"phase\":\"cancel\",\"reason\":\"")
            cursor.append(reason.word)
            cursor.append("\"")
        }
    }

    /// What stands before the position.
    @inline(__always)
    private func appendMotion(_ detail: GestureEvent.Detail, to cursor: inout LineCursor) {
        switch detail {
        case .press, .longPress, .failed: break
        case .tap(let count, _): cursor.append(",\"count\":", integer: Int64(count))
        case .repeat(let n, let held):
            cursor.append(",\"n\":", integer: Int64(n))
            cursor.append(",\"held_ms\":", integer: held.wholeMilliseconds)
        case .drag(let translation, let velocity, let start, let predicted):
            cursor.append(",\"dx\":", tenths: scale.x(translation.dx))
            cursor.append(",\"dy\":", tenths: scale.y(translation.dy))
            cursor.append(",\"vx\":", tenths: scale.x(velocity.dx))
            cursor.append(",\"vy\":", tenths: scale.y(velocity.dy))
            appendPoint(",\"start\":{\"x\":", start, to: &cursor)
            if let predicted { appendPoint(",\"predicted\":{\"x\":", predicted, to: &cursor) }
        case .swipe(let swipe): appendSwipe(swipe, to: &cursor)
        case .pinch(let factor): cursor.append(",\"scale\":", tenThousandths: factor)
        case .rotate(let rotation): cursor.append(",\"rotation\":", tenths: rotation)
        case .pattern(let steps, _): cursor.append(",\"steps\":", integer: Int64(steps))
        }
    }

    private func appendSwipe(_ swipe: SwipeDetail, to cursor: inout LineCursor) {
        cursor.append(",\"direction\":\"")
        cursor.append(swipe.direction.word)
        cursor.append("\",\"angle\":", tenths: swipe.angle)
        cursor.append(",\"distance_mm\":", tenths: swipe.distance)
        cursor.append(",\"velocity_mm_s\":", tenths: swipe.speed)
        cursor.append(",\"duration_ms\":", integer: swipe.duration.wholeMilliseconds)
        appendPoint(",\"start\":{\"x\":", swipe.start, to: &cursor)
    }

    @inline(__always)
    private func appendPoint(_ opening: StaticString, _ point: Point, to cursor: inout LineCursor) {
        cursor.append(opening, tenths: scale.x(point.x))
        cursor.append(",\"y\":", tenths: scale.y(point.y))
        cursor.append("}")
    }

    @inline(__always)
    private func appendPosition(_ position: Point, in bounds: Rectangle, to cursor: inout LineCursor) {
        cursor.append(",\"x\":", tenths: scale.x(position.x))
        cursor.append(",\"y\":", tenths: scale.y(position.y))
        let (width, height) = (bounds.width, bounds.height)
        cursor.append(",\"u\":", tenThousandths: width > 0 ? (position.x - bounds.minX) / width : 0)
        cursor.append(",\"v\":", tenThousandths: height > 0 ? (position.y - bounds.minY) / height : 0)
    }

    /// What stands after the position.
    @inline(__always)
    private static func appendDuration(_ detail: GestureEvent.Detail, to cursor: inout LineCursor) {
        switch detail {
        case .press(let inside, let held):
            if inside { cursor.append(",\"inside\":true") } else { cursor.append(",\"inside\":false") }
            appendHeld(held, to: &cursor)
        case .tap(_, let duration), .pattern(_, let duration):
            cursor.append(",\"duration_ms\":", integer: duration.wholeMilliseconds)
        case .longPress(let held): appendHeld(held, to: &cursor)
        case .repeat, .drag, .swipe, .pinch, .rotate, .failed: break
        }
    }

    @inline(__always)
    private static func appendHeld(_ held: Interval?, to cursor: inout LineCursor) {
        if let held { cursor.append(",\"held_ms\":", integer: held.wholeMilliseconds) }
    }
}
