// SPDX-License-Identifier: MIT
import Foundation
import GestureTestSupport
import LinuxSystem
import Testing

@testable import GestureDaemon

/// The files that the daemon keeps for the next process of the same boot. In a container, the folder may be on a lasting volume.
@Suite("Daemon: files of an earlier boot")
struct BootTests {
    private func start(_ folder: ScratchFolder) throws -> DaemonProcess {
        try DaemonProcess(
            TestConfiguration.button, in: try ScratchFolder(), environment: ["RUNTIME_DIRECTORY": folder.path])
    }

    @Test("each kind of file is removed, and nothing else", arguments: KeptFile.Name.allCases.filter { $0.isOfBoot })
    func removed(file: KeptFile.Name) throws {
        let boot = try #require(BootIdentity.current())
        let name = file == .contacts ? "event12" : file.rawValue
        // Without a stamp, the file is that of an earlier version of the daemon, which an upgrade has just restarted.
        for (stamp, isKept) in [(nil, true), (boot, true), ("0" + boot.dropFirst(), boot.hasPrefix("0")), ("", false)] {
            let folder = try ScratchFolder()
            for name in [name, "mine", "eventual", name + ".old"] { try folder.write("1", to: name) }
            if let stamp { try folder.write(stamp, to: KeptFile.stamp) }
            let daemon = try start(folder)
            #expect(
                daemon.log.contains("removed \(name) of an earlier boot") == !isKept,
                "\(stamp ?? "none"): \(daemon.log)")
            #expect(try String(contentsOfFile: folder(KeptFile.stamp), encoding: .utf8) == boot)
            for name in ["mine", "eventual", name + ".old"] { #expect(access(folder(name), F_OK) == 0, "\(name)") }
        }
    }

    @Test("a folder in the stamp's place loses nothing")
    func unreadable() throws {
        let folder = try ScratchFolder()
        try folder.write("1", to: "event3")
        try FileManager.default.createDirectory(atPath: folder(KeptFile.stamp), withIntermediateDirectories: false)
        #expect(try !start(folder).log.contains("earlier boot"))
        #expect(access(folder("event3"), F_OK) == 0)
    }
}
