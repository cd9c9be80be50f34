// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureEngine
import GesturePipeline
import GestureProtocol
import LinuxSystem

/// Switches scenes at the request of clients, and according to idle times while no panel is touched.
final class Scenes {
    let watch: IdleWatch
    private let store: ConfigurationStore
    private let updates: PanelUpdates
    private let announcements: Announcements
    private let log: Log

    /// Creates an object to which no idle times apply yet.
    /// - Parameter watch: measures the idle time of all panels.
    init(_ watch: IdleWatch, _ updates: PanelUpdates) {
        (self.watch, self.updates, store, log) = (watch, updates, updates.store, updates.log)
        announcements = updates.announcements
    }

    /// Switches to a scene.
    /// - Throws: if there is no such scene. In that case, nothing changes.
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

    /// Applies the idle times of the configuration for the scene that clients have chosen.
    func applyRules(_ reason: IdleWatch.EndReason) {
        let now = Timestamp(microseconds: MonotonicClock.now())
        announcements.idle(watch.apply(store.current.idle, in: store.changes.scene, reason, at: now))
    }

    /// Begins idle times that are due.
    func advance(to now: Timestamp) { announcements.idle(watch.advance(to: now)) }

    /// Whether an idle time with a scene has begun or ended.
    var hasIdleChange: Bool { store.changes.idleScene != watch.scene }

    /// Switches to the scene of an idle time, or back from it. Call this at the end of a turn, because a panel is still
    /// sending lines when the idle time changes.
    func followIdle() {
        let before = store.changes.currentScene
        store.changes.idleScene = watch.scene
        guard store.changes.currentScene != before else { return }
        updates.applySwitches(.scene)
        log.info("scene: switched to \"\(store.changes.currentScene)\" because of [[idle]]")
    }
}
