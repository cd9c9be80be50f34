// SPDX-License-Identifier: MIT
import Foundation
import GestureTestSupport
import Testing

/// Tests `scripts/install` in a folder that acts as the machine's root. The installed programs are stubs that
/// fail if they are run.
@Suite("make install")
struct InstallTests {
    let folder: ScratchFolder
    let variables: [String: String]
    var root: String { folder("root") }

    init() throws {
        folder = try ScratchFolder()
        variables = ["BUILT": folder("built"), "DESTDIR": folder("root"), "PREFIX": "/opt/panel", "SYSCONFDIR": "/etc"]
        let made = try Shell.run(
            """
            mkdir -p $BUILT/stripped $BUILT/completions $BUILT/man
            for name in $(scripts/install list | sed -n s,.*/bin/,,p); do echo 'exit 99' > $BUILT/stripped/$name; done
            touch $BUILT/completions/gesturectl.{bash,zsh,fish} $BUILT/man/gestured.toml.5
            """, variables)
        try #require(made.status == 0)
    }

    /// All files below the root that match the `find` condition, without the path of the root.
    private func found(_ condition: String) throws -> [String] {
        let outcome = try Shell.run("cd $DESTDIR && find . \(condition) | cut -c 2- | LC_ALL=C sort", variables)
        return outcome.output.split(separator: "\n").map(String.init)
    }

    private func install(_ line: String = "scripts/install") throws {
        let outcome = try Shell.run(line, variables)
        #expect(outcome.status == 0)
        #expect(outcome.output == "")
    }

    @Test("installs the files that it lists, readable for everybody whatever the umask")
    func files() throws {
        try install("umask 077 && scripts/install")
        let listed = try Shell.run("scripts/install list | LC_ALL=C sort", variables).output
        #expect(try found("-type f") == listed.split(separator: "\n").map(String.init))
        #expect(listed.contains("/opt/panel/share/doc/gestured/LICENSE\n"))
        #expect(listed.contains("/opt/panel/share/doc/gestured/docs/README.md\n"))
        #expect(listed.contains("/opt/panel/share/man/man5/gestured.toml.5\n"))
        // The folder that the test itself created is private, so only its content is checked.
        #expect(try found("-mindepth 1 ! -perm -a=r") == [])
        #expect(try found("-mindepth 1 -type d ! -perm 755") == [])
        let programs = try found("-type f -perm /111").filter { !$0.hasPrefix("/opt/panel/bin/") }
        #expect(
            programs == ["follow-focus", "follow-rotation", "twin-properties"].map { "/opt/panel/lib/gestured/\($0)" })
    }

    @Test(
        "the copy of a panel gets the properties of the panel, and the keyboard that wakes its display gets the seats",
        arguments: [
            ("gestured/event4", "ID_SEAT=seat-a\nLIBINPUT_CALIBRATION_MATRIX=0 1\nWL_OUTPUT=DSI-1\nWL_SEAT=a\n", 0),
            ("gestured/event4/wake", "ID_SEAT=seat-a\nWL_SEAT=a\n", 0),
            ("gestured/event4/pointer", "ID_SEAT=seat-a\nWL_SEAT=a\n", 0), ("gestured/event5", "", 0),
            ("gestured/event4/other", "", 1), ("gestured/event/wake", "", 1), ("gestured/event4x", "", 1), ("", "", 1),
        ])
    func properties(phys: String, expected: String, status: Int32) throws {
        let folder = try ScratchFolder()
        try folder.write(
            """
            #!/bin/sh
            [ "$*" = "info --query=property --name=/dev/input/event4" ] || exit 0
            printf '%s\\n' ID_INPUT=1 ID_SEAT=seat-a 'LIBINPUT_CALIBRATION_MATRIX=0 1' WL_OUTPUT=DSI-1 WL_SEAT=a MY_WL_SEAT=b
            """, to: "udevadm")
        let outcome = try Shell.run(
            "chmod +x \(folder("udevadm")) && PATH=\(folder.path):$PATH systemd/udev/twin-properties '\(phys)'")
        #expect(outcome.output == expected)
        #expect(outcome.status == status)
    }

    @Test("names files below the prefix, and no others")
    func prefix() throws {
        try install()
        let names = try Shell.run(
            "grep -rhoE '(file://|Exec(Start|Reload)=|#:schema )[^ ]*' $DESTDIR/opt/panel/lib $DESTDIR/opt/panel/share/gestured/{gestured,keys,web,mqtt}.toml $DESTDIR/opt/panel/share/doc/gestured/examples",
            variables)
        let paths = names.output.split(separator: "\n").map { $0.drop { $0 != "/" }.replacing("///", with: "/") }
        #expect(paths.count > 12)
        for path in paths where !["/bin/kill", "/bin/sh"].contains(path) {
            #expect(path.hasPrefix("/opt/panel/"))
            #expect(FileManager.default.fileExists(atPath: root + path), "no \(path)")
        }
    }

    @Test("has no dead link in pages, units and manual pages", arguments: ["LICENSE CHANGELOG.md", ""])
    func links(notices: String) throws {
        let real = try Shell.run("scripts/pages man $BUILT/man", variables)
        #expect(real.status == 0, "\(real.output)")
        try install("NOTICES='\(notices)' scripts/install")
        let outcome = try Shell.run("scripts/check-links $DESTDIR", variables)
        #expect(outcome.status == 0, "\(outcome.output)")
        let documents = root + "/opt/panel/share/doc/gestured"
        #expect(FileManager.default.fileExists(atPath: documents + "/LICENSE") == !notices.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: documents + "/docs/architecture.md"))
        // A broken page, to test the check itself.
        try Data("[there](docs/README.md), [here](#nowhere), [no](no.md)".utf8)
            .write(to: URL(fileURLWithPath: documents + "/README.md"))
        let broken = try Shell.run("scripts/check-links $DESTDIR", variables)
        #expect(broken.status == 1)
        for link in ["README.md: dead link: #nowhere\n", "README.md: dead link: no.md\n", ", 2 dead links\n"] {
            #expect(broken.output.contains(link))
        }
    }

    @Test("puts the recording and the configuration where README.md replays them")
    func recording() throws {
        let listed = try Shell.run("PREFIX=/usr SYSCONFDIR=/etc scripts/install list").output.split(separator: "\n")
        let readme = try #require(Document("README.md")).text
        let line = try #require(readme.split(separator: "\n").first { $0.hasPrefix("gesturectl replay /usr/") })
        let paths = line.split(separator: " ").filter { $0.hasPrefix("/") }
        #expect(paths.count == 2)
        for path in paths { #expect(listed.contains(path), "\(path) is not installed") }
    }

    @Test("leaves the configuration to the administrator, also when it is removed")
    func configuration() throws {
        try install()
        #expect(try found("-path './etc/*'") == ["/etc/gestured", "/etc/gestured/conf.d"])
        let file = root + "/etc/gestured/gestured.toml"
        try Data("# mine".utf8).write(to: URL(fileURLWithPath: file))
        try install()
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "# mine")
        try install("scripts/install remove")
        #expect(try found("! -type d") == ["/etc/gestured/gestured.toml"])
        #expect(try found("-type d -path '*share*' -name 'gestured*'") == [])
    }

    @Test("installs one part only")
    func part() throws {
        try install("scripts/install install web")
        #expect(FileManager.default.fileExists(atPath: root + "/opt/panel/bin/gestured-web"))
        for page in ["inspector", "calibrate"] {
            let file = root + "/opt/panel/share/gestured/web/\(page)/index.html"
            #expect(FileManager.default.fileExists(atPath: file))
        }
        #expect(!FileManager.default.fileExists(atPath: root + "/opt/panel/bin/gestured"))
        #expect(try Shell.run("scripts/install install wbe", variables).status == 64)
    }

    @Test("no link of an image leads out of it", arguments: ["etc", "opt/panel/lib", "opt/panel/share/gestured"])
    func hostileImage(place: String) throws {
        let host = folder("host")
        let made = try Shell.run(
            """
            mkdir -p \(host)/clients $DESTDIR/$(dirname \(place)) && touch \(host)/config.schema.json &&
            ln -s \(host) $DESTDIR/\(place)
            """, variables)
        try #require(made.status == 0)
        for action in ["install", "remove"] where action == "install" || place != "etc" {
            let outcome = try Shell.run("scripts/install \(action)", variables)
            #expect(outcome.status == 73)
            #expect(outcome.output.contains("leads to \(host)"), "\(outcome.output)")
            let left = try FileManager.default.subpathsOfDirectory(atPath: host).sorted()
            #expect(left == ["clients", "config.schema.json"])
        }
    }

    @Test("a link in place of a file is replaced")
    func linkedFiles() throws {
        let made = try Shell.run(
            "mkdir -p $BUILT/host $DESTDIR/opt/panel/bin && ln -s $BUILT/host $DESTDIR/opt/panel/bin/gestured",
            variables)
        try #require(made.status == 0)
        try install()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder("built/host")) == [])
        #expect(try found("-path '*/bin/gestured' -type f") == ["/opt/panel/bin/gestured"])
    }

    @Test("purging the package removes the link of gesturectl share, and no file of the administrator's")
    func purge() throws {
        let script = try #require(Document("packaging/debian/gestured.postrm")).text
        let place = "/etc/systemd/system/gestured.service.d/gestured-share.conf"
        #expect(script.contains(place))
        // The script, with its paths moved to the folder that acts as the machine's root.
        let rooted = try folder.write(
            script.replacing("/etc/", with: root + "/etc/").replacing("/var/", with: root + "/var/"), to: "postrm")
        let make = "mkdir -p $(dirname $DESTDIR\(place)) && rm -f $DESTDIR\(place) &&"
        let purge = "$DESTDIR\(place) && sh \(rooted) purge && ls $DESTDIR/etc/systemd/system/gestured.service.d"
        #expect(try Shell.run("\(make) echo mine > \(purge)", variables).output == "gestured-share.conf\n")
        #expect(try Shell.run("\(make) ln -s /dev/null \(purge)", variables).output == "gestured-share.conf\n")
        let link = try Shell.run("\(make) ln -s /usr/share/gestured/gestured-share.conf \(purge)", variables)
        #expect(link.status == 2)
    }

    @Test("states what to do if nothing is built")
    func unbuilt() throws {
        let outcome = try Shell.run("BUILT=/nowhere scripts/install", variables)
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("run \"make build\" first"))
    }
}
