// SPDX-License-Identifier: MIT
import CMath

/// The settings of a stroke. Lengths are in millimetres.
package struct StrokeSettings: Hashable, Sendable {
    /// The shapes with which the movement is compared.
    package var templates: [StrokeTemplate] = []
    /// The lowest score at which the stroke is recognized, from 0 to 1. Default 0.7: with one template of somebody else, 0.8
    /// refuses a quarter of what people draw, and 0.7 half of that.
    package var minScore = 0.7
    /// The largest angle in degrees by which the movement may be turned against a template. Default 15.
    package var rotation = 15.0
    /// Whether the movement may start anywhere, and go either way, if the ends of a template meet. Default true.
    package var closed = true
    /// The shortest length of the movement in millimetres. Default 10, as for a swipe.
    package var minLength = 10.0

    package init() {}
}

extension StrokeSettings {
    package static let keys: [Setting] = [
        .templates("points", \Self.templates).required,
        .ratio("min_score", \Self.minScore).limits(.lowScore, lenient: .below),
        .degrees("rotation", \Self.rotation),
        .flag("closed", \Self.closed),
        .length("min_length", \Self.minLength).limits(.tooShort, lenient: .below),
    ]
}

extension StrokeSettings: RecognizerSettings {
    var fingers: Int { 1 }
    var decision: Decision { .lift }
    var latestFailure: LatestFailure { .lift }
    var demand: Demand { .path }
    /// A shape may end near its start, and reaches less far than it is long.
    var leastMovement: Double { minLength / 2 }

    func makeRecognizer(_ contacts: RegionContacts, in region: Region, isAwaited: Bool) -> Recognizer? {
        contacts.strokes.map { StrokeRecognizer(self, $0, contacts) }
    }
}

/// Recognizes a drawn shape. It is judged when the first contact lifts.
///
///     ready ──landing──▶ tracking ──lift──▶ over (recognized or not)
///
/// All strokes of a region use the same `StrokeBoard`, so that the path is recorded and matched once.
final class StrokeRecognizer: Recognizer {
    private enum State {
        case ready
        /// The path of this contact is recorded. There may be more contacts, because the others may rest, or may still
        /// turn out to be palms.
        case tracking(ContactID, since: Timestamp)
        case over
    }

    /// The result of checking all limits.
    private enum Verdict {
        case accept(GestureEvent.Detail)
        case reject(GestureFailure)
    }

    private let settings: StrokeSettings
    private let board: StrokeBoard
    /// The number of this stroke on the board.
    private let number: Int
    private var state = State.ready

    init(_ settings: StrokeSettings, _ board: StrokeBoard, _ contacts: RegionContacts) {
        self.settings = settings
        self.board = board
        number = board.add(settings)
        super.init(contacts)
    }

    override var progress: RecognizerProgress {
        if case .over = state { .over } else { .waiting }
    }

    override func wants(_ moment: RecognizerMoment) -> Bool {
        guard case .lift(let id) = moment, !contacts.group.isBesideDrawer(id), case .accept? = verdict else {
            return false
        }
        return true
    }

    override func isHopeless(after lift: ContactLift) -> Bool {
        guard lift.isDecisive, !contacts.group.isBesideDrawer(lift.id), case .reject? = verdict else { return false }
        return true
    }

    /// The position of the finger that draws, if there are other contacts.
    override var focus: Point? { contacts.group.count > 1 ? contacts.group.drawer?.position : nil }

    override func handle(_ input: RecognizerInput) -> RecognizerAnswer? {
        switch input {
        case .landed(let id, _): if case .ready = state { track(id) }
        case .wake: if let oldest = contacts.group.oldest(without: []) { track(oldest.id, isLate: true) }
        case .moved: record()
        case .lifts(let lift):
            guard contacts.group.isBesideDrawer(lift.id) else { return lift.isDecisive ? judge() : nil }
            leave(lift.id)
        case .begin: return judge()
        case .gone(let id, let loss):
            guard contacts.group.isFree(id) else { return nil }
            guard loss.reason.isNoFinger else { return fail(GestureFailure(.cancelled(loss.reason))) }
            leave(id)
        case .refuse(let failure): return fail(failure)
        case .cancel(let reason): return fail(GestureFailure(.cancelled(reason)))
        case .reset: close(.ready)
        case .regrouped, .deadline, .forget: break
        }
        return nil
    }

    /// Starts to follow a contact.
    /// - Parameter isLate: whether the path starts at the current position, instead of at the landing.
    private func track(_ id: ContactID, isLate: Bool = false) {
        guard let member = contacts.group.index(of: id).map({ contacts.group.members[$0] }) else { return }
        board.follow(id, from: member.origin)
        board.open(number, from: isLate ? member.position : nil)
        state = .tracking(id, since: isLate ? contacts.now : member.landed)
    }

    /// Records the position of the contact. Of the region's strokes, the first one does it for all.
    private func record() {
        guard case .tracking(let id, _) = state else { return }
        let drawer = contacts.group.drawer?.id ?? id
        if drawer != id { track(drawer) }
        guard let place = contacts.group.index(of: drawer) else { return }
        // A single report in which the contact jumps is an error of the panel.
        if !contacts.group.members[place].hasJumped { board.record(contacts.group.members[place].position) }
    }

    /// Handles a contact that has lifted without having drawn, or is no finger. If it was followed, another one is.
    private func leave(_ id: ContactID) {
        guard case .tracking(id, _) = state, let oldest = contacts.group.oldest(without: [id]) else { return }
        track(oldest.id)
    }

    private func judge() -> RecognizerAnswer? {
        switch verdict {
        case nil: return nil
        case .accept(let detail):
            close(.over)
            return .recognize(detail)
        case .reject(let failure): return fail(failure)
        }
    }

    /// The result at this moment; `nil` unless a contact is followed.
    private var verdict: Verdict? {
        guard case .tracking(let id, let since) = state else { return nil }
        guard contacts.group.drawer?.id == id, let place = contacts.group.index(of: id) else {
            return .reject(wrongNumber)
        }
        board.evaluate(to: contacts.group.members[place].position)
        let result = board.result(number)
        guard !settings.minLength.exceeds(result.length) else {
            return .reject(GestureFailure(.tooShort, value: result.length, limit: settings.minLength))
        }
        guard result.score >= settings.minScore else {
            return .reject(GestureFailure(.lowScore, value: result.score, limit: settings.minScore))
        }
        if let best = board.best(except: number) {
            return .reject(GestureFailure(.outscored, value: result.score, limit: best))
        }
        return .accept(
            .stroke(score: result.score, duration: contacts.liftTime - since, start: result.start))
    }

    /// Fails for the given reason. If it is not clear which contact draws, that is reported instead.
    private func fail(_ failure: GestureFailure) -> RecognizerAnswer? {
        guard progress != .over else { return nil }
        var reason = failure
        if case .tracking = state, contacts.group.count > 1, contacts.group.drawer == nil { reason = wrongNumber }
        close(.over)
        return .fail(reason)
    }

    private func close(_ state: State) {
        self.state = state
        board.close(number)
    }

    private var wrongNumber: GestureFailure {
        let count = contacts.group.count
        return GestureFailure(count < 1 ? .tooFewContacts : .tooManyContacts, value: Double(count), limit: 1)
    }
}
