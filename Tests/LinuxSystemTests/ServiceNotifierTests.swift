// SPDX-License-Identifier: MIT
import CLinux
import LinuxSystem
import Testing

@Suite("Service notifier")
struct ServiceNotifierTests {
    @Test(arguments: ["path", "abstract"])
    func sendsDatagrams(kind: String) throws {
        let folder = try TestFolder()
        let path = kind == "path" ? folder.path + "/socket" : "@" + folder.path
        let manager = OwnedDescriptor(adopting: linux_unix_socket(CInt(SOCK_DGRAM.rawValue), 1))
        try #require(linux_unix_bind(manager.rawValue, path, path.utf8.count) == 0)

        let notifier = ServiceNotifier(path: path, watchdogInterval: 500_000)
        #expect(notifier.isActive)
        #expect(notifier.watchdogInterval == 500_000)
        notifier.ready(status: "1 panel")
        notifier.status("2 panels")
        #expect(notifier.watchdog())
        notifier.stopping()
        let expected = ["READY=1\nSTATUS=1 panel", "STATUS=2 panels", "WATCHDOG=1", "STOPPING=1"]
        for line in expected { #expect(receive(manager.rawValue) == line) }
        notifier.reloading()
        #expect(receive(manager.rawValue)?.hasPrefix("RELOADING=1\nMONOTONIC_USEC=") == true)
        #expect(receive(manager.rawValue) == nil)
    }

    /// A manager that re-executes itself creates a new socket with the same name.
    @Test func findsAReplacedManager() throws {
        let folder = try TestFolder()
        let path = folder.path + "/socket"
        let notifier = ServiceNotifier(path: path, watchdogInterval: nil)
        for _ in 0..<2 {
            let manager = OwnedDescriptor(adopting: linux_unix_socket(CInt(SOCK_DGRAM.rawValue), 1))
            try #require(linux_unix_bind(manager.rawValue, path, path.utf8.count) == 0)
            #expect(notifier.watchdog())
            #expect(receive(manager.rawValue) == "WATCHDOG=1")
            unlink(path)
            // A process that another test starts may hold a copy of the socket until it calls `exec`.
            shutdown(manager.rawValue, CInt(SHUT_RDWR))
        }
        #expect(!notifier.watchdog())
    }

    @Test func reportsThatThePingWasNotAccepted() throws {
        let folder = try TestFolder()
        let path = folder.path + "/socket"
        let manager = OwnedDescriptor(adopting: linux_unix_socket(CInt(SOCK_DGRAM.rawValue), 1))
        try #require(linux_unix_bind(manager.rawValue, path, path.utf8.count) == 0)
        let notifier = ServiceNotifier(path: path, watchdogInterval: 500_000)
        var taken = 0
        // On most machines the kernel queues about ten datagrams (net.unix.max_dgram_qlen).
        while taken < 10_000, notifier.watchdog() { taken += 1 }
        try #require(taken < 10_000)
        for _ in 0..<taken { #expect(receive(manager.rawValue) == "WATCHDOG=1") }
        #expect(receive(manager.rawValue) == nil)
        #expect(notifier.watchdog())
    }

    @Test(arguments: [nil, "", "relative", "/nowhere/at/all"])
    func doesNothingWithoutAManager(path: String?) {
        let notifier = ServiceNotifier(path: path, watchdogInterval: 1000)
        notifier.ready(status: "")
        #expect(notifier.isActive == (path == "/nowhere/at/all"))
        #expect((notifier.watchdogInterval == nil) == !notifier.isActive)
    }

    private func receive(_ descriptor: CInt) -> String? {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = linux_receive(descriptor, &bytes, bytes.count)
        return count < 0 ? nil : String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}
