// SPDX-License-Identifier: MIT
#if MQTT
import CLinux
import GestureConfiguration
import GestureMQTTSettings
import GestureProtocol
import LinuxSystem

/// The program `gestured-mqtt`, from its arguments to its exit status.
package enum MQTTMain {
    /// - Parameter arguments: without the program's name.
    package static func run(_ arguments: [String]) -> CInt {
        if JobProgram.name(in: arguments) == ConfigCheck.name { return JobProgram.run { ConfigCheck.run($0) } }
        return MQTTOptions.run(arguments, version: Version.number, check: check, serve: serve)
    }

    private static func check(_ options: MQTTOptions) -> CInt {
        guard settings(options) != nil else { return ExitStatus.configuration }
        StandardStream.output.write("\(SafeText.terminal(options.file ?? MQTTSettings.standardFile)): ok\n")
        return ExitStatus.ok
    }

    private static func serve(_ options: MQTTOptions) -> CInt {
        guard let settings = settings(options) else { return ExitStatus.configuration }
        // Memory that libmosquitto and SQLite free goes back to the kernel.
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

    /// Reads the file, and says what is wrong with it.
    /// - Returns: `nil` if there is an error.
    fileprivate static func settings(_ options: MQTTOptions) -> MQTTSettings? {
        let (settings, diagnostics) = MQTTSettingsFile.read(path: options.file)
        for diagnostic in diagnostics { StandardStream.error.write(diagnostic.text { $0.columns } + "\n") }
        return settings.map { options.applied(to: $0) }
    }
}

/// The loop, its signals, and the service, which is made anew when the file is read again.
private final class Program {
    private let options: MQTTOptions
    private let loop: EventLoop
    private let notifier = ServiceNotifier()
    private var service: Service
    private var signals: SignalSource?
    private var watchdog: DeadlineTimer?

    init(_ options: MQTTOptions, _ settings: MQTTSettings) throws(SystemError) {
        self.options = options
        // Before any thread is started.
        SignalSource.block([SIGTERM, SIGINT, SIGHUP])
        loop = try EventLoop()
        service = try Service(settings, loop: loop)
    }

    func run() throws(SystemError) {
        let this = Unmanaged.passUnretained(self)
        signals = try SignalSource(loop: loop, signals: [SIGTERM, SIGINT, SIGHUP]) { signal in
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

    /// A file with errors changes nothing.
    private func reload() {
        guard let settings = MQTTMain.settings(options) else { return }
        service.stop()
        do throws(SystemError) {
            // The spool of the old one is closed before the new one opens it.
            service = try service.successor(settings)
            service.start()
            Service.log("the file was read again")
        } catch {
            Service.log("\(error)")
            loop.stop()
        }
    }
}
#endif
