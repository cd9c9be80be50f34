// SPDX-License-Identifier: MIT
import Foundation
import GestureTestSupport
import Glibc
import Testing

/// `gesturectl share` on a folder that acts as the root of a system.
@Suite("gesturectl share")
struct ShareTests {
    private static let link = "/etc/systemd/system/gestured.service.d/gestured-share.conf"

    private let folder: ScratchFolder
    private let installed: InstalledTool

    init() throws {
        folder = try ScratchFolder()
        installed = try InstalledTool()
        try FileManager.default.createDirectory(
            atPath: folder.path + installed.share, withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            atPath: BuildProducts.root + "/systemd/gestured.service.d/gestured-share.conf",
            toPath: folder.path + installed.share + "/gestured-share.conf")
    }

    private func share(_ options: String...) throws -> Tool.Outcome {
        try Tool.run(["share", "--root", folder.path] + options, program: installed.program)
    }

    @Test("links the unit's drop-in, and removes the link; each of them twice")
    func enable() throws {
        let off =
            "not enabled: the daemon does not pass touches on; to enable it, run as root: gesturectl share --enable\n"
        #expect(try share().output == off)
        for _ in 0..<2 {
            let made = try share("--enable")
            #expect(made.status == 0 && made.errors.isEmpty)
            #expect(made.output == "linked \(folder.path)\(Self.link) to \(installed.share)/gestured-share.conf\n")
        }
        #expect(
            try FileManager.default.destinationOfSymbolicLink(atPath: folder.path + Self.link)
                == installed.share + "/gestured-share.conf")
        #expect(try share().output == "enabled by \(Self.link)\n")
        #expect(try share("--disable").output == "removed \(folder.path)\(Self.link)\n")
        let again = try share("--disable")
        #expect(again.status == 0 && again.output.isEmpty)
        #expect(try share().output == off)
    }

    @Test(
        "on the running system, reports that crashes have switched sharing off, and switches it on again",
        .enabled(if: getuid() == 0, "only root may mount"))
    func crashes() throws {
        for name in ["systemctl", "setfacl"] { try folder.write("#!/bin/sh\n", to: name) }
        try FileManager.default.copyItem(
            atPath: BuildProducts.root + "/systemd/gestured.service.d/gestured-share.conf",
            toPath: installed.share + "/gestured-share.conf")
        // The daemon's user owns the folder in /run and could create a symbolic link in it.
        let said = try ShellScript.run(
            """
            cd \(folder.path) && chmod +x systemctl setfacl
            mkdir -p etc/systemd/system run/gestured-share run/gestured-contacts
            ln -s \(folder.path)/kept run/gestured-share/off && touch kept run/gestured-contacts/starts
            exec unshare --mount sh -c 'mount --bind etc/systemd/system /etc/systemd/system && mount --bind run /run &&
                \(installed.program) share --enable && rm -r run/gestured-contacts && \(installed.program) share && ls run/gestured-share kept &&
                \(installed.program) share --disable'
            """,
            environment: ["PATH": folder.path + ":/usr/bin:/bin"])
        #expect(said.status == 0 && said.errors.isEmpty, "\(said.errors)")
        #expect(
            said.output == """
                linked \(Self.link) to \(installed.share)/gestured-share.conf
                removed /run/gestured-share/off
                systemctl daemon-reload
                systemctl restart gestured.service
                enabled by \(Self.link)
                kept

                run/gestured-share:
                removed \(Self.link)
                systemctl daemon-reload
                systemctl restart gestured.service
                setfacl -x u:gestured /dev/uinput

                """)
    }

    /// Links in an image that lead to files of the host. The keys are the folders that the links replace.
    static let leads = [
        "etc": "HOST", "etc/systemd": "HOST", "etc/systemd/system": "../../../../../../../../HOST",
        "etc/systemd/system/gestured.service.d": "HOST",
    ]

    @Test("no link of the image leads to the host", arguments: leads.keys.sorted())
    func hostileFolders(place: String) throws {
        let host = try ScratchFolder()
        let theirs = host("gestured-share.conf")
        try FileManager.default.createSymbolicLink(
            atPath: theirs, withDestinationPath: installed.share + "/gestured-share.conf")
        let target = try #require(Self.leads[place]).replacing("HOST", with: String(host.path.dropFirst()))
        let lead = target.hasPrefix("..") ? target : "/" + target
        let parent = (folder(place) as NSString).deletingLastPathComponent
        try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: folder(place), withDestinationPath: lead)
        let before = try FileManager.default.subpathsOfDirectory(atPath: host.path)
        let made = try share("--enable")
        #expect(made.status == 73)
        #expect(made.errors.hasSuffix(": No such file or directory\n"), "\(made.errors)")
        let gone = try share("--disable")
        #expect(gone.status == 0 && gone.output.isEmpty)
        #expect(try FileManager.default.subpathsOfDirectory(atPath: host.path) == before)

        // Creates the folder to which the link leads inside the image.
        try FileManager.default.createDirectory(atPath: folder.path + host.path, withIntermediateDirectories: true)
        #expect(try share("--enable").status == 0)
        #expect(try share().output == "enabled by \(Self.link)\n")
        #expect(try share("--disable").status == 0)
        #expect(try FileManager.default.subpathsOfDirectory(atPath: host.path) == before)
    }

    @Test("in an image, /run is not touched, even if it is a link")
    func runOfImage() throws {
        let host = try ScratchFolder()
        try FileManager.default.createDirectory(atPath: host("gestured-share"), withIntermediateDirectories: true)
        try FileManager.default.createDirectory(atPath: host("gestured-contacts"), withIntermediateDirectories: true)
        try host.write("", to: "gestured-share/off")
        try host.write("", to: "gestured-contacts/starts")
        try FileManager.default.createSymbolicLink(atPath: folder("run"), withDestinationPath: host.path)
        #expect(try share("--enable").status == 0)
        #expect(try share().output == "enabled by \(Self.link)\n")
        #expect(try share("--disable").status == 0)
        #expect(access(host("gestured-share/off"), F_OK) == 0)
        #expect(access(host("gestured-contacts/starts"), F_OK) == 0)
    }

    @Test("the installed file must be a regular file of the image")
    func installedFile() throws {
        let file = folder.path + installed.share + "/gestured-share.conf"
        try FileManager.default.removeItem(atPath: file)
        try FileManager.default.createSymbolicLink(
            atPath: file, withDestinationPath: BuildProducts.root + "/systemd/gestured.service.d/gestured-share.conf")
        #expect(try share("--enable").status == 66)
        try FileManager.default.removeItem(atPath: file)
        try #require(mkfifo(file, 0o644) == 0)
        #expect(try share("--enable").status == 66)
    }

    @Test("other files are kept", arguments: ["-> /dev/null", "-> ../share", "[Service]\n"])
    func foreignFile(text: String) throws {
        let path = folder.path + Self.link
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        if text.hasPrefix("-> ") {
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: String(text.dropFirst(3)))
        } else {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        }
        for option in ["--enable", "--disable"] {
            let said = try share(option)
            #expect(said.status == 73)
            #expect(said.errors.contains("\(Self.link) is not the link that gesturectl share makes"))
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path)
            let now = try target.map { "-> " + $0 } ?? String(contentsOfFile: path, encoding: .utf8)
            #expect(now == text)
        }
    }

    @Test("a copy of the installed file is replaced, and so is a link to that of another prefix")
    func otherPrefix() throws {
        let path = folder.path + Self.link
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: folder.path + installed.share + "/gestured-share.conf", toPath: path)
        #expect(try share("--enable").status == 0)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path).hasPrefix(installed.share))
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createSymbolicLink(
            atPath: path, withDestinationPath: "/usr/local/share/gestured/gestured-share.conf")
        #expect(try share("--enable").status == 0)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path).hasPrefix(installed.share))
    }

    @Test("reports what an old kernel lacks")
    func oldKernel() throws {
        // A seccomp filter that fails system call 437 (`openat2` on all architectures) with ENOSYS.
        let script = """
            import ctypes, os, struct
            libc = ctypes.CDLL(None, use_errno=True)
            steps = [(0x20, 0, 0, 0), (0x15, 0, 1, 437), (0x06, 0, 0, 0x00050000 | 38), (0x06, 0, 0, 0x7FFF0000)]
            filter = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))
            program = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(steps), ctypes.addressof(filter)))
            assert libc.prctl(38, 1, 0, 0, 0) == 0 and libc.prctl(22, 2, program, 0, 0) == 0
            os.execv(os.environ["TOOL"], ["gesturectl", "share", "--root", "\(folder.path)"])
            """
        let said = try ShellScript.run("exec python3 -c '\(script)'")
        #expect(said.status == 69)
        #expect(said.errors == "gesturectl: openat2: Function not implemented; it needs Linux 5.6 or newer\n")
    }

    @Test("reports missing files and obstacles")
    func failures() throws {
        let empty = try ScratchFolder()
        let missing = try Tool.run(["share", "--enable", "--root", empty.path], program: installed.program)
        #expect(missing.status == 66)
        #expect(missing.errors.contains("no gestured-share.conf in \(installed.share); install it"))
        try folder.write("", to: "etc")
        let blocked = try share("--enable")
        #expect(blocked.status == 73)
        #expect(blocked.errors.contains("Not a directory"))
        #expect(try Tool.run(["share", "--root", folder("missing")]).status == 66)
    }

    @Test("requires root", arguments: ["--enable", "--disable"])
    func user(option: String) throws {
        let tool = folder("gesturectl")
        let become = getuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups" : ""
        let said = try ShellScript.run(
            "cp \"$TOOL\" \(tool) && chmod 755 \(tool) \(folder.path) && \(become) \(tool) share \(option)")
        #expect(said.status == 77)
        #expect(said.errors == "gesturectl: only root may do this: sudo gesturectl share \(option)\n")
    }

    @Test("in a container it names the option of the container")
    func container() throws {
        for option in ["--enable", "--disable"] {
            let said = try Tool.run(["share", option], environment: ["container": "podman"])
            #expect(said.status == 77)
            #expect(said.errors.contains("--device /dev/uinput"))
        }
    }
}
