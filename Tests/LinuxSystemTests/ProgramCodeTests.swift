// SPDX-License-Identifier: MIT
import LinuxSystem
import Testing

@Suite("Code in memory")
struct ProgramCodeTests {
    /// The program, the C library and the dynamic linker at least; and this line still runs.
    @Test("is given back, and comes back when it is needed")
    func releases() {
        #expect(ProgramCode.release() >= 3)
        #expect(ProgramCode.release() >= 3)
    }
}
