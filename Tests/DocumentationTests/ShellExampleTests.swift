// SPDX-License-Identifier: MIT
import Foundation
import GestureTestSupport
import Testing

@Suite("Shell commands in the documentation")
struct ShellExampleTests {
    @Test("have a valid shell syntax", arguments: Document.blocks(in: "sh"))
    func syntax(block: Document.Block) throws {
        let shell = try ChildProcess(["sh", "-n", "-c", block.text], environment: ChildProcess.inherited)
        #expect(try shell.waitForExit() == .exited(0), "\(block)")
    }
}
