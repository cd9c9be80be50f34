// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine
import GesturePipeline
import LinuxSystem
import TouchInput
import TouchSharing

/// The twin that applications read instead of the panel.
struct PanelSharing {
    var twin: PanelTwin?
    /// The reason why there is no twin although the configuration requests one.
    var problem: String?
    /// Returns the reason why the panel may not be shared; `nil` if it may be shared.
    let refusal: () -> String?
}

/// Shares the panel with applications, which read a twin of it while the panel itself is grabbed.
extension Panel {
    /// The current mode. It is `listen` instead of `forward` if the panel cannot be shared. It stays `forward` while
    /// the panel is given back.
    var share: PanelShare {
        pipeline.setup.share == .forward && sharing.problem != nil ? .listen : pipeline.setup.share
    }

    /// Creates the twin.
    /// - Returns: `false` if the twin could not be created.
    func makeTwin() -> Bool {
        if let reason = sharing.refusal() { return cannotShare(reason) }
        let setup = pipeline.setup
        let description = setup.description.twin(of: input.node, setup.touchProtocol, cancel: setup.cancel)
        do throws(SystemError) {
            let twin = try PanelTwin(description, of: input)
            sharing.twin = twin
            sharing.problem = nil
            notify(.twinMade(descriptor: twin.rawDescriptor, node: twin.node))
            return true
        } catch {
            return cannotShare("\(error)" + (PanelTwin.remedy(for: error).map { "; " + $0 } ?? ""))
        }
    }

    /// Lets every reader receive the touches, as with `listen`, until the next reload. Returns `false`.
    private func cannotShare(_ reason: String) -> Bool {
        grab.state = .free
        // Each reason is reported only once.
        if sharing.problem != reason { notify(.notShared(reason: reason)) }
        sharing.problem = reason
        return false
    }

    /// Starts sharing. Call this right after the panel was grabbed.
    func beginSharing() {
        guard let twin = sharing.twin else { return }
        pipeline.startSharing { twin.write($0) }
        fetchTwinAxes()
        pipeline.liftShared(at: now)
    }

    /// Reads values that slot tables do not contain, such as pressures. Unread events are either newer than these
    /// values or repeat them.
    func fetchTwinAxes() {
        guard pipeline.isShared else { return }
        for code in SlotTable.otherAxes where pipeline.setup.description.axis(code) != nil {
            if let values = input.slotValues(of: code) { pipeline.setTwinAxis(code, values) }
        }
    }

    /// If a write to the twin has failed, removes the twin and releases the panel, so that applications read the panel
    /// again. Call this after anything that may have written to the twin.
    func checkTwin() {
        guard let failure = sharing.twin?.failure else { return }
        removeTwin()
        input.ungrab()
        _ = cannotShare("\(failure)")
    }

    /// Lifts the contacts that applications see, and releases the panel. The twin is removed later.
    func endSharing() {
        guard sharing.twin != nil else { return }
        pipeline.liftShared(at: now)
        input.ungrab()
        removeTwin()
    }

    private func removeTwin() {
        guard let twin = sharing.twin else { return }
        sharing.twin = nil
        pipeline.endSharing()
        notify(.twinEnds(twin))
    }
}
