// SPDX-License-Identifier: MIT
package import ContactTracking
package import GestureEngine
import GestureProtocol
package import TouchSharing

/// Sharing a panel with an application.
extension PanelPipeline {
    /// Since the sharing began last, and before.
    package var shareCounts: Sides<ShareCounts> {
        var counts = pastShareCounts
        counts.add(sharing.counts)
        return counts
    }

    /// Where a contact goes that is down.
    package func fate(of contact: ContactID) -> TouchFate { sharing.fate(of: contact) }

    /// Where the contact in a slot goes.
    package func fate(ofSlot slot: Int) -> TouchFate { sharing.fate(ofSlot: slot) }

    /// Gives contacts that land from now on to an application, as the regions allow.
    /// - Parameter write: receives what the application gets, in whole frames: when the engine has decided, and before any
    ///   line is made of that. It must not use the pipeline.
    package mutating func startSharing(_ write: @escaping ([KernelEvent]) -> Void) {
        guard !isShared else { return }
        sharing = TouchSharing(setup.description, setup.touchProtocol, cancel: setup.cancel, tracker, write: write)
        isShared = true
        engine.noteClaims(in: sharing.claims)
    }

    /// Lifts what the application has. `endSharing()` may follow.
    package mutating func liftShared(at time: Timestamp) {
        if isShared { sharing.liftAll(at: time) }
    }

    /// Forgets what the application has.
    package mutating func endSharing() {
        guard isShared else { return }
        isShared = false
        pastShareCounts.add(sharing.counts)
        sharing = TouchSharing()
        engine.noteClaims(in: nil)
    }

    /// Takes what the kernel says of an axis that slot tables do not hold, by slot. It is given with the next frame.
    package mutating func setTwinAxis(_ code: UInt16, _ values: some Sequence<Int32>) {
        if isShared { sharing.set(code, values) }
    }

    /// Makes and writes the application's frame, after the engine has seen the panel's.
    /// - Parameter isReported: the panel has reported it; else a deadline or a client is the reason.
    mutating func share(at time: Timestamp, isReported: Bool = false) {
        guard isShared else { return }
        sharing.share(at: time, isReported: isReported, tracker, engine, notesLate: interest.touches)
    }
}
