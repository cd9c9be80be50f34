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
    /// Those that may do half of what they were asked.
    static let mayBeShort: Set = ["read", "write", "recv", "send"]
    static let errors = ["EINTR", "EAGAIN", "EIO", "ENODEV", "EMFILE", "ENOMEM", "ENOBUFS"]

    /// What a call can fail with.
    static func ways(of call: String) -> [String] { errors + (mayBeShort.contains(call) ? ["short"] : []) }

    var call: String
    /// Which one fails, from 1.
    var number: Int
    /// The name of an errno, or `short`.
    var way: String

    /// Whether clients must notice nothing at all: the call is made again, or its failure costs nothing.
    ///
    /// What else fails may cost a client its connection, or a panel its place until it is opened anew.
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

    /// As `faults.c` reads it: `read:12:EIO`.
    init?(_ text: String) {
        let parts = text.split(separator: ":").map(String.init)
        guard parts.count == 3, let number = Int(parts[1]) else { return nil }
        self.init(call: parts[0], number: number, way: parts[2])
    }

    var description: String { "\(call):\(number):\(way)" }
}
