// SPDX-License-Identifier: MIT
package import GestureConfiguration
package import GestureEngine
package import GestureProtocol

/// Writes what a check of a configuration has found.
package enum CheckReply {
    /// Writes `"ok":true,"diagnostics":[…],"gestures":[…]`: of each gesture how long it takes to be decided.
    /// - Parameter regions: `nil` when the configuration has errors.
    package static func write(_ diagnostics: [Diagnostic], _ regions: [Region]?, into json: inout JSONWriter) {
        json.member("ok", regions != nil)
        json.objects("diagnostics", diagnostics) { $0.write(into: &$1) }
        json.objects("gestures", (regions ?? []).decisions) { decision, json in
            json.member("region", decision.region.id)
            json.member("gesture", decision.gesture.word)
            json.member("name", decision.gesture.name)
            json.member("decided", "\(decision.delay)")
            json.member("decided_ms", decision.delay.interval.wholeMilliseconds)
        }
    }
}

extension [Region] {
    /// How long each gesture of each region takes to be decided.
    package var decisions: [(region: Region, gesture: Gesture, delay: DecisionDelay)] {
        indices.flatMap { index in
            zip(self[index].gestures, decisionDelays(of: index)).map { (self[index], $0, $1) }
        }
    }
}
