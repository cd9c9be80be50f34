// SPDX-License-Identifier: MIT
import Foundation
import GestureProtocol
import GestureTestSupport
import Testing

/// Tests `scripts/release` with stubs of the programs, which fail if they are run, and of the Swift packages.
@Suite("scripts/release")
struct ReleaseTests {
    let folder: ScratchFolder
    let variables: [String: String]
    let tarball: String
    let source = "gestured-\(Version.number).tar.gz"

    init() throws {
        folder = try ScratchFolder()
        variables = [
            "BUILT": folder("built"), "OUT": folder("dist"), "VENDOR": folder("vendor"), "ROOT": folder("root"),
            "SOURCE_DATE_EPOCH": "1700000000",
        ]
        let made = try Shell.run(
            """
            mkdir -p $BUILT/stripped $BUILT/completions $BUILT/man $VENDOR/swift-nio $ROOT && echo nio > $VENDOR/swift-nio/file
            for name in $(scripts/install list | sed -n s,.*/bin/,,p); do
              echo 'exit 99' > $BUILT/stripped/$name && chmod 755 $BUILT/stripped/$name || exit 1
            done
            touch $BUILT/completions/gesturectl.{bash,zsh,fish} && scripts/pages man $BUILT/man && dpkg --print-architecture
            """, variables)
        try #require(made.status == 0)
        tarball = "gestured-\(Version.number)-linux-\(made.output.split(separator: "\n").last ?? "")"
    }

    private func run(_ line: String) throws -> String {
        let outcome = try Shell.run(line, variables)
        #expect(outcome.status == 0, "\(outcome.output)")
        return outcome.output
    }

    @Test("the tar file for other distributions installs what `make install` installs, and its pages have no dead link")
    func archive() throws {
        _ = try run("scripts/release tarball && tar -xzf $OUT/\(tarball).tar.gz -C $ROOT")
        let unpacked = folder("root/\(tarball)")
        for file in [
            "INSTALL", "LICENSE", "packaging/THIRD-PARTY.md", "systemd/gestured.service",
            "systemd/udev/74-gestured.rules",
            "systemd/sysusers.d/gestured.conf", "config/gestured.toml", "docs/man/gestured.8",
            ".build/man/gestured.toml.5", "packaging/Containerfile", "packaging/gestured.container",
        ] { #expect(FileManager.default.fileExists(atPath: unpacked + "/" + file), "no \(file)") }
        // The variable BUILT is for the script that packs, not for the one that is unpacked.
        let listed = try run("env -u BUILT \(unpacked)/scripts/install list")
        #expect(try listed == run("scripts/install list"))
        _ = try run("env -u BUILT DESTDIR=\(folder("here")) \(unpacked)/scripts/install")
        _ = try run("DESTDIR=\(folder("there")) scripts/install && diff -r \(folder("here")) \(folder("there"))")
        _ = try run("scripts/check-links \(unpacked) && scripts/check-links \(folder("here"))")
        let executable = try run("cd \(unpacked) && find . -type f -perm /111 | LC_ALL=C sort").split(separator: "\n")
        let programs = [
            "gesturectl", "gestured", "gestured-keys", "gestured-mqtt", "gestured-report", "gestured-web",
        ].map {
            "./.build/stripped/\($0)"
        }
        let scripts = [
            "./packaging/home-assistant/run", "./scripts/install", "./systemd/udev/twin-properties",
            "./systemd/user/follow-focus",
            "./systemd/user/follow-rotation",
        ]
        #expect(executable.map(String.init) == programs + scripts)
    }

    @Test("INSTALL names files and units that exist")
    func instructions() throws {
        let text = try #require(Document("packaging/INSTALL")).text
        let units = Set(text.matches(of: #/gestured[\w-]*\.(?:socket|service)/#).map { String($0.output) })
        let listed = try run("scripts/install list")
        let installed = listed.matches(of: #/(?m)^/usr/local/lib/systemd/system/(\S+)$/#).map { String($0.1) }
        #expect(units == Set(installed))
        // Each unit is stopped before its files are removed.
        let removal = try #require(text.components(separatedBy: "systemctl disable --now ").last)
        for unit in installed { #expect(removal.contains(unit)) }
        #expect(listed.contains("/usr/local/lib/tmpfiles.d/gestured.conf\n"))
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 90 })
        let glibc = try #require(text.firstMatch(of: /glibc [\d.]+\d/)).output
        #expect(try #require(Document("README.md")).text.contains("other distributions with \(glibc) or newer"))
    }

    @Test("the archives depend only on their contents, and the sums are right")
    func reproducible() throws {
        _ = try run("scripts/release source tarball sums && cd $OUT && sha256sum --check --quiet SHA256SUMS")
        let sums = try run("cat $OUT/SHA256SUMS")
        #expect(sums.matches(of: #/(?m)^[0-9a-f]{64}  \S+$/#).count == 2)
        _ = try run(
            """
            touch $BUILT/stripped/* $VENDOR/swift-nio/file && umask 077 &&
            OUT=\(folder("again")) scripts/release tarball source sums
            """)
        #expect(try run("cat \(folder("again"))/SHA256SUMS") == sums)
    }

    @Test("the source has the commit's files and the Swift packages, and can be built without the network")
    func sources() throws {
        _ = try run("scripts/release source")
        let listed = try run("tar -tzf $OUT/\(source)").split(separator: "\n").map(String.init)
        for file in ["Package.swift", "packaging/debian/control", "scripts/release", "vendor/swift-nio/file"] {
            #expect(listed.contains("gestured-\(Version.number)/\(file)"), "no \(file)")
        }
        #expect(listed.allSatisfy { $0.hasPrefix("gestured-\(Version.number)/") && !$0.contains("/.git/") })
    }

    @Test("refuses an unknown part")
    func unknown() throws {
        let outcome = try Shell.run("scripts/release tarbal", variables)
        #expect(outcome.status == 64)
        #expect(outcome.output.contains("choose from: source, deb, tarball, sums"))
    }
}
