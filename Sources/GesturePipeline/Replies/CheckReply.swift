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
        json.array("diagnostics") { json in
            for diagnostic in diagnostics { diagnostic.write(into: &json) }
        }
        json.array("gestures") { json in
            for (region, gesture, delay) in (regions ?? []).decisions {
                json.object { json in
                    json.member("region", region.id)
                    json.member("gesture", gesture.word)
                    json.member("name", gesture.name)
                    json.member("decided", "\(delay)")
                    json.member("decided_ms", delay.interval.wholeMilliseconds)
                }
            }
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
