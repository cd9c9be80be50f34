// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine
import GesturePipeline

/// An input of a panel's pipeline.
enum KernelStep {
    case events([KernelEvent])
    /// The kernel has lost events; the table has the current state of the slots and the slot of the next event.
    case resynchronize(SlotTable, at: Timestamp)
    case advance(Timestamp)
    case cancelAll(CancelReason, at: Timestamp)
    /// A client cancels the gestures of one region.
    case cancel(region: String, at: Timestamp)
    case replace(LawWorld, at: Timestamp)
    case updates(Bool)
    case failures(Bool)
}
