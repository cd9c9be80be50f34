// SPDX-License-Identifier: MIT
import GestureEngine

/// The words around the numbers of a failure: `took ` 612 ms `, max_time is ` 500 ms.
///
/// A limit that the configuration sets is named by its key, as `, KEY is LIMIT`.
struct FailureSentence: Sendable {
    /// `nil`: the sentence is `start` alone, and the line has no numbers.
    let unit: FailureUnit?
    /// What stands before the value.
    let start: String
    /// What stands between value and limit; `nil`: the sentence has the limit only.
    let middle: String?

    private init(_ start: String) {
        (unit, self.start, middle) = (nil, start, nil)
    }

    private init(_ unit: FailureUnit, _ start: String, _ middle: String? = nil) {
        (self.unit, self.start, self.middle) = (unit, start, middle)
    }

    /// The whole sentence of a failure that has numbers.
    func text(_ numbers: FailureNumbers) -> String {
        let limit = numbers.text(numbers.limit)
        guard let middle else { return start + limit }
        return start + numbers.text(numbers.value) + middle + limit
    }

    /// - Parameters:
    ///   - code: why.
    ///   - kind: of the gesture that failed: one code may be about other keys in other kinds.
    ///   - isStrict: the gesture is a swipe with `max_deviation`.
    init(_ code: FailureCode, of kind: GestureKind, isStrict: Bool) {
        switch code {
        case .moved: self.init(.millimeters, "moved ", ", slop is ")
        case .tooLong: self.init(.milliseconds, "held for ", ", max_time is ")
        case .tooSlow: self.init(.milliseconds, "took ", ", max_time is ")
        case .lowVelocity: self.init(.millimetersPerSecond, "lifted at ", ", min_velocity is ")
        case .wrongDirection:
            self.init(
                .degrees, "off the nearest of directions by ", isStrict ? ", max_deviation is " : ", each takes ")
        case .wrongAxis: self.init(.millimeters, "moved across its axis by ", ", start is ")
        case .smallTurn: self.init(.degrees, "turned by ", ", start is ")
        case .smallSpan: self.init(.millimeters, "fingers closer than can be measured: ", ", the least is ")
        case .liftedEarly: self.init(.milliseconds, "lifted after ", ", delay is ")
        case .landedApart: self.init(.milliseconds, "a finger landed after ", ", group is ")
        case .tooFarApart: self.init(.millimeters, "", " apart, distance is ")
        case .noFurtherTap: self.init(.milliseconds, "no further tap came, gap is ")
        case .bounce: self.init(.milliseconds, "landed again after ", ", min_gap is ")
        case .tooShort, .dominated, .tooManyContacts, .tooFewContacts: self.init(measured: code, of: kind)
        case .wrongStep, .lateStep, .timeout, .lockedOut: self.init(ofPattern: code)
        default: self.init(without: code)
        }
    }

    /// What one kind of gesture measures in another way than the others.
    private init(measured code: FailureCode, of kind: GestureKind) {
        let isPair = kind == .pinch || kind == .rotate
        switch code {
        case .tooShort where kind == .pinch: self.init(.millimeters, "span changed by ", ", start is ")
        case .tooShort where kind == .swipe: self.init(.millimeters, "moved ", ", min_distance is ")
        case .tooShort: self.init(.millimeters, "moved ", ", start is ")
        case .dominated where kind == .pinch:
            self.init(.millimeters, "span changed by ", ", less than the fingers moved together: ")
        case .dominated where kind == .rotate:
            self.init(.millimeters, "turned along ", ", less than the fingers moved together: ")
        case .dominated:
            self.init(.millimeters, "moved ", ", not more than the fingers spread or turned: ")
        case .tooFewContacts where isPair: self.init(.contacts, "too few contacts: ", ", needed are ")
        case .tooFewContacts: self.init(.contacts, "too few contacts: ", ", fingers is ")
        default: self.init(.contacts, "too many contacts: ", ", fingers is ")
        }
    }

    private init(ofPattern code: FailureCode) {
        switch code {
        case .wrongStep: self.init(.steps, "another gesture than the next of steps; done: ", " of ")
        case .lateStep: self.init(.milliseconds, "no next step for ", ", max_gap is ")
        case .lockedOut: self.init(.milliseconds, "all attempts used, lockout is ")
        default: self.init(.milliseconds, "took ", ", timeout is ")
        }
    }

    private init(without code: FailureCode) {
        switch code {
        case .longPress: self.init("a long press of this region began first")
        case .notAfter: self.init("none of its after was recognized before")
        case .unless: self.init("one of its unless was recognized")
        case .keptBack: self.init("one of its unless was possible until it was too late")
        case .shadowed: self.init("a region above it has the same gesture")
        case .claimed: self.init("another gesture took the contact")
        case .multiTouch: self.init("another finger came")
        case .palm: self.init("taken for a palm: the panel says so, or it is larger than max_touch")
        case .deviceRemoved: self.init("the panel was unplugged")
        case .syncLost: self.init("the kernel dropped events, and the contact was gone afterwards")
        case .reload: self.init("the configuration of the region changed")
        case .disabled: self.init("the region was switched off")
        case .client: self.init("a client cancelled it")
        case .handover: self.init("the contact went on to another region (capture is follow)")
        default: self.init("the machine was suspended")
        }
    }
}
