// SPDX-License-Identifier: MIT
import CLinux
import Foundation
import LinuxSystem
import Testing

@Suite("Configuration files")
struct ConfigurationFilesTests {
    /// A temporary folder that is removed after the test.
    private final class Folder {
        let path: String

        init() throws {
            path = NSTemporaryDirectory() + "/gestured-files-" + UUID().uuidString
            try FileManager.default.createDirectory(atPath: path + "/conf.d", withIntermediateDirectories: true)
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        func write(_ text: String, _ name: String) throws {
            try text.write(toFile: path + "/" + name, atomically: false, encoding: .utf8)
        }
    }

    private func read(_ files: ConfigurationFiles) throws -> [String] {
        try files.read().map { String(decoding: $0.text, as: UTF8.self) }
    }

    private func error(_ files: ConfigurationFiles) -> String {
        do throws(ConfigurationFileError) {
            _ = try files.read()
            return ""
        } catch {
            return error.description
        }
    }

    @Test func namedFileIsTheOnlyOne() throws {
        let folder = try Folder()
        try folder.write("a = 1", "a.toml")
        let files = try ConfigurationFiles(file: folder.path + "/a.toml").read()
        #expect(files.map { $0.path } == [folder.path + "/a.toml"])
        #expect(files.first?.text == Array("a = 1".utf8))
    }

    @Test func directoryIsSortedAndHasOnlyFiles() throws {
        let folder = try Folder()
        try folder.write("main", "a.toml")
        for name in ["50-b.toml", "10-z.toml", "9.toml", "x.toml.bak", ".hidden.toml", "B.toml", "README"] {
            try folder.write(name, "conf.d/" + name)
        }
        let files = ConfigurationFiles(file: folder.path + "/a.toml", directory: folder.path + "/conf.d/")
        #expect(try read(files) == ["main", "10-z.toml", "50-b.toml", "9.toml", "B.toml"])
        #expect(try files.read().last?.path == folder.path + "/conf.d/B.toml")
    }

    /// File names are bytes: they are opened verbatim, and bytes that are not valid UTF-8 are escaped for display.
    @Test func namesNeedNotBeUTF8() throws {
        let folder = try Folder()
        for (name, text) in [("10-\u{FF}\u{E4}.toml", "a"), ("20.toml", "b")] {
            // The file name in Latin-1.
            let path = Array((folder.path + "/conf.d/").utf8) + name.unicodeScalars.map { UInt8($0.value) }
            let file = open((path + [0]).map { CChar(bitPattern: $0) }, O_CREAT | O_WRONLY, 0o600)
            #expect(write(file, text, text.utf8.count) == text.utf8.count)
            close(file)
        }
        try folder.write("main", "a.toml")
        let files = try ConfigurationFiles(file: folder.path + "/a.toml", directory: folder.path + "/conf.d").read()
        #expect(files.map { String(decoding: $0.text, as: UTF8.self) } == ["main", "a", "b"])
        #expect(files.map { $0.path }.contains(folder.path + "/conf.d/10-\\xff\\xe4.toml"))
    }

    @Test func namedFilesMustExist() throws {
        let folder = try Folder()
        #expect(
            error(ConfigurationFiles(file: folder.path + "/a.toml"))
                == "\(folder.path)/a.toml: No such file or directory")
        try folder.write("", "a.toml")
        let files = ConfigurationFiles(file: folder.path + "/a.toml", directory: folder.path + "/none")
        #expect(error(files) == "\(folder.path)/none: No such file or directory")
    }

    @Test func onlyRegularFiles() throws {
        let folder = try Folder()
        #expect(error(ConfigurationFiles(file: folder.path)) == "\(folder.path): is not a regular file")
        let fifo = folder.path + "/fifo.toml"
        #expect(mkfifo(fifo, 0o600) == 0)
        #expect(error(ConfigurationFiles(file: fifo)) == "\(fifo): is not a regular file")
        #expect(error(ConfigurationFiles(file: "/dev/zero")) == "/dev/zero: is not a regular file")
    }

    /// A chain of links, the last of which is relative: `link.toml` → `other` → `a`.
    @Test func rootFollowsOnlyLinksOfRoot() throws {
        let folder = try Folder()
        try folder.write("secret", "a")
        let (link, other) = (folder.path + "/link.toml", folder.path + "/other")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: other)
        try FileManager.default.createSymbolicLink(atPath: other, withDestinationPath: "a")
        #expect(try read(ConfigurationFiles(file: link)) == ["secret"])
        guard geteuid() == 0 else { return }
        for path in [other, link] {
            #expect(lchown(path, 1234, 1234) == 0)
            #expect(
                error(ConfigurationFiles(file: link))
                    == "\(link): is a symbolic link of another user, which root does not follow")
            #expect(lchown(path, 0, 0) == 0)
        }
        #expect(try read(ConfigurationFiles(file: link)) == ["secret"])
    }

    @Test func linksInACircleAreAnError() throws {
        let folder = try Folder()
        let link = folder.path + "/link.toml"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "link.toml")
        #expect(!error(ConfigurationFiles(file: link)).isEmpty)
    }

    @Test("are at most one mebibyte", arguments: [(1 << 20, true), ((1 << 20) + 1, false)])
    func size(bytes: Int, isRead: Bool) throws {
        let folder = try Folder()
        try folder.write(String(repeating: "#", count: bytes), "a.toml")
        let path = folder.path + "/a.toml"
        #expect(error(ConfigurationFiles(file: path)) == (isRead ? "" : "\(path): is larger than 1 MiB"))
        if isRead { #expect(try ConfigurationFiles(file: path).read().first?.text.count == bytes) }
    }

    @Test("are at most four mebibytes together", arguments: [(0, true), (1, false)])
    func sizeTogether(more: Int, isRead: Bool) throws {
        let folder = try Folder()
        for name in ["a", "b", "c", "d"] {
            try folder.write(String(repeating: "#", count: 1 << 20), "conf.d/\(name).toml")
        }
        try folder.write(String(repeating: "#", count: more), "conf.d/e.toml")
        let all = ConfigurationFiles(
            file: folder.path + "/conf.d/a.toml",
            further: ["b", "c", "d", "e"].map { "\(folder.path)/conf.d/\($0).toml" })
        let reason = "with the files before it is larger than 4 MiB"
        #expect(error(all) == (isRead ? "" : "\(folder.path)/conf.d/e.toml: \(reason)"))
    }

    @Test func directoryWithTooManyFiles() throws {
        let folder = try Folder()
        for i in 0...256 { try folder.write("", "conf.d/\(i).toml") }
        try folder.write("", "a.toml")
        let files = ConfigurationFiles(file: folder.path + "/a.toml", directory: folder.path + "/conf.d")
        #expect(error(files) == "\(folder.path)/conf.d: contains more than 256 files")
    }
}
