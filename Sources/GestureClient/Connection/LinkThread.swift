// SPDX-License-Identifier: MIT
import CLinux
import Glibc
import LinuxSystem

/// The thread of a client: connects, sends, reads. Alone it uses the socket.
struct LinkThread: ~Copyable {
    private let link: Link
    private var socket: OwnedDescriptor?
    /// What the kernel has not taken yet.
    private var output: [UInt8] = []

    private init(_ link: Link) { self.link = link }

    /// Begins one; it ends after `Link.close()`.
    /// - Returns: 0, or the errno that says why there is none.
    static func start(_ link: Link) -> CInt {
        var thread = pthread_t()
        let argument = Unmanaged.passRetained(link).toOpaque()
        let code = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                // The program's signals are for its own threads.
                var signals = sigset_t()
                sigfillset(&signals)
                pthread_sigmask(SIG_BLOCK, &signals, nil)
                var thread = LinkThread(Unmanaged<Link>.fromOpaque(argument).takeRetainedValue())
                thread.run()
                return nil
            }, argument)
        if code == 0 { pthread_detach(thread) } else { Unmanaged<Link>.fromOpaque(argument).release() }
        return code
    }

    private mutating func run() {
        while !link.withState({ $0.isClosed }) {
            let now = MonotonicClock.now()
            expire(now: now)
            if link.withState({ $0.wantsHangUp }) { lose("closed") }
            if link.withState({ $0.wantsConnection(now: now) }) { connect(now: now) }
            send()
            wait()
        }
        socket = nil
        link.withState { $0.failRequests(.cancelled) }
    }

    /// A daemon that does not answer hangs.
    private mutating func expire(now: Int64) {
        let cause = "the daemon does not answer; see its log"
        let error = GestureClient.ClientError.unavailable(path: link.path, cause: cause, isPermanent: false)
        if link.withState({ $0.expire(error, now: now) }), socket != nil { lose(cause) }
    }

    private mutating func connect(now: Int64) {
        do throws(SystemError) {
            socket = .some(try UnixSocket.connect(path: link.path))
            link.withState { $0.connected() }
        } catch {
            let problem = GestureClient.ClientError(error, path: link.path)
            let isFinal = problem.isPermanent || !link.reconnects
            link.withState { $0.failedToConnect(problem, isFinal: isFinal, now: MonotonicClock.now()) }
        }
    }

    private mutating func send() {
        output += link.withState { $0.takeOutput() }
        while socket != nil, !output.isEmpty {
            let descriptor = socket?.rawValue ?? -1
            let count = output.withUnsafeBytes { linux_send(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                output.removeFirst(count)
            } else if linux_errno() == EAGAIN {
                return
            } else if linux_errno() != EINTR {
                // What the daemon said before is still read, up to the end.
                output.removeAll()
            }
        }
    }

    /// Waits for bytes, for the bell and for what is due.
    private mutating func wait() {
        let descriptor = socket?.rawValue ?? -1
        let (reads, due) = link.withState { ($0.wantsToRead, $0.nextDeadline) }
        let interest = (reads ? POLLIN : 0) | (output.isEmpty ? 0 : POLLOUT)
        var entries = [
            pollfd(fd: descriptor, events: Int16(interest), revents: 0),
            pollfd(fd: link.bell?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
        ]
        let milliseconds = due.map { max(0, $0 / 1000 - MonotonicClock.now() / 1000 + 1) } ?? -1
        guard poll(&entries, 2, CInt(clamping: milliseconds)) > 0 else { return }
        if entries[1].revents != 0 { link.bell?.silence() }
        if entries[0].revents != 0 { receive() }
    }

    private mutating func receive() {
        guard let descriptor = socket?.rawValue else { return }
        var count = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: 65536) { space, used in
            count = linux_receive(descriptor, space.baseAddress, space.count)
            used = max(0, count)
        }
        if count == 0 { return lose("the daemon has closed the connection") }
        if count < 0 {
            if linux_errno() != EAGAIN, linux_errno() != EINTR { lose(SystemError.last("recv").reason) }
            return
        }
        let problem: GestureClient.ClientError? = link.withState { state in
            do throws(GestureClient.ClientError) {
                try state.feed(bytes[...])
                return nil
            } catch {
                return error
            }
        }
        switch problem {
        case .unavailable(_, let cause, _): lose(cause)
        case .wrongProtocol(_, let cause): lose(cause, fatal: problem)
        case nil, .refused, .cancelled: break
        }
    }

    private mutating func lose(_ cause: String, fatal: GestureClient.ClientError? = nil) {
        socket = nil
        output.removeAll()
        link.withState {
            $0.lost(cause, path: link.path, fatal: fatal, reconnects: link.reconnects, now: MonotonicClock.now())
        }
    }
}

extension SystemError {
    /// The errno in words.
    var reason: String { strerror(code).map { String(cString: $0) } ?? "error \(code)" }
}

extension GestureClient.ClientError {
    /// Of a `connect` that failed.
    init(_ error: SystemError, path: String) {
        let cure =
            switch error.code {
            case EACCES, EPERM: "add your user to group gestured (usermod -aG gestured USER) and log in again"
            case ENOENT: "start the daemon (systemctl start gestured), or name its socket in $GESTURED_SOCKET"
            case ECONNREFUSED: "the daemon has stopped; start it (systemctl start gestured)"
            case ENAMETOOLONG: "a socket's path has at most 107 bytes"
            default: "is it the daemon's socket?"
            }
        self = .unavailable(
            path: path, cause: "no daemon: \(error.reason); \(cure)",
            isPermanent: [EACCES, EPERM, ENAMETOOLONG, EINVAL].contains(error.code))
    }

    /// Whether trying again cannot help.
    var isPermanent: Bool {
        switch self {
        case .unavailable(_, _, let isPermanent): isPermanent
        case .wrongProtocol, .refused, .cancelled: true
        }
    }
}
