// SPDX-License-Identifier: MIT
import CLinux
import ContactTracking
import GestureConfiguration
import GestureEngine
import GesturePipeline
import GestureProtocol
import GestureServer
import LinuxSystem
import TouchInput

extension Daemon {
    /// - Parameter seesPrivate: otherwise private regions and their gestures are not counted.
    func status(seesPrivate: Bool) -> StatusReply {
        let hidden = seesPrivate ? [] : store.current.privateRegionIDs
        var reply = StatusReply(
            instance: instance, process: getpid(), uptime: MonotonicClock.now() - started, files: store.files,
            generation: store.generation, state: .ok, warnings: 0)
        switch store.last {
        case .accepted(let warnings):
            reply.warnings = warnings.count
            if store.files.isEmpty { reply.state = .none }
        case .rejected(let diagnostics):
            reply.state = .rejected(errors: diagnostics.count { $0.severity == .error })
        }
        var counts = pastCounts
        for device in devices {
            switch device.state {
            case .ready(let panel):
                reply.ready += 1
                if panel.grab.isElsewhere { reply.grabbedByOthers += 1 }
                counts.add(panel)
                let regions = panel.pipeline.setup.regions
                panel.pipeline.forEachActive { region, _, _ in
                    if seesPrivate || !regions[region].isPrivate { reply.active += 1 }
                }
            case .refused: reply.refused += 1
            case .ignored: reply.ignored += 1
            case .failed: reply.failed += 1
            }
        }
        reply.frames = counts.frames
        reply.events = counts.events
        reply.resynchronizations = counts.resynchronizations
        reply.scene = store.changes.scene
        reply.scenes = store.current.sceneIDs
        reply.regions = store.current.regions.count - hidden.count
        reply.clients = server.clientCount
        reply.dropped = server.droppedLines
        return reply
    }
}
