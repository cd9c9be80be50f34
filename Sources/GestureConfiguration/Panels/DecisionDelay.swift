// SPDX-License-Identifier: MIT
package import GestureEngine

/// How long it takes at most until a gesture is recognized, and since what: the delay that a user feels.
///
/// For a gesture of several touches it is counted from the last landing or the last lift.
package struct DecisionDelay: Hashable, Sendable, CustomStringConvertible {
    package enum Moment: Hashable, Sendable {
        case landing
        /// The contact has moved far enough. With an interval: not before so much time has passed since
        /// the landing.
        case movement
        /// Of the gesture's last contact.
        case lift
        /// Of the gesture with this name, which is in its `after`.
        case recognition(of: String)
        /// A gesture in its `unless` may be recognized at once, or stay possible until the lift, which is too
        /// late.
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
    /// The delay of each gesture of one of these regions.
    package func decisionDelays(of region: Int) -> [DecisionDelay] {
        DecisionDelays(self[region].gestures, in: self).delays
    }
}
