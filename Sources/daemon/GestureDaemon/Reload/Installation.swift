// SPDX-License-Identifier: MIT
import GestureConfiguration
import GesturePipeline
import GestureProtocol
import GestureServer
import LinuxSystem

/// Applies the configuration files, or reports to clients and in the log that they are refused.
final class Installation {
    /// Microseconds between two reminders that the files are refused.
    private static let reminderInterval: Int64 = 3_600_000_000

    private let logLevel: LogLevel?
    let server: GestureServer
    let service: ServiceStatus
    let updates: PanelUpdates
    private let store: ConfigurationStore
    private let log: Log
    private let scenes: Scenes
    let keeper: ConfigurationKeeper
    /// The time when clients and the log were last informed that the files are refused.
    private var refusalTold: Int64?

    /// Creates an installation.
    /// - Parameter logLevel: the level from the command line, which overrides the configuration's.
    init(
        _ logLevel: LogLevel?, _ server: GestureServer, _ service: ServiceStatus, _ updates: PanelUpdates,
        _ scenes: Scenes, _ keeper: ConfigurationKeeper
    ) {
        (self.logLevel, self.server, self.service) = (logLevel, server, service)
        (self.updates, self.scenes, self.keeper) = (updates, scenes, keeper)
        (store, log) = (updates.store, updates.log)
    }

    func apply(_ read: Reload.Outcome) -> ConfigurationStore.Outcome {
        let before = store.changes
        let outcome = store.install(read.files)
        warnAboutHiddenDefinitions()
        switch outcome {
        case .rejected(let diagnostics):
            log.write(diagnostics)
            log.error("configuration: rejected; the previous one stays active")
            updates.announcements.outcome()
            refusalTold = MonotonicClock.now()
        case .accepted(let warnings):
            log.write(warnings)
            if let access = read.access { apply(access) }
            applyLogLevel()
            updates.applyConfiguration(read.panels)
            updates.warnAboutUnusedOutputs()
            scenes.applyConfiguration()
            if store.changes.scene != before.scene { log.info("scene: switched to \"\(store.changes.scene)\"") }
            updates.announcements.outcome()
            if store.hasOpenChange {
                updates.announcements.runtime(store.changes.showsSameScene(as: before) ? .profile : .scene)
            }
            log.info("configuration: generation \(store.generation) is active: \(service.text)")
            keeper.keep()
        }
        service.show()
        return outcome
    }

    /// Reminds clients and the log that the files are refused. The first reminder is sent soon after a start, when
    /// clients have connected; others follow every hour.
    func remindOfRefusal() {
        guard case .rejected(let diagnostics) = store.last else { return }
        let now = MonotonicClock.now()
        if let refusalTold {
            guard now - refusalTold >= Self.reminderInterval else { return }
            log.write(diagnostics)
            log.error("configuration: the files are still refused; correct them and reload")
        }
        refusalTold = now
        updates.announcements.outcome()
    }

    func applyLogLevel() {
        log.level = logLevel ?? store.current.daemon.logLevel
        updates.panels.logLevelChanged()
    }

    /// Applies the lists of `[access]`. Names of users and groups that do not exist are logged and omitted.
    func apply(_ access: ResolvedAccess) {
        log.write(access.warnings)
        server.setAccess(access.lists)
    }

    /// Logs the client-defined regions that do not fit the new files.
    private func warnAboutHiddenDefinitions() {
        let definitions = store.changes.state.definitions
        guard !definitions.isEmpty else { return }
        let present = Set(store.current.regions.dropFirst(store.written.regions.count).map { $0.id })
        for rule in definitions where !present.contains(rule.id) {
            log.warning(
                "client: region \"\(rule.name)\" is omitted: the files define a region with the same id, or they no longer define its parent"
            )
        }
    }
}
