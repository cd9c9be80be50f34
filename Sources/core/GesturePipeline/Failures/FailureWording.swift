// SPDX-License-Identifier: MIT
package import GestureEngine

/// The text of a failure on the wire: its code, the unit of its numbers, and the words around them, as in `took 612 ms,
/// max_time is 500 ms`.
///
/// Each code is listed once here, and once among the phrases below. A limit that the configuration sets is named by its
/// key, as in `, KEY is LIMIT`. Codes are append-only.
package struct FailureWording: Sendable {
    /// The name of the code on the wire.
    package let name: String
    /// The unit; `nil` if the sentence is just `start` and the line has no numbers.
    package let unit: FailureUnit?
    /// The text before the value.
    let start: String
    /// The text between value and limit; `nil` if they are equal and only the limit is written.
    let middle: String?

    private init(
        _ name: String, _ unit: FailureUnit?, _ start: String, _ middle: String? = nil
    ) {
        (self.name, self.unit, self.start, self.middle) = (name, unit, start, middle)
    }

    /// The whole sentence.
    /// - Parameter directions: the directions of a swipe, or the path of a chain.
    package func sentence(_ failure: GestureFailure, directions: [SwipeDirection] = []) -> String {
        guard let unit else { return start }
        if let direction = failure.direction { return Self.sentence(direction, directions) }
        if !failure.drawn.isEmpty { return "drew \(Self.list(failure.drawn)); path is \(Self.list(directions))" }
        let numbers = FailureNumbers(failure, unit)
        let limit = numbers.text(numbers.limit)
        guard let middle else { return start + limit }
        return start + numbers.text(numbers.value) + middle + limit
    }

    private static func sentence(_ direction: SwipeDirection, _ accepted: [SwipeDirection]) -> String {
        let list = accepted.count == 1 ? "the only direction is " : "directions are "
        return "went \(direction.word); " + list + Self.list(accepted)
    }

    private static func list(_ directions: some Sequence<SwipeDirection>) -> String {
        directions.map(\.word).joined(separator: ", ")
    }

    /// The code with the value beside its limit: `moved 5.4 mm > 3 mm`.
    func comparison(_ failure: GestureFailure) -> String {
        guard let unit else { return name }
        let numbers = FailureNumbers(failure, unit)
        let sign = numbers.value > numbers.limit ? ">" : numbers.value < numbers.limit ? "<" : "="
        return "\(name) \(numbers.text(numbers.value)) \(sign) \(numbers.text(numbers.limit))"
    }

    /// Looks up the text of a code.
    /// - Parameters:
    ///   - kind: the kind of the gesture that failed. A code may refer to different keys in different kinds.
    ///   - key: the key of the failure.
    package init(_ code: GestureFailure.Code, of kind: GestureKind = .tap, key: String? = nil) {
        switch code {
        case .moved: self.init("moved", .millimeters, "moved ", ", slop is ")
        case .tooLong where kind == .repeat:
            self.init("too_long", .milliseconds, "the first repetition would come after ", ", max_duration is ")
        case .tooLong: self.init("too_long", .milliseconds, "held for ", ", max_time is ")
        case .tooQuick: self.init("too_quick", .milliseconds, "held for ", ", min_time is ")
        case .tooSlow: self.init("too_slow", .milliseconds, "took ", ", max_time is ")
        case .tooShort: self.init(tooShort: kind.row.motion, key)
        case .lowVelocity: self.init("low_velocity", .millimetersPerSecond, "lifted at ", ", min_velocity is ")
        case .stopped: self.init("stopped", .milliseconds, "stood still for ", " before the lift, rest is ")
        case .wrongDirection: self.init(wrongDirection: kind.row.motion)
        case .deviated:
            self.init("wrong_direction", .degrees, "off the nearest direction by ", ", max_deviation is ")
        case .wrongAxis: self.init("wrong_axis", .millimeters, "moved across its axis by ", ", start is ")
        case .smallTurn where key == nil:
            self.init("small_turn", .degrees, "turned by ", " without corners or gaps between reports, required: ")
        case .smallTurn: self.init("small_turn", .degrees, "turned by ", Self.middle(key))
        case .smallSpan: self.init(smallSpan: kind, key)
        case .dominated: self.init(dominated: kind.row.motion)
        case .notRound: self.init("not_round", .millimeters, "strayed from a circle by ", ", the maximum is ")
        case .lowScore: self.init("low_score", .score, "scored ", ", min_score is ")
        case .outscored: self.init("outscored", .score, "scored ", "; another stroke of the region scored ")
        case .liftedEarly: self.init("lifted_early", .milliseconds, "lifted after ", ", delay is ")
        case .tooManyContacts, .tooFewContacts, .landedApart, .liftedApart, .leftRegion, .tooFarApart:
            self.init(contacts: code, key)
        case .noFurtherTap: self.init("no_further_tap", .milliseconds, "no further tap came, gap is ")
        case .bounce: self.init("bounce", .milliseconds, "landed again after ", ", min_gap is ")
        case .wrongTaps: self.init("wrong_taps", .taps, "preceding taps: ", ", taps is ")
        case .longPress, .notAfter, .unless, .keptBack, .shadowed: self.init(arbitration: code)
        case .wrongStep where kind == .chain: self.init("wrong_step", .steps, "right segments: ", " of ")
        case .wrongStep, .lateStep, .timeout, .lockedOut: self.init(pattern: code)
        case .cancelled(let reason): self.init(cancelled: reason)
        }
    }

    /// The text that introduces a limit: it names `key`, or is ", required: " if no key sets the limit.
    private static func middle(_ key: String?) -> String {
        key.map { ", \($0) is " } ?? ", required: "
    }

    private init(wrongDirection motion: HandMotion) {
        switch motion {
        case .span: self.init("wrong_direction", .millimeters, "span changed the other way by ", ", start is ")
        case .turn, .circle: self.init("wrong_direction", .degrees, "turned the other way by ", ", start is ")
        // The sentence names the directions instead.
        case .touch, .hold, .path, .otherGestures:
            self.init("wrong_direction", .degrees, "off the nearest direction by ", ", the limit is ")
        }
    }

    private init(tooShort motion: HandMotion, _ key: String?) {
        switch motion {
        case .span: self.init("too_short", .millimeters, "span changed by ", Self.middle(key))
        case .circle: self.init("too_short", .millimeters, "turned by an arc of ", Self.middle(key))
        case .touch, .hold, .path, .turn, .otherGestures:
            self.init("too_short", .millimeters, "moved ", Self.middle(key))
        }
    }

    private init(smallSpan kind: GestureKind, _ key: String?) {
        if kind == .dial {
            self.init("small_span", .millimeters, "too close to the centre: ", Self.middle(key))
        } else if key != nil {
            self.init("small_span", .millimeters, "fingers too close: ", ", min_span is ")
        } else {
            self.init("small_span", .millimeters, "fingers too close to measure: ", ", the minimum is ")
        }
    }

    private init(contacts code: GestureFailure.Code, _ key: String?) {
        switch code {
        case .tooManyContacts: self.init("too_many_contacts", .contacts, "too many contacts: ", Self.middle(key))
        case .tooFewContacts: self.init("too_few_contacts", .contacts, "too few contacts: ", Self.middle(key))
        case .landedApart: self.init("landed_apart", .milliseconds, "a finger landed after ", ", group is ")
        case .liftedApart:
            self.init("lifted_apart", .milliseconds, "a finger lifted ", " after the first, max_lift_spread is ")
        case .leftRegion: self.init("left_region", nil, "a finger left the region, inside is true")
        default: self.init("too_far_apart", .millimeters, "", " apart, distance is ")
        }
    }

    private init(dominated motion: HandMotion) {
        let together: String = ", less than the fingers moved together: "
        switch motion {
        case .span: self.init("dominated", .millimeters, "span changed by ", together)
        case .turn: self.init("dominated", .millimeters, "turned by an arc of ", together)
        case .circle:
            self.init(
                "dominated", .millimeters, "turned by an arc of ",
                ", less than it moved to or from the centre: ")
        case .touch, .hold, .path, .otherGestures:
            self.init("dominated", .millimeters, "moved ", ", not more than the fingers spread or turned: ")
        }
    }

    private init(pattern code: GestureFailure.Code) {
        switch code {
        case .wrongStep: self.init("wrong_step", .steps, "a gesture other than the next step; completed: ", " of ")
        case .lateStep: self.init("late_step", .milliseconds, "no next step for ", ", max_gap is ")
        case .lockedOut: self.init("locked_out", .milliseconds, "too many wrong attempts, lockout is ")
        default: self.init("timeout", .milliseconds, "took ", ", timeout is ")
        }
    }

    private init(arbitration code: GestureFailure.Code) {
        switch code {
        case .longPress: self.init("long_press", nil, "a long press of this region began first")
        case .notAfter: self.init("not_after", nil, "a gesture listed in after was not recognized first")
        case .unless: self.init("unless", nil, "a gesture listed in unless was recognized")
        case .keptBack: self.init("kept_back", nil, "a gesture listed in unless stayed possible until it was too late")
        default: self.init("shadowed", nil, "a region above it has the same gesture")
        }
    }

    private init(cancelled reason: CancelReason) {
        let sentence: String =
            switch reason {
            case .claimed: "another gesture took the contact"
            case .multiTouch: "another finger landed"
            case .palm: "treated as a palm: reported by the panel, or larger than max_touch"
            case .deviceRemoved: "the panel was unplugged"
            case .syncLost: "the contact ended without a lift"
            case .reload: "the configuration of the region changed"
            case .disabled: "the region was switched off"
            case .client: "a client cancelled it"
            case .handover: "the contact moved into another region (capture is follow)"
            case .suspend: "the machine was suspended"
            case .rest: "the contact rested for rest_after while others moved"
            case .movement: "the contact moved by more than cancel_slop"
            }
        self.init(reason.word, nil, sentence)
    }
}

extension GestureFailure.Code {
    /// The reason in a few words, for the inspector.
    package var phrase: String {
        switch self {
        case .moved: "moved too far"
        case .tooLong: "held too long"
        case .tooQuick: "lifted too soon"
        case .tooSlow: "took too long"
        case .tooShort: "moved too little"
        case .stopped: "stood still before the lift"
        case .lowVelocity: "too slow at the end"
        case .wrongDirection, .deviated: "wrong direction"
        case .wrongAxis: "moved across its axis"
        case .smallTurn: "turned too little"
        case .smallSpan: "fingers too close together, or to the centre"
        case .dominated: "another movement was larger"
        case .notRound: "not drawn as a circle"
        case .lowScore: "drawn too differently"
        case .outscored: "another stroke matched better"
        case .liftedEarly: "lifted too soon"
        case .tooManyContacts: "too many fingers"
        case .tooFewContacts: "too few fingers"
        case .landedApart: "fingers landed one after the other"
        case .liftedApart: "fingers lifted one after the other"
        case .leftRegion: "left the region"
        case .tooFarApart: "taps too far apart"
        case .noFurtherTap: "no further tap came"
        case .bounce: "landed again too soon"
        case .wrongTaps: "wrong number of taps before it"
        case .longPress: "a long press began first"
        case .notAfter: "no gesture of after came first"
        case .unless: "a gesture of unless was recognized"
        case .keptBack: "a gesture of unless stayed possible"
        case .shadowed: "a region above it has the gesture"
        case .wrongStep: "wrong step"
        case .lateStep: "the next step came too late"
        case .timeout: "took too long"
        case .lockedOut: "locked after wrong attempts"
        case .cancelled(let reason): reason.phrase
        }
    }
}

extension CancelReason {
    /// The reason in a few words, for the inspector.
    package var phrase: String {
        switch self {
        case .claimed: "another gesture took the finger"
        case .multiTouch: "another finger landed"
        case .palm: "treated as a palm"
        case .deviceRemoved: "the panel was unplugged"
        case .syncLost: "ended without a lift"
        case .reload: "the configuration changed"
        case .disabled: "the region was switched off"
        case .client: "a client cancelled it"
        case .handover: "moved into another region"
        case .suspend: "the machine was suspended"
        case .rest: "the finger rested"
        case .movement: "moved too far"
        }
    }
}
