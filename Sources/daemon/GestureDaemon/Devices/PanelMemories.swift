// SPDX-License-Identifier: MIT
import GestureEngine
import GesturePipeline
import GestureProtocol
import LinuxSystem

/// The state that closed panels leave to those that are opened in their place, also by the next process (`Lasting`).
final class PanelMemories {
    struct Memory: Hashable {
        var pipeline = PanelMemory()
        /// Whether five fingers have given the panel back.
        var isGivenBack = false
    }

    /// The maximum number of closed panels, and of panels that the next process hears of.
    static let most = 64

    private let devices: Devices
    private let log: Log
    private let kept = KeptPanels()
    /// The memories of closed panels, by key.
    private var closed: [String: Memory] = [:]
    /// The number of changes that concern the next process, without those of the open panels' wrong steps.
    private var changes = 0
    private var keptChanges = 0
    private var isEnding = false

    init(_ devices: Devices, _ log: Log) { (self.devices, self.log) = (devices, log) }

    /// Loads what the previous process has kept. Call this before panels are opened.
    func load() {
        do throws(UnreadableState) {
            closed = try kept.load(at: MonotonicClock.now())
        } catch {
            log.warning("device: \(error); ignoring what the previous process has kept of panels")
        }
    }

    /// Gives a panel what the one before it has left. Call this before it is started.
    func restore(_ panel: Panel, of device: AttachedDevice) {
        let memory = closed.removeValue(forKey: devices.key(of: panel)) ?? Memory()
        panel.pipeline.restore(memory.pipeline)
        if memory.isGivenBack || device.isGivenBack, panel.grab.state == .waiting { panel.grab.state = .givenBack }
        device.isGivenBack = false
        changes += 1
    }

    /// Keeps what a panel leaves. Call this when it has been closed.
    func keep(_ panel: Panel, of device: AttachedDevice, after ending: Lasting.Ending) {
        device.isGivenBack = panel.grab.state == .givenBack && Lasting.givenBack.outlives(ending)
        changes += 1 + panel.pipeline.wrongStepsRevision
        if closed.count >= Self.most, let other = closed.min(by: { $0.value.end < $1.value.end }) {
            closed[other.key] = nil
        }
        closed[devices.key(of: panel)] = Memory(pipeline: panel.pipeline.memory)
    }

    /// Records that a panel was given back, or grabbed again.
    func noteGrab() { changes += 1 }

    /// Writes what the next process needs, if it has changed. Call this at the end of each turn.
    func save() {
        var current = changes
        for device in devices.attached { current += device.panel?.pipeline.wrongStepsRevision ?? 0 }
        guard current != keptChanges else { return }
        keptChanges = current
        var all = closed
        for panel in devices.panels {
            let isGivenBack = panel.grab.state == .givenBack && !isEnding
            all[devices.key(of: panel)] = Memory(pipeline: panel.pipeline.memory, isGivenBack: isGivenBack)
        }
        do throws(SystemError) {
            try kept.save(all, at: MonotonicClock.now())
        } catch {
            log.warning("device: a crash would end the lockouts of patterns: \(error)")
        }
    }

    /// Writes what outlives the end of the daemon (`Lasting.Ending.restart`).
    func end() {
        isEnding = true
        changes += 1
        save()
    }
}

extension PanelMemories.Memory {
    /// The time at which the last wrong step is forgotten.
    fileprivate var end: Timestamp {
        pipeline.wrongSteps.values.map { $0.end }.max() ?? Timestamp(microseconds: .min)
    }
}
