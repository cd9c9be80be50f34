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

/// Recognizes a drawn shape.
///
/// All strokes of a region use the same `StrokeBoard`, so that each path is recorded and matched once.
final class StrokeRecognizer: JudgedRecognizer {
    private let settings: StrokeSettings
    private let board: StrokeBoard
    /// The number of this stroke on the board.
    private let number: Int
    /// The contact whose path is compared, and its landing.
    private var tracked: (id: ContactID, since: Timestamp)?

    init(_ settings: StrokeSettings, _ board: StrokeBoard, _ contacts: RegionContacts) {
        self.settings = settings
        self.board = board
        number = board.add(settings)
        super.init(contacts)
    }

    /// The position of the finger that draws, if there are other contacts.
    override var focus: Point? { contacts.group.count > 1 ? contacts.group.drawer?.position : nil }

    override var crowd: GestureFailure? {
        tracked != nil && contacts.group.count > 1 && contacts.group.drawer == nil
            ? wrongNumber(contacts.group.count) : nil
    }

    override func isBeside(_ id: ContactID) -> Bool { contacts.group.isBesideDrawer(id) }

    override func follow(_ input: RecognizerInput) -> RecognizerAnswer? {
        switch input {
        case .landed(let id, _):
            board.follow(contacts.group)
            if tracked == nil { track(id) }
        case .wake:
            board.follow(contacts.group)
            if let oldest = contacts.group.oldest(without: []) { track(oldest.id, isLate: true) }
        case .moved: record()
        default: break
        }
        return nil
    }

    override func close() { board.close(number) }

    override func restart() {
        tracked = nil
        close()
    }

    /// Compares the path of a contact.
    /// - Parameter isLate: whether the path starts at the current position, instead of at the landing.
    private func track(_ id: ContactID, isLate: Bool = false) {
        guard let member = contacts.group.index(of: id).map({ contacts.group.members[$0] }) else { return }
        board.open(number, id, from: isLate ? member.position : nil)
        tracked = (id, since: isLate ? contacts.now : member.landed)
    }

    /// Records the positions of the contacts. Of the region's strokes, the first one does it for all.
    private func record() {
        guard let tracked else { return }
        board.record(contacts.group)
        if let drawer = contacts.group.drawer, drawer.id != tracked.id { track(drawer.id) }
    }

    /// If the path of the contact was compared, another one is.
    override func leave(_ id: ContactID) {
        board.forget(id)
        guard tracked?.id == id, let oldest = contacts.group.oldest(without: [id]) else { return }
        track(oldest.id)
    }

    override func verdict(_ moment: RecognizerMoment) -> Verdict? {
        guard case .lift = moment, let (id, since) = tracked else { return nil }
        guard contacts.group.drawer?.id == id, let place = contacts.group.index(of: id) else {
            return .reject(wrongNumber(contacts.group.count))
        }
        board.evaluate(id, to: contacts.group.members[place].position)
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
}
