// SPDX-License-Identifier: MIT
#if MQTT
import BridgeProgram
import CLinux
import LinuxSystem

/// The entry point of the program `gestured-mqtt`.
package enum MQTTMain {
    /// - Parameter arguments: the arguments without the program's name.
    package static func run(_ arguments: [String]) -> CInt {
        if JobProgram.name(in: arguments) == ConfigCheck.name { return JobProgram.run { ConfigCheck.run($0) } }
        return MQTTOptions.run(arguments, serve: serve)
    }

    private static func serve(_ options: MQTTOptions, _ settings: MQTTSettings) -> CInt {
        // With these settings, memory that libmosquitto and SQLite free is returned to the kernel.
        linux_share_heap()
        linux_map_large_memory()
        do throws(SystemError) {
            let program = try Program(options, settings)
            try program.run()
            return ExitStatus.ok
        } catch {
            StandardStream.error.write("gestured-mqtt: \(error)\n")
            return ExitStatus.system
        }
    }
}

/// The loop, its signals, and the service. The service is replaced when the file is reloaded.
private final class Program {
    private let options: MQTTOptions
    private let loop: EventLoop
    private let notifier = ServiceNotifier()
    private var service: Service
    private var signals: SignalSource?
    private var watchdog: DeadlineTimer?

    init(_ options: MQTTOptions, _ settings: MQTTSettings) throws(SystemError) {
        self.options = options
        loop = try EventLoop()
        service = try Service(settings, loop: loop)
    }

    func run() throws(SystemError) {
        let this = Unmanaged.passUnretained(self)
        signals = try SignalSource(loop: loop, signals: bridgeSignals) { signal in
            let program = this.takeUnretainedValue()
            if signal == SIGHUP { program.reload() } else { program.loop.stop() }
        }
        watchdog = try DeadlineTimer(loop: loop) { this.takeUnretainedValue().tellAlive() }
        service.start()
        notifier.ready(status: "\(service.settings.broker.host):\(service.settings.port)")
        tellAlive()
        try loop.run()
        notifier.stopping()
        service.stop()
    }

    private func tellAlive() {
        guard let interval = notifier.watchdogInterval else { return }
        _ = notifier.watchdog()
        watchdog?.arm(at: MonotonicClock.now() + interval / 2)
    }

    /// Reloads the file. A file with errors changes nothing.
    private func reload() {
        guard let settings = options.settings() else { return }
        service.stop()
        do throws(SystemError) {
            // The old spool is closed before the new service opens it.
            service = try service.successor(settings)
            service.start()
            Service.log("the file was reloaded")
        } catch {
            Service.log("\(error)")
            loop.stop()
        }
    }
}
#endif
