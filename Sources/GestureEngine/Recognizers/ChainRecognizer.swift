// SPDX-License-Identifier: MIT

/// The settings of a chain of swipes. Lengths are in millimetres.
package struct ChainSettings: Hashable, Sendable {
    /// The directions of the segments, in order. Two directions in a row differ.
    package var path: [SwipeDirection] = []
    /// The shortest length of a segment in millimetres. Default 8.
    package var minSegment = 8.0
    /// The longest time from the landing to the recognition. Default 2 s.
    package var maxTime = Interval.milliseconds(2000)
    /// The moment at which the chain is judged. Default lift.
    package var when = SwipeSettings.Moment.lift

    package init() {}
}

extension ChainSettings: RecognizerSettings {
    var fingers: Int { 1 }

    func makeRecognizer(_ contacts: RegionContacts, in region: Region, isAwaited: Bool) -> Recognizer? { nil }
}
