// SPDX-License-Identifier: MIT
import Foundation
import GestureTestSupport
import Glibc
import Testing

/// In a folder that stands for the root of a system; on a running one, the tests on a real kernel do it.
@Suite("gesturectl share")
struct ShareTests {
    private static let installed = "/usr/share/gestured"
    private static let link = "/etc/systemd/system/gestured.service.d/gestured-share.conf"

    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
        try FileManager.default.createDirectory(
            atPath: folder.path + Self.installed, withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            atPath: BuildProducts.root + "/systemd/gestured.service.d/gestured-share.conf",
            toPath: folder.path + Self.installed + "/gestured-share.conf")
    }

    private func share(_ options: String...) throws -> Tool.Outcome {
        try Tool.run(
            ["share", "--root", folder.path] + options, environment: ["GESTURED_SHARE": Self.installed])
    }

    @Test("links the unit's drop-in, and removes the link; each twice")
    func enable() throws {
        let off = "not enabled: the daemon passes no touches on; as root: gesturectl share --enable\n"
        #expect(try share().output == off)
        for _ in 0..<2 {
            let made = try share("--enable")
            #expect(made.status == 0 && made.errors.isEmpty)
            #expect(made.output == "linked \(folder.path)\(Self.link) to \(Self.installed)/gestured-share.conf\n")
        }
        #expect(
            try FileManager.default.destinationOfSymbolicLink(atPath: folder.path + Self.link)
                == Self.installed + "/gestured-share.conf")
        #expect(try share().output == "enabled by \(Self.link)\n")
        #expect(try share("--disable").output == "removed \(folder.path)\(Self.link)\n")
        let again = try share("--disable")
        #expect(again.status == 0 && again.output.isEmpty)
        #expect(try share().output == off)
    }

    @Test("says that crashes have switched sharing off, and switches it on again")
    func crashes() throws {
        let crashes = folder.path + "/run/gestured-share"
        try FileManager.default.createDirectory(atPath: crashes, withIntermediateDirectories: true)
        _ = try share("--enable")
        try folder.write("", to: "run/gestured-share/off")
        let contacts = folder.path + "/run/gestured-contacts"
        try FileManager.default.createDirectory(atPath: contacts, withIntermediateDirectories: true)
        try folder.write("", to: "run/gestured-contacts/starts")
        #expect(try share().output.contains("off after three crashes, until the next boot"))
        #expect(try share("--enable").output.contains("removed \(crashes)/off\n"))
        #expect(access(contacts + "/starts", F_OK) != 0)
        #expect(try share().output == "enabled by \(Self.link)\n")
    }

    @Test("names what is missing, and what is in the way")
    func failures() throws {
        let missing = try Tool.run(
            ["share", "--enable", "--root", folder.path], environment: ["GESTURED_SHARE": "/nonexistent"])
        #expect(missing.status == 66)
        #expect(missing.errors.contains("no gestured-share.conf in /nonexistent; install it, or set GESTURED_SHARE"))
        try folder.write("", to: "etc")
        let blocked = try share("--enable")
        #expect(blocked.status == 73)
        #expect(blocked.errors.contains("Not a directory"))
    }

    @Test("is for root", arguments: ["--enable", "--disable"])
    func user(option: String) throws {
        let tool = folder("gesturectl")
        let become = getuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups" : ""
        let said = try ShellScript.run(
            "cp \"$TOOL\" \(tool) && chmod 755 \(tool) \(folder.path) && \(become) \(tool) share \(option)")
        #expect(said.status == 77)
        #expect(said.errors == "gesturectl: only root may do this: sudo gesturectl share \(option)\n")
    }
}
