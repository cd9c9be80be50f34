// SPDX-License-Identifier: MIT
import Foundation
import Testing

@testable import TouchInput

@Suite("Listing of input devices")
struct InputListingTests {
    @Test func sameNamesAreTheSame() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("listing-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        func listing(_ names: String...) throws -> InputListing {
            try? FileManager.default.removeItem(atPath: folder)
            for name in names {
                try FileManager.default.createDirectory(atPath: folder + "/" + name, withIntermediateDirectories: true)
            }
            return InputListing(of: folder)
        }
        let one = try listing("input1", "event0")
        #expect(try listing("event0", "input1") == one)
        // A device is plugged in again with the same node, then a node is missing, then another one is added.
        #expect(try listing("event0", "input2") != one)
        #expect(try listing("event0") != one)
        #expect(try listing("event0", "input1", "mouse0") != one)
    }

    @Test func folderThatIsMissing() {
        #expect(InputListing(of: "/nowhere") == InputListing(of: "/nowhere/either"))
    }
}
