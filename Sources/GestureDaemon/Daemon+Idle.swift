// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureEngine
import GesturePipeline
import LinuxSystem

/// Idle times: what happens when no panel is touched.
extension Daemon {
    /// Takes the rules and the scene in force.
    func applyIdle(_ reason: IdleWatch.EndReason) {
        let now = Timestamp(microseconds: MonotonicClock.now())
        send(idle.apply(store.current.idle, in: store.changes.scene, reason, at: now))
    }

    func send(_ changes: [IdleWatch.Change]) {
        for change in changes { broadcast { change.encode(into: &$0) } }
    }

    /// Switches to the scene of an idle time, and back. Called once a turn: a panel's lines are sent while it is changed.
    func followIdleScene() {
        let before = store.changes.currentScene
        store.changes.idleScene = idle.scene
        guard store.changes.currentScene != before else { return }
        applySwitches(.scene)
        log.info("scene: \"\(store.changes.currentScene)\", because of [[idle]]")
    }
}
