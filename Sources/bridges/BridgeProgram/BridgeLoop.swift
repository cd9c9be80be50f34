// SPDX-License-Identifier: MIT
import CLinux
package import LinuxSystem

/// The part of a bridge that depends on its settings. It runs on the loop of a `BridgeLoop`.
package protocol BridgeService: AnyObject {
    associatedtype Settings: BridgeSettings

    /// Creates a service that does nothing before `start()`.
    init(_ settings: Settings, loop: EventLoop) throws(SystemError)

    /// The text that the service manager shows.
    var status: String { get }
    /// The error because of which the service has stopped the loop; `nil` if it has not.
    var failure: SystemError? { get }

    func start()

    /// Ends the service. Nothing is called after this.
    func stop()

    /// Returns a service with other settings that replaces this one, which has been stopped.
    func successor(_ settings: Settings) throws(SystemError) -> Self
}

extension BridgeService {
    package var failure: SystemError? { nil }
}

/// The loop of a bridge, its signals, its watchdog, and its service. The service is replaced when the file is reloaded.
package final class BridgeLoop<Options: BridgeOptions, Service: BridgeService>
where Service.Settings == Options.Settings {
    private let options: Options
    private let loop: EventLoop
    private let notifier = ServiceNotifier()
    private var service: Service
    private var signals: SignalSource?
    private var watchdog: DeadlineTimer?

    private init(_ options: Options, _ settings: Options.Settings) throws(SystemError) {
        self.options = options
        loop = try EventLoop()
        service = try Service(settings, loop: loop)
    }

    /// Runs a service until a signal stops it.
    /// - Returns: the exit status.
    package static func run(_ options: Options, _ settings: Options.Settings) -> CInt {
        do throws(SystemError) {
            try BridgeLoop(options, settings).run()
            return ExitStatus.ok
        } catch {
            log("\(error)")
            return ExitStatus.system
        }
    }

    private func run() throws(SystemError) {
        let this = Unmanaged.passUnretained(self)
        signals = try SignalSource(loop: loop, signals: bridgeSignals) { signal in
            let bridge = this.takeUnretainedValue()
            if signal == SIGHUP { bridge.reload() } else { bridge.loop.stop() }
        }
        watchdog = try DeadlineTimer(loop: loop) { this.takeUnretainedValue().tellAlive() }
        service.start()
        notifier.ready(status: service.status)
        tellAlive()
        try loop.run()
        notifier.stopping()
        service.stop()
        if let failure = service.failure { throw failure }
    }

    private func tellAlive() {
        guard let interval = notifier.watchdogInterval else { return }
        _ = notifier.watchdog()
        watchdog?.arm(at: MonotonicClock.now() + interval / 2)
    }

    /// Reloads the file. A file with errors changes nothing.
    private func reload() {
        guard let settings = options.settings() else {
            return Self.log("the file was not reloaded; the settings in use stay")
        }
        service.stop()
        do throws(SystemError) {
            service = try service.successor(settings)
            service.start()
            Self.log("the file was reloaded")
        } catch {
            Self.log("\(error)")
            loop.stop()
        }
    }

    private static func log(_ text: String) { Options.log(text) }
}
