// SPDX-License-Identifier: MIT
package import ContactTracking
package import GestureEngine
import GestureProtocol

/// An occurrence that a pipeline tells its observer, instead of making a line of it.
package enum PanelOutput {
    /// An event of the engine, and its region.
    case gesture(GestureEvent, Region)
    case touches(TouchesReport)
    case wake(WakeGuard.Reason, Timestamp)
    case idle(IdleWatch.Change)
    /// The end of a raw frame. `isAfterLoss` is whether events before it were lost.
    case frame(Timestamp, isAfterLoss: Bool)
}

extension LineInterest {
    /// Whether anybody wants the event. The engine reports the updates of a press even if nobody does.
    func includes(_ event: GestureEvent) -> Bool {
        if case .update = event.phase { return updates }
        if case .failed = event.detail { return failures }
        return true
    }
}
