// SPDX-License-Identifier: MIT
import CLinux
import Glibc
import LinuxSystem

/// The daemon behind the proxy. It is killed when the proxy ends, for whatever reason.
final class DaemonChild {
    let socket: String
    private let pid: pid_t
    /// The daemon's status from waitpid(2), after it has ended.
    private(set) var ending: CInt?

    /// - Parameters:
    ///   - arguments: the arguments, without the name of the program.
    ///   - socket: the path on which the daemon listens.
    init(_ arguments: [String], socket: String) throws {
        self.socket = socket
        // setpriv lets the kernel kill the daemon when its parent ends, which posix_spawn cannot do.
        let command = ["/usr/bin/setpriv", "--pdeathsig", "KILL", Self.program] + arguments
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        let words = command.map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var child: pid_t = 0
        let code = posix_spawn(&child, command[0], nil, &attributes, words, environ)
        guard code == 0 else { throw ProxyError(text: "cannot start \(command): \(String(cString: strerror(code)))") }
        pid = child
    }

    /// The daemon that was built together with the proxy. The proxy itself may have been started under
    /// another name.
    private static var program: String {
        var buffer = [CChar](repeating: 0, count: 4096)
        let length = readlink("/proc/self/exe", &buffer, buffer.count)
        let own = String(decoding: buffer.prefix(max(0, length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return "/" + own.split(separator: "/").dropLast().joined(separator: "/") + "/gestured"
    }

    func signal(_ number: CInt) {
        if ending == nil { kill(pid, number) }
    }

    /// Sets `ending` if the daemon has ended.
    func reap() {
        var status: CInt = 0
        if ending == nil, waitpid(pid, &status, WNOHANG) == pid { ending = status }
    }

    /// Ends this process with the daemon's exit status, or by the signal that killed the daemon.
    /// - Parameter tidy: called if the daemon has exited normally. Its socket is then gone as well.
    func endLikewise(_ tidy: () -> Void) -> Never {
        let status = ending ?? 0
        let signal = status & 0x7f
        if signal == 0 {
            tidy()
            exit((status >> 8) & 0xff)
        }
        unlink(socket)
        Glibc.signal(signal, SIG_DFL)
        kill(getpid(), signal)
        exit(128 + signal)
    }
}
