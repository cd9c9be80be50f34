// SPDX-License-Identifier: MIT
package import GestureConfiguration
package import GestureEngine
package import GestureProtocol

/// Writes the result of a check of a configuration.
package enum CheckReply {
    /// Writes `"ok":true,"diagnostics":[…],"gestures":[…]`, with the decision delay of each gesture, and `"accessibility":[…]`.
    /// - Parameters:
    ///   - regions: `nil` if the configuration has errors.
    ///   - findings: `nil` if accessibility was not checked.
    package static func write(
        _ diagnostics: [Diagnostic], _ regions: [Region]?, _ findings: [AccessibilityFinding]? = nil,
        into json: inout JSONWriter
    ) {
        json.member("ok", regions != nil)
        json.objects("diagnostics", diagnostics) { $0.write(into: &$1) }
        json.objects("gestures", (regions ?? []).decisions) { decision, json in
            json.member("region", decision.region.id)
            json.member("gesture", decision.gesture.word)
            json.member("name", decision.gesture.name)
            json.member("decided", "\(decision.delay)")
            json.member("decided_ms", decision.delay.interval.wholeMilliseconds)
        }
        if let findings { json.objects("accessibility", findings) { $0.write(into: &$1) } }
    }
}

extension [Region] {
    /// The gestures of each region, each with the delay until it is decided.
    package var decisions: [(region: Region, gesture: Gesture, delay: DecisionDelay)] {
        regionIndices.flatMap { index in
            zip(self[index].gestures, decisionDelays(of: index)).map { (self[index], $0, $1) }
        }
    }
}
