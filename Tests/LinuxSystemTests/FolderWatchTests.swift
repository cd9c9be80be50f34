// SPDX-License-Identifier: MIT
import Foundation
import GestureTestSupport
import LinuxSystem
import Testing

@Suite("Folder watch")
struct FolderWatchTests {
    @Test("reports files that are added and removed, and ends with the folder")
    func changes() throws {
        let scratch = try ScratchFolder()
        let folder = scratch("watched")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let loop = try EventLoop()
        var calls = 0
        let watch = FolderWatch(folder, loop: loop) { calls += 1 }
        #expect(watch.isActive)
        loop.turn(timeout: 0)
        #expect(calls == 0)
        _ = try scratch.write("", to: "watched/event0")
        loop.turn(timeout: 1000)
        #expect(calls == 1)
        try FileManager.default.removeItem(atPath: folder + "/event0")
        loop.turn(timeout: 1000)
        #expect(calls == 2 && watch.isActive)
        try FileManager.default.removeItem(atPath: folder)
        loop.turn(timeout: 1000)
        #expect(calls == 3 && !watch.isActive)
        loop.turn(timeout: 0)
        #expect(calls == 3)
    }

    @Test("is not active for a folder that is missing, or for a file")
    func missing() throws {
        let scratch = try ScratchFolder()
        let loop = try EventLoop()
        #expect(!FolderWatch(scratch("nowhere"), loop: loop) {}.isActive)
        #expect(!FolderWatch(try scratch.write("", to: "file"), loop: loop) {}.isActive)
    }
}
