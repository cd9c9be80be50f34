// SPDX-License-Identifier: MIT
#if Web
import BridgeProgram
import CLinux
import LinuxSystem
import NIOCore
import NIOPosix

/// The entry point of the program `gestured-web`.
package enum WebMain {
    /// - Parameter arguments: the arguments without the program's name.
    package static func run(_ arguments: [String]) -> CInt {
        WebJob.run(arguments) ?? WebOptions.run(arguments, serve: serve)
    }

    private static func serve(_ options: WebOptions, _ settings: WebSettings) -> CInt {
        let passed = ListenSockets.passed(families: [AF_UNIX, AF_INET, AF_INET6])
        let isOwn = passed == nil
        do throws(ListenError) {
            let listener: OwnedDescriptor
            if let passed { listener = passed } else { listener = try bind(settings.listen) }
            return serve(options, settings, listener, isOwn: isOwn)
        } catch {
            StandardStream.error.write("gestured-web: \(error)\n")
            return ExitStatus.cannotListen
        }
    }

    private static func bind(_ address: ListenAddress) throws(ListenError) -> OwnedDescriptor {
        switch address {
        case .path(let path): return try ListenSockets.bind(path: path)
        case .internet(let host, let port):
            do throws(SystemError) {
                return try ListenSockets.bind(host: host, port: port)
            } catch {
                throw .internet(error)
            }
        }
    }

    private static func serve(
        _ options: WebOptions, _ settings: WebSettings, _ listener: consuming OwnedDescriptor,
        isOwn: Bool
    ) -> CInt {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let bridge = Bridge(settings, loop: group.next())
        do {
            let channel = try bridge.listen(at: listener.release()).wait()
            let address = channel.localAddress.flatMap { ListenAddress($0) } ?? settings.listen
            try tellManager(address, on: group.next()).wait()
            StandardStream.output.write(address.description + "\n")
        } catch {
            StandardStream.error.write("gestured-web: \(error)\n")
            return ExitStatus.system
        }
        waitForStop { if let settings = options.settings() { bridge.apply(settings) } }
        ServiceNotifier().stopping()
        // The connection of a page that does not answer is closed after a second.
        try? bridge.stop().wait()
        try? bridge.shutDown()
        if case .path(let path) = settings.listen, isOwn { ListenSockets.remove(path: path) }
        return ExitStatus.ok
    }

    /// Notifies systemd that the program is ready. After that, notifies it regularly that the loop is running.
    private static func tellManager(_ address: ListenAddress, on loop: any NIOCore.EventLoop) -> EventLoopFuture<Void> {
        loop.submit {
            let notifier = NIOLoopBound(ServiceNotifier(), eventLoop: loop)
            notifier.value.ready(status: address.description)
            guard let interval = notifier.value.watchdogInterval else { return }
            let half = TimeAmount.microseconds(interval / 2)
            loop.scheduleRepeatedTask(initialDelay: half, delay: half) { _ in _ = notifier.value.watchdog() }
        }
    }

    private static func waitForStop(_ reload: () -> Void) {
        while linux_signals_wait(bridgeSignals, CInt(bridgeSignals.count)) == SIGHUP { reload() }
    }
}

extension ListenAddress {
    fileprivate init?(_ address: SocketAddress) {
        if let path = address.pathname {
            self = .path(path)
        } else if let host = address.ipAddress, let port = address.port.flatMap({ UInt16(exactly: $0) }) {
            self = .internet(host: host, port: port)
        } else {
            return nil
        }
    }
}
#endif
