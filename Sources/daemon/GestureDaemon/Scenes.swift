// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureEngine
import GesturePipeline
import GestureProtocol
import LinuxSystem

/// Switches scenes at the request of clients, when the time of a scene ends, and according to idle times while no panel
/// is touched.
final class Scenes {
    let watch: IdleWatch
    private let store: ConfigurationStore
    private let updates: PanelUpdates
    private let announcements: Announcements
    private let log: Log
    private let kept = KeptScene()

    /// Creates an object to which no idle times apply yet.
    /// - Parameter watch: measures the idle time of all panels.
    init(_ watch: IdleWatch, _ updates: PanelUpdates) {
        (self.watch, self.updates, store, log) = (watch, updates, updates.store, updates.log)
        announcements = updates.announcements
    }

    /// Sets the scene that the previous process has kept, and applies the idle times. Call this before panels are opened
    /// and clients connect.
    func restore() {
        do throws(UnreadableState) {
            if let scene = try kept.load() { restore(scene) }
        } catch {
            log.warning("scene: \(error); ignoring the saved scene")
        }
        applyConfiguration()
    }

    private func restore(_ kept: KeptScene.Contents) {
        var changes = store.changes
        (changes.scene, changes.sceneTime) = (kept.scene, kept.time)
        if kept.returnsToStart { changes.sceneTime?.former = changes.startScene }
        if kept.time.end <= MonotonicClock.now() { changes.endSceneTime() }
        changes.adapt(to: store.written)
        store.changes = changes
        // No client needs a line about this.
        _ = store.takeOpenChange()
        let reason = changes.sceneTime == nil ? "the time of \"\(kept.scene)\" has ended" : "its time continues"
        log.info("scene: \"\(changes.scene)\" after the restart: \(reason)")
    }

    /// Switches to a scene.
    /// - Parameter milliseconds: the time until the former scene comes back; `nil`: it does not come back.
    /// - Throws: if there is no such scene. In that case, nothing changes.
    func choose(_ scene: String, for milliseconds: Int64?) throws(RequestError) {
        let scenes = store.current.sceneIDs
        guard scenes.contains(scene) else {
            throw RequestError(
                .notFound, "no scene \"\(scene)\"", suggestion: Spelling.nearest(to: scene, among: scenes))
        }
        updates.takeAgain()
        let isLimited = milliseconds != nil || store.changes.sceneTime != nil
        guard isLimited || store.changes.currentScene != scene else { return }
        store.changes.setScene(scene, until: milliseconds.map { MonotonicClock.now() + $0 * 1000 })
        keepTime()
        updates.applySwitches(.scene)
        applyRules(.scene)
        log.info("scene: \"\(scene)\"\(milliseconds.map { " for \($0) ms" } ?? "")")
    }

    /// Applies the idle times of a new configuration, which may have ended the time of the scene.
    func applyConfiguration() {
        keepTime()
        applyRules(.reload)
    }

    /// Applies the idle times of the configuration for the scene that clients have chosen.
    /// - Parameter isReturn: whether the former scene has come back because the time of another one has ended.
    private func applyRules(_ reason: IdleWatch.EndReason, isReturn: Bool = false) {
        let now = Timestamp(microseconds: MonotonicClock.now())
        let (rules, scene) = (store.current.idle, store.changes.scene)
        announcements.idle(watch.apply(rules, in: scene, reason, at: now, isReturn: isReturn))
    }

    /// Stores the time of the scene for the next process. Call this before clients learn of a change, so that they can
    /// rely on it.
    private func keepTime() {
        let (scene, start) = (store.changes.scene, store.changes.startScene)
        do throws(SystemError) {
            try kept.keep(
                store.changes.sceneTime.map {
                    KeptScene.Contents(scene: scene, time: $0, returnsToStart: $0.former == start)
                })
        } catch {
            log.warning("scene: the time of \"\(scene)\" would be lost by a crash: \(error)")
        }
    }

    /// The time at which `advance(to:)` must next be called; `.never` while nothing is pending.
    var nextDeadline: Timestamp {
        let end = store.changes.sceneTime.map { Timestamp(microseconds: $0.end) }
        return min(watch.nextDeadline ?? .never, end ?? .never)
    }

    /// Begins idle times that are due, and ends the time of a scene.
    func advance(to now: Timestamp) {
        announcements.idle(watch.advance(to: now))
        if let time = store.changes.sceneTime, time.end <= now.microseconds { endTime() }
    }

    private func endTime() {
        store.changes.endSceneTime()
        keepTime()
        // While an idle time shows its own scene, nothing changes for clients.
        if store.changes.idleScene == nil { updates.applySwitches(.scene) }
        applyRules(.scene, isReturn: true)
        log.info("scene: switched back to \"\(store.changes.scene)\"")
    }

    /// Ends idle times as a touch does.
    func noteActivity() {
        announcements.idle(watch.noteActivity(at: Timestamp(microseconds: MonotonicClock.now())))
    }

    /// Whether an idle time with a scene has begun or ended.
    var hasIdleChange: Bool { store.changes.idleScene != watch.scene }

    /// Switches to the scene of an idle time, or back from it. Call this at the end of a turn, because a panel is still
    /// sending lines when the idle time changes.
    func followIdle() {
        let before = store.changes
        store.changes.idleScene = watch.scene
        guard !store.changes.showsSameScene(as: before) else { return }
        updates.applySwitches(.scene)
        log.info("scene: switched to \"\(store.changes.currentScene)\" because of [[idle]]")
    }
}
