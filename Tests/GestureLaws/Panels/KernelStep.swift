// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine
import GesturePipeline

/// What a panel's pipeline is told.
enum KernelStep {
    case events([KernelEvent])
    /// The kernel has lost events: the slots as they are, and the one that the next event is about.
    case resynchronize(SlotTable, at: Timestamp)
    case advance(Timestamp)
    case cancelAll(CancelReason, at: Timestamp)
    /// By a client, in one region.
    case cancel(region: String, at: Timestamp)
    case replace(LawWorld, at: Timestamp)
    case updates(Bool)
    case failures(Bool)
}
