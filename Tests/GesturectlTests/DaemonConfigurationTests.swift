// SPDX-License-Identifier: MIT
import ContactTracking
import GestureClient
import GestureConfiguration
import GestureProtocol
import GestureTestSupport
import Testing

@testable import gesturectl

/// The configuration with which `explain` replays what the daemon has received.
@Suite("The configuration of a daemon")
struct DaemonConfigurationTests {
    @Test("contains the outputs to which clients have mapped panels")
    func outputs() throws {
        let folder = try ScratchFolder()
        let path = try folder.write(ReplayTests.configuration, to: "gestured.toml")
        let status = try #require(JSONValue(parsing: Array(#"{"config":{"files":["\#(path)"]}}"#.utf8)))
        let reply = try #require(
            JSONValue(
                parsing: Array(
                    #"{"devices":[{"device":"left","output":{"width":600,"height":800,"rotation":90,"flipped":true}},{"device":"right"}]}"#
                        .utf8)))
        let panels = GestureClient.Device.all(in: reply)
        let outputs = Configuration(status: status, regions: [], panels: panels)?.runtime.outputs
        #expect(
            outputs == [
                "left": OutputChange(rotation: .flippedQuarter, sizePixels: .init(width: 600, height: 800))
            ])
    }
}
