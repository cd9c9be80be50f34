// SPDX-License-Identifier: MIT
#if MQTT
import CLinux
import CMosquitto
import LinuxSystem

/// Passes the bytes of a connection without TLS between libmosquitto and the broker, so that the library reads only what
/// has been looked at. It cannot be looked at in the kernel, because more may arrive while the library reads.
final class BrokerRelay {
    /// The most bytes that are passed at once. It is far less than the kernel holds for a pair of sockets.
    private static let block = 16_384

    let broker: OwnedDescriptor
    private let end: OwnedDescriptor
    private var incoming = [UInt8](repeating: 0, count: block)
    private var outgoing = [UInt8](repeating: 0, count: block)
    /// The part of `outgoing` that the kernel has not accepted yet.
    private var unsent = 0..<0

    /// - Parameter descriptor: the library's descriptor of the connection. It refers to the relay from now on.
    init(_ descriptor: CInt) throws(SystemError) {
        var (broker, end): (CInt, CInt) = (-1, -1)
        guard mqtt_interpose(descriptor, &broker, &end) == 0 else { throw .last("socketpair") }
        self.broker = OwnedDescriptor(adopting: broker)
        self.end = OwnedDescriptor(adopting: end)
    }

    /// Whether the kernel has not accepted everything that the library has written.
    var hasUnsent: Bool { !unsent.isEmpty }

    /// The next bytes from the broker: none at the end of the connection, and `nil` if there are none at present.
    func receive() throws(BrokerError) -> ArraySlice<UInt8>? {
        while true {
            let count = recv(broker.rawValue, &incoming, incoming.count, CInt(MSG_DONTWAIT))
            if count >= 0 { return incoming[..<count] }
            switch linux_errno() {
            case EINTR: continue
            case EAGAIN: return nil
            // The library reports the end of the connection.
            case ECONNRESET: return []
            case let code: throw BrokerError(cause: SystemError(call: "recv", code: code).reason)
            }
        }
    }

    /// Passes bytes from the broker to the library, which must read all of them before the next call.
    func pass(_ bytes: ArraySlice<UInt8>) throws(BrokerError) {
        guard !bytes.isEmpty else {
            shutdown(end.rawValue, CInt(SHUT_WR))
            return
        }
        let count = bytes.withUnsafeBytes { CLinux.send(end.rawValue, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
        guard count == bytes.count else { throw BrokerError(cause: "libmosquitto does not read what the broker sends") }
    }

    /// Passes what the library has written to the broker, as far as the kernel accepts it.
    func send() throws(BrokerError) {
        while true {
            if unsent.isEmpty {
                let count = recv(end.rawValue, &outgoing, outgoing.count, CInt(MSG_DONTWAIT))
                guard count > 0 else { return }
                unsent = 0..<count
            }
            let count = outgoing[unsent].withUnsafeBytes {
                CLinux.send(
                    broker.rawValue, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL | MSG_DONTWAIT))
            }
            if count > 0 {
                unsent.removeFirst(count)
            } else if linux_errno() == EAGAIN {
                return
            } else if linux_errno() != EINTR {
                throw BrokerError(cause: SystemError.last("send").reason)
            }
        }
    }
}
#endif
