// SPDX-License-Identifier: MIT
import CLinux
import LinuxSystem
import Testing

final class TestPipe {
    let reader: CInt
    private(set) var writer: CInt

    init() throws {
        var ends: [CInt] = [-1, -1]
        try #require(pipe(&ends) == 0)
        reader = ends[0]
        writer = ends[1]
    }

    deinit {
        close(reader)
        closeWriter()
    }

    func write() {
        var byte: UInt8 = 0
        #expect(CLinux.write(writer, &byte, 1) == 1)
    }

    func read() {
        var byte: UInt8 = 0
        #expect(CLinux.read(reader, &byte, 1) == 1)
    }

    func closeWriter() {
        if writer >= 0 { close(writer) }
        writer = -1
    }
}

/// A temporary folder for one test.
final class TestFolder {
    let path: String

    init() throws {
        var template = Array("/tmp/gestured-XXXXXX".utf8CString)
        path = try #require(mkdtemp(&template).map { String(cString: $0) })
    }

    deinit {
        for name in ["socket", "other", "file"] { unlink(path + "/" + name) }
        rmdir(path)
    }
}
