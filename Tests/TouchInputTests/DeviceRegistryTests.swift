// SPDX-License-Identifier: MIT
import ContactTracking
import Testing

@testable import TouchInput

@Suite("Device registry")
struct DeviceRegistryTests {
    private func device(_ path: String, node: String = "/dev/input/event4", number: UInt64 = 68) -> DiscoveredDevice {
        DiscoveredDevice(systemPath: path, node: node, number: number, description: DeviceDescription())
    }

    @Test func sameDeviceTwiceIsOne() {
        var registry = DeviceRegistry()
        #expect(registry.add(device("/sys/a")) == (nil, true))
        #expect(registry.add(device("/sys/a")) == (nil, false))
        #expect(registry.remove(systemPath: "/sys/a") == device("/sys/a"))
        #expect(registry.remove(systemPath: "/sys/a") == nil)
        #expect(registry.add(device("/sys/a")) == (nil, true))
    }

    /// Its removal was missed: the old one is reported lost before the new one comes.
    @Test func placeTakenByAnother() {
        var registry = DeviceRegistry()
        _ = registry.add(device("/sys/a"))
        #expect(registry.add(device("/sys/a", number: 69)) == (device("/sys/a"), true))
        // The node used again under another path: both are there, until one is removed.
        #expect(registry.add(device("/sys/b", number: 69)) == (nil, true))
        #expect(registry.missing(from: [device("/sys/b")]) == [device("/sys/a", number: 69)])
    }

    @Test func fiveMoreTriesInTwoSeconds() {
        var registry = DeviceRegistry()
        let panel = device("/sys/a")
        _ = registry.add(panel)
        #expect(registry.nextRetry == nil)
        var time: Int64 = 1000
        registry.openFailed(panel, at: time)
        var tries = 0
        while let next = registry.nextRetry {
            #expect(registry.takeDue(at: next - 1).isEmpty)
            time = next
            #expect(registry.takeDue(at: next) == [panel])
            tries += 1
            registry.openFailed(panel, at: time)
        }
        #expect(tries == 5)
        #expect(time == 2_001_000)
    }

    @Test func goneDeviceIsNotTriedAgain() {
        var registry = DeviceRegistry()
        _ = registry.add(device("/sys/a"))
        registry.openFailed(device("/sys/a"), at: 0)
        _ = registry.remove(systemPath: "/sys/a")
        #expect(registry.nextRetry == nil)
        registry.openFailed(device("/sys/a"), at: 0)
        #expect(registry.nextRetry == nil)
    }
}
