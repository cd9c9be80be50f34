// SPDX-License-Identifier: MIT

/// One system call of the daemon that fails: see `Tests/Tools/FaultInjection/faults.c`.
struct SystemFault: Hashable, Sendable, CustomStringConvertible {
    /// The calls that the daemon and its libraries make, by the names that `faults.c` gives them.
    static let calls = [
        "read", "write", "recv", "send", "recvmsg", "sendmsg", "socket", "bind", "listen", "connect", "accept4",
        "getsockopt", "setsockopt", "getsockname", "epoll_create1", "epoll_ctl", "epoll_wait", "timerfd_create",
        "timerfd_settime", "signalfd", "poll", "ppoll", "open", "close", "fcntl", "ioctl", "stat", "access", "readlink",
        "opendir", "readdir", "fopen", "chmod", "unlink", "getpwnam",
    ]
    /// Calls that may process fewer bytes than requested.
    static let mayBeShort: Set = ["read", "write", "recv", "send"]
    static let errors = ["EINTR", "EAGAIN", "EIO", "ENODEV", "EMFILE", "ENOMEM", "ENOBUFS"]

    /// The ways in which a call can fail.
    static func ways(of call: String) -> [String] { errors + (mayBeShort.contains(call) ? ["short"] : []) }

    var call: String
    /// The number of the call that fails, from 1.
    var number: Int
    /// The name of an errno, or `short`.
    var way: String

    /// Whether clients must not notice the failure, because the daemon repeats the call or does not need its
    /// result.
    ///
    /// Any other failure may end a client's connection, or disconnect the panel until the daemon reopens it.
    var isHarmless: Bool {
        switch call {
        case "timerfd_settime", "epoll_wait", "setsockopt", "close", "write", "sendmsg", "poll", "ppoll":
            true
        case "read", "recv", "send", "recvmsg", "accept4": ["EINTR", "EAGAIN", "short"].contains(way)
        default: way == "EINTR" || way == "short"
        }
    }

    init(call: String, number: Int, way: String) {
        self.call = call
        self.number = number
        self.way = way
    }

    /// Reads the notation of `faults.c`: `read:12:EIO`.
    init?(_ text: String) {
        let parts = text.split(separator: ":").map(String.init)
        guard parts.count == 3, let number = Int(parts[1]) else { return nil }
        self.init(call: parts[0], number: number, way: parts[2])
    }

    var description: String { "\(call):\(number):\(way)" }
}
