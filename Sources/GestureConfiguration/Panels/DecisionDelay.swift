// SPDX-License-Identifier: MIT
package import GestureEngine

/// How long it takes at worst until a gesture is told of, and from when on: what a user feels.
///
/// Counted from the last landing and the last lift: a further touch of a streak counts anew.
package struct DecisionDelay: Hashable, Sendable, CustomStringConvertible {
    package enum Moment: Hashable, Sendable {
        case landing
        /// The limit of movement was passed. With an interval: as long as this after the landing, if
        /// that is later.
        case movement
        /// Of the last contact that it takes.
        case lift
        /// Of the gesture with this name, which it comes after.
        case recognition(of: String)
        /// What has to fail before it may be recognized at once, or be possible up to the lift, which is too late.
        case never
    }

    package var interval: Interval
    package var moment: Moment

    package init(_ interval: Interval = .zero, after moment: Moment) {
        self.interval = interval
        self.moment = moment
    }

    /// `at the landing`, `500 ms after the landing`, `up to 300 ms after the lift`
    package var description: String {
        let milliseconds = interval.wholeMilliseconds
        switch moment {
        case .landing: return interval == .zero ? "at the landing" : "\(milliseconds) ms after the landing"
        case .movement:
            let bound = interval == .zero ? "" : ", or up to \(milliseconds) ms after the landing"
            return "at the movement" + bound
        case .lift: return interval == .zero ? "at the lift" : "up to \(milliseconds) ms after the lift"
        case .recognition(let name):
            return interval == .zero ? "when \(name) is recognized" : "\(milliseconds) ms after \(name) is recognized"
        case .never: return "perhaps never"
        }
    }
}

extension [Region] {
    /// One for each gesture of one of these regions.
    package func decisionDelays(of region: Int) -> [DecisionDelay] {
        DecisionDelays(self[region].gestures, in: self).delays
    }
}
