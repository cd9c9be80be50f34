// SPDX-License-Identifier: MIT
import Foundation
import GestureTestSupport
import Glibc

/// A copy of `gesturectl` in the folder `bin` of a scratch folder. The tool looks for installed files in the folder
/// `share/gestured` beside `bin`.
struct InstalledTool {
    let folder: ScratchFolder

    var program: String { folder("bin/gesturectl") }
    var share: String { folder("share/gestured") }

    init() throws {
        folder = try ScratchFolder()
        for path in [folder("bin"), share] {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        let built = BuildProducts.program("gesturectl")
        // A hard link is enough if both folders are on the same file system.
        guard link(built, program) != 0 else { return }
        // Another process copies it: a child of another test could inherit the descriptor of this one, and the copy could
        // not be executed (ETXTBSY).
        let copied = try ChildProcess.run(["cp", built, program])
        guard copied.status == 0 else { throw TestFailure(copied.errors) }
    }
}
