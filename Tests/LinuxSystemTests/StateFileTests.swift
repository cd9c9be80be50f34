// SPDX-License-Identifier: MIT
import CLinux
import Foundation
import GestureTestSupport
import LinuxSystem
import Testing

@Suite("State file")
struct StateFileTests {
    let folder: ScratchFolder
    let file: StateFile

    init() throws {
        folder = try ScratchFolder()
        file = StateFile(folder("state"))
    }

    private func error(_ body: () throws(SystemError) -> Void) -> CInt? {
        do throws(SystemError) {
            try body()
            return nil
        } catch {
            return error.code
        }
    }

    @Test("is written as a whole, for its owner only, and leaves no other file")
    func replacing() throws {
        #expect(try file.read(limit: 10) == nil)
        try file.replace(with: Array("first".utf8))
        #expect(try file.read(limit: 10) == Array("first".utf8))
        let long = [UInt8](repeating: 7, count: 3 << 20)
        try file.replace(with: long)
        #expect(try file.read(limit: long.count) == long)
        try file.replace(with: [])
        #expect(try file.read(limit: 10) == [])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["state"])
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test("keeps its content if it cannot be replaced")
    func failure() throws {
        try file.replace(with: [1])
        try FileManager.default.createDirectory(atPath: file.path + ".new", withIntermediateDirectories: false)
        #expect(error { () throws(SystemError) in try file.replace(with: [2]) } == EISDIR)
        #expect(try file.read(limit: 10) == [1])
        let nowhere = StateFile(folder("nowhere/state"))
        #expect(error { () throws(SystemError) in try nowhere.replace(with: [1]) } == ENOENT)
    }

    @Test("is not read beyond the limit, nor through a link")
    func limits() throws {
        try file.replace(with: [1, 2, 3])
        #expect(error { () throws(SystemError) in _ = try file.read(limit: 2) } == EFBIG)
        try FileManager.default.createSymbolicLink(atPath: folder("link"), withDestinationPath: file.path)
        let link = StateFile(folder("link"))
        #expect(error { () throws(SystemError) in _ = try link.read(limit: 10) } == ELOOP)
    }
}
