// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine
import GesturePipeline
import LinuxSystem
import TouchInput
import TouchSharing

/// The twin that applications read in a panel's place.
struct PanelSharing {
    var twin: PanelTwin?
    /// Why there is none, though the configuration asks for one.
    var problem: String?
    /// Why the panel may not be shared; `nil`: it may.
    let refusal: () -> String?
}

/// Sharing the panel with applications, which read a twin of it while the panel itself is grabbed.
extension Panel {
    /// The sharing in force. `forward` needs the twin, and holds while the panel is given back, too.
    var share: PanelShare {
        pipeline.setup.share == .forward && sharing.problem != nil ? .listen : pipeline.setup.share
    }

    /// Makes the twin.
    /// - Returns: `false` if that is not possible.
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

    /// Everybody gets the touches until a reload, as if it were `listen`.
    private func cannotShare(_ reason: String) -> Bool {
        grab.state = .shared
        // Logged once.
        if sharing.problem != reason { notify(.notShared(reason: reason)) }
        sharing.problem = reason
        return false
    }

    /// Must be called when the panel has just been grabbed.
    func beginSharing() {
        guard let twin = sharing.twin else { return }
        pipeline.startSharing { twin.write($0) }
        fetchTwinAxes()
        pipeline.liftShared(at: now)
    }

    /// Takes over what slot tables do not hold, such as pressures. Events that follow are later, or say the same.
    func fetchTwinAxes() {
        guard pipeline.isShared else { return }
        for code in SlotTable.otherAxes where pipeline.setup.description.axis(code) != nil {
            if let values = input.slotValues(of: code) { pipeline.setTwinAxis(code, values) }
        }
    }

    /// Must be called after anything that may have written to the twin. If that has failed, the twin goes and the panel is
    /// released, so that applications read it again.
    func checkTwin() {
        guard let failure = sharing.twin?.failure else { return }
        removeTwin()
        input.ungrab()
        _ = cannotShare("\(failure)")
    }

    /// Lifts what applications know of, and gives the panel to everybody; the twin goes later.
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
