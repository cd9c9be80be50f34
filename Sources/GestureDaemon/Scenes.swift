// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureEngine
import GesturePipeline
import GestureProtocol
import LinuxSystem

/// The scene in force, which clients choose, and idle times while no panel is touched.
final class Scenes {
    let watch: IdleWatch
    private let store: ConfigurationStore
    private let updates: PanelUpdates
    private let announcements: Announcements
    private let log: Log

    /// - Parameter watch: follows the touches of all panels.
    init(_ watch: IdleWatch, _ updates: PanelUpdates) {
        (self.watch, self.updates, store, log) = (watch, updates, updates.store, updates.log)
        announcements = updates.announcements
    }

    /// - Throws: if there is no such scene; nothing has changed then.
    func choose(_ scene: String) throws(RequestError) {
        let scenes = store.current.sceneIDs
        guard scenes.contains(scene) else {
            throw RequestError(
                .notFound, "no scene \"\(scene)\"", suggestion: Spelling.nearest(to: scene, among: scenes))
        }
        guard store.changes.currentScene != scene else { return }
        store.changes.scene = scene
        store.changes.idleScene = nil
        updates.applySwitches(.scene)
        applyRules(.scene)
        log.info("scene: \"\(scene)\"")
    }

    /// Follows the idle times of the configuration and the scene in force from now on.
    func applyRules(_ reason: IdleWatch.EndReason) {
        let now = Timestamp(microseconds: MonotonicClock.now())
        announcements.idle(watch.apply(store.current.idle, in: store.changes.scene, reason, at: now))
    }

    /// Begins idle times that are due.
    func advance(to now: Timestamp) { announcements.idle(watch.advance(to: now)) }

    /// Whether an idle time has begun or ended that has a scene.
    var hasIdleChange: Bool { store.changes.idleScene != watch.scene }

    /// Switches to the scene of an idle time, and back. Called once a turn: a panel's lines are sent while it is changed.
    func followIdle() {
        let before = store.changes.currentScene
        store.changes.idleScene = watch.scene
        guard store.changes.currentScene != before else { return }
        updates.applySwitches(.scene)
        log.info("scene: \"\(store.changes.currentScene)\", because of [[idle]]")
    }
}
