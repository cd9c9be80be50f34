// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine
import GesturePipeline
import TouchSharing

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
    /// The filter of the application changes with the scene.
    case scene(ApplicationFilter, at: Timestamp)
    /// The display is switched off.
    case displayOff
    case suspend(at: Timestamp)
    /// Sharing ends, and begins again.
    case restart(at: Timestamp)
    case updates(Bool)
    case failures(Bool)
}
