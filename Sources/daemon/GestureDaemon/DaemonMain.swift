// SPDX-License-Identifier: MIT
import CLinux
import GestureConfiguration
import GestureProtocol
import GestureServer
import LinuxSystem

/// The entry point of the program `gestured`.
package enum DaemonMain {
    /// Runs the program.
    /// - Parameter arguments: the arguments without the program's name.
    package static func run(_ arguments: [String]) -> CInt {
        Options.run(arguments, version: Version.number, check: check, serve: serve)
    }

    /// Prints every diagnostic with its line and caret, followed by the result.
    private static func check(_ options: Options) -> CInt {
        let store = ConfigurationStore(options)
        let outcome = store.read()
        let diagnostics =
            outcome.diagnostics + ResolvedAccess(store.current).warnings + store.current.panelWarnings()
            + store.current.displayWarnings { DisplayPower.problem(file: $0) }
        for diagnostic in diagnostics { StandardStream.error.write(diagnostic.text { $0.columns } + "\n") }
        if case .rejected = outcome { return ExitStatus.configuration }
        let files = store.files.isEmpty ? "no configuration files; no regions" : store.files.joined(separator: ", ")
        StandardStream.output.write("\(SafeText.terminal(files)): ok\n")
        return ExitStatus.ok
    }

    private static func serve(_ options: Options) -> CInt {
        let log = Log(level: options.logLevel ?? .info)
        let forgotten = KeptFile.forgetEarlierBoot()
        if !forgotten.isEmpty { log.info("daemon: removed \(forgotten.joined(separator: ", ")) of an earlier boot") }
        let crashGuard = CrashGuard()
        if let (pause, reason) = crashGuard.begin() {
            log.warning("daemon: \(reason); starting in \(pause / 1_000_000) s")
            _ = poll(nil, 0, CInt(pause / 1000))
        }
        // Signals are blocked until the loop handles them. Otherwise, an early SIGHUP would terminate the daemon, and
        // an early SIGTERM would terminate it without a `bye`.
        SignalSource.block(Daemon.signals)
        linux_share_heap()
        linux_map_large_memory()
        let store = ConfigurationStore(options)
        let outcome = store.read()
        for diagnostic in outcome.diagnostics { log.text(diagnostic.text { $0.columns }) }
        if case .rejected = outcome {
            // Under a service manager, the daemon continues. If it exited, it would be restarted again and again with
            // the same error.
            guard store.kept != nil || ServiceNotifier().isActive else { return ExitStatus.configuration }
            log.error("configuration: \(store.fallBack())")
        }
        if store.files.first == ConfigurationFiles.defaultFile {
            log.info("configuration: there is no \(ConfigurationFiles.standardFile); the default is in use")
        }
        let passed = ListenSockets.passed()
        do throws(ListenError) {
            let isOwn = passed == nil
            let path = options.socket ?? InstalledFiles.socket
            let listener: OwnedDescriptor
            if let passed { listener = passed } else { listener = try ListenSockets.bind(path: path) }
            defer { if isOwn { ListenSockets.remove(path: path) } }
            return serve(options, store, log, crashGuard, listener)
        } catch {
            log.error("socket: \(error)")
            return ExitStatus.cannotListen
        }
    }

    private static func serve(
        _ options: Options, _ store: ConfigurationStore, _ log: Log, _ crashGuard: CrashGuard,
        _ listener: consuming OwnedDescriptor
    ) -> CInt {
        do throws(SystemError) {
            let loop = try EventLoop()
            let limits = serverLimits(store.current.daemon, log)
            let server = try GestureServer(
                listener: listener, loop: loop,
                identity: ServerIdentity(server: "gestured \(Version.number)", instance: newInstance()),
                limits: limits, ownUser: geteuid()
            ) { log.write($0, $1) }
            let daemon = Daemon(
                logLevel: options.logLevel, store: store, log: log, crashGuard: crashGuard, loop: loop, server: server)
            try daemon.run()
            crashGuard.end()
            return ExitStatus.ok
        } catch {
            log.error("\(error)")
            return ExitStatus.system
        }
    }

    private static func serverLimits(_ settings: DaemonSettings, _ log: Log) -> ServerLimits {
        var limits = ServerLimits()
        let wanted = settings.maxClients
        limits.clients = wanted
        limits.clientsPerUser = settings.maxClientsPerUser
        let descriptors = linux_descriptor_limit()
        if descriptors >= 0, limits.fit(descriptors: Int(descriptors)) {
            log.warning(
                "daemon: max_clients is \(wanted), but \(descriptors) descriptors leave room for only \(limits.clients) clients in addition to devices; raise LimitNOFILE= (ulimit -n)"
            )
        }
        return limits
    }

    /// Eight hexadecimal digits, different at each start.
    private static func newInstance() -> String { padded(UInt32.random(in: .min ... .max), to: 8, radix: 16) }
}

extension ConfigurationStore.Outcome {
    var diagnostics: [Diagnostic] {
        switch self {
        case .accepted(let warnings): warnings
        case .rejected(let diagnostics): diagnostics
        }
    }
}
