// SPDX-License-Identifier: MIT
import ArgumentParser
import CLinux
import Glibc
import LinuxSystem

struct Web: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the address of the page that shows the panels.",
        discussion: """
            gestured-web serves the page, on this machine only. For other machines it also prints an SSH command \
            that forwards the address.
            """)

    private static let patience: CInt = 2000

    @Option(
        help: ArgumentHelp("The address of gestured-web.", valueName: "host:port"))
    var address = "127.0.0.1:8990"

    @Flag(help: "Also print it as a QR code, with the program qrencode.")
    var qr = false

    func run() throws {
        guard let colon = address.lastIndex(of: ":"), let port = UInt16(address[address.index(after: colon)...]) else {
            throw ToolError(
                .usage, "\"\(address.safe)\" is not an address; use one such as 127.0.0.1:8990 or [::1]:8990")
        }
        let host = address[..<colon].filter { $0 != "[" && $0 != "]" }
        try check(host, port)
        let url = "http://\(address)/"
        StandardOutput.write(
            "\(url)\nfrom another machine: ssh -L \(port):\(address) \(Self.thisMachine), and open http://127.0.0.1:\(port)/ there\n"
        )
        if qr { try Self.showCode(url) }
    }

    /// - Throws: `ToolError` 69 if no bridge answers.
    private func check(_ host: String, _ port: UInt16) throws(ToolError) {
        let raw = linux_connect_internet(host == "localhost" ? "127.0.0.1" : host, port, Self.patience)
        guard raw >= 0 else {
            let reason = SystemError.last("connect").reason
            throw ToolError(
                .unavailable,
                "\(address.safe): \(reason); start the bridge: systemctl enable --now gestured-web.socket")
        }
        let socket = OwnedDescriptor(adopting: raw)
        let request = "GET /healthz HTTP/1.1\r\nHost: \(address)\r\n\r\n"
        _ = linux_send(socket.rawValue, request, request.utf8.count)
        let answer = String(decoding: Self.answer(from: socket), as: UTF8.self)
        if answer.hasPrefix("HTTP/1.1 200 ") { return }
        guard answer.hasPrefix("HTTP/1.1 503 "), let start = answer.firstRange(of: "\r\n\r\n")?.upperBound else {
            throw ToolError(.unavailable, "\(address.safe): this is not gestured-web")
        }
        StandardError.tell(String(answer[start...].prefix { !$0.isNewline }).safe)
    }

    /// Reads the beginning of an answer, up to its end or the deadline, because any program may listen at the port.
    private static func answer(from socket: borrowing OwnedDescriptor) -> [UInt8] {
        let deadline = MonotonicClock.now() + Int64(patience) * 1000
        var answer: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 4096)
        while answer.count < block.count {
            var ready = pollfd(fd: socket.rawValue, events: Int16(POLLIN), revents: 0)
            let rest = (deadline - MonotonicClock.now()) / 1000
            guard rest > 0, poll(&ready, 1, CInt(clamping: rest)) > 0 else { break }
            let count = linux_receive(socket.rawValue, &block, block.count)
            guard count > 0 else { break }
            answer += block.prefix(count)
        }
        return answer
    }

    /// The name of this machine for a remote user: `user@host`.
    private static var thisMachine: String {
        "\(Users.name(of: geteuid()) ?? "USER")@\(HostName.current ?? "HOST")".safe
    }

    /// Replaces this program with qrencode, whose exit status becomes that of the tool.
    private static func showCode(_ url: String) throws(ToolError) {
        let words = ["qrencode", "-t", StandardOutput.layout.isASCII ? "ASCIIi" : "UTF8", url]
        let arguments = words.map { strdup($0) } + [nil]
        execvp("qrencode", arguments)
        throw ToolError(.unavailable, "the program qrencode is not installed; run apt install qrencode")
    }
}
