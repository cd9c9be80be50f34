// SPDX-License-Identifier: MIT
import ContactTracking
import GestureConfiguration
import GesturePipeline
import GestureProtocol
import LinuxSystem

/// Maps panels to other outputs at the request of clients, and keeps these outputs for the next start.
final class Outputs {
    private let loop: EventLoop
    private let updates: PanelUpdates
    private let store: ConfigurationStore
    private let log: Log
    /// Writes to the disk on a thread, because a disk may take seconds.
    private var work: BackgroundWork<Result<Void, SystemError>>?
    /// Whether there are changes that `work` does not write.
    private var isChanged = false

    init(loop: EventLoop, _ updates: PanelUpdates) {
        (self.loop, self.updates) = (loop, updates)
        (store, log) = (updates.store, updates.log)
    }

    /// Sets the outputs that an earlier process has kept. Call this before panels are opened and clients connect.
    func restore() {
        guard let kept = store.keptOutputs else { return }
        do throws(UnreadableState) {
            let outputs = try kept.load()
            guard !outputs.isEmpty else { return }
            store.changes.outputs = outputs
            // No client needs a line about this.
            _ = store.takeOpenChange()
            log.info("output: set by clients for \(outputs.keys.sorted().joined(separator: ", "))")
            updates.warnAboutUnusedOutputs()
        } catch {
            log.warning("output: \(error); ignoring the saved outputs")
        }
    }

    /// The key of the output of a panel that is not ready; `nil` if it has no output that clients have set.
    private func absentKey(of name: String) -> String? {
        let devices = updates.panels.devices.attached.filter { $0.device == name }
        guard !devices.contains(where: { $0.panel != nil }) else { return nil }
        let key = devices.first.map { store.current.outputKey(of: $0.description, named: name) } ?? name
        return store.changes.outputs[key] == nil ? nil : key
    }

    /// Sets the output of a panel, or resets it to that of the configuration.
    /// - Parameter name: the id of the panel; `nil` means the only one.
    /// - Throws: if there is no such panel. In that case, nothing changes.
    func set(_ output: OutputChange, of name: String?) throws(RequestError) {
        let panels = updates.panels.devices.panels.map { $0.pipeline.setup.device }
        guard name != nil || panels.count <= 1 else {
            throw RequestError(
                .notFound, "\"device\" is missing; the panels are \(panels.joined(separator: ", "))")
        }
        var outputs = store.changes.outputs
        if output.isEmpty, let name, let key = absentKey(of: name) {
            outputs[key] = nil
        } else {
            let panel = try updates.panels.devices.panel(name)
            let (device, key) = (panel.pipeline.setup.device, updates.panels.devices.key(of: panel))
            // The panel may have got another key since its output was set.
            for former in [device, panel.pipeline.setup.description.identity] { outputs[former] = nil }
            outputs[key] = output.isEmpty ? nil : output
        }
        guard outputs != store.changes.outputs else { return }
        guard outputs.count <= KeptOutputs.most else {
            throw RequestError(.busy, "there are \(KeptOutputs.most) outputs already; reset one of another panel")
        }
        store.changes.outputs = outputs
        updates.applyOutputs()
        isChanged = true
        keep()
    }

    private func keep() {
        guard work == nil, isChanged, let kept = store.keptOutputs else { return }
        isChanged = false
        let outputs = store.changes.outputs
        do throws(SystemError) {
            work = try BackgroundWork(loop: loop, { Result { () throws(SystemError) in try kept.save(outputs) } }) {
                [unowned self] in finish($0)
            }
        } catch {
            finish(.failure(error))
        }
    }

    private func finish(_ result: Result<Void, SystemError>) {
        work = nil
        if case .failure(let failure) = result {
            log.warning("output: \(failure); the outputs set by clients are lost when the daemon ends")
        }
        // A request may have changed an output in the meantime.
        keep()
    }

    /// Waits until everything has been written.
    func stop() {
        while let work { work.wait() }
    }
}
