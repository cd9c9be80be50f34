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
        #expect(registry.add(device("/sys/a")) == ([], true))
        #expect(registry.add(device("/sys/a")) == ([], false))
        #expect(registry.remove(systemPath: "/sys/a") == device("/sys/a"))
        #expect(registry.remove(systemPath: "/sys/a") == nil)
        #expect(registry.add(device("/sys/a")) == ([], true))
    }

    @Test func otherPropertiesAreTheSameDevice() {
        var registry = DeviceRegistry()
        _ = registry.add(device("/sys/a"))
        var changed = device("/sys/a")
        changed.description.udev["ID_INPUT_TOUCHSCREEN"] = "1"
        #expect(registry.add(changed) == ([], false))
        #expect(registry.remove(systemPath: "/sys/a") == changed)
    }

    /// The removal of the old device was missed, so it is reported as lost before the new one is added.
    @Test(arguments: [
        ("/sys/a", "/dev/input/event4", UInt64(69)), ("/sys/b", "/dev/input/event4", 69),
        ("/sys/b", "/dev/input/event5", 68),
    ])
    func placeTakenByAnother(path: String, node: String, number: UInt64) {
        var registry = DeviceRegistry()
        _ = registry.add(device("/sys/a"))
        _ = registry.add(device("/sys/c", node: "/dev/input/event7", number: 71))
        let other = device(path, node: node, number: number)
        #expect(registry.add(other) == ([device("/sys/a")], true))
        #expect(registry.entries.map { $0.device.systemPath } == ["/sys/c", path])
        #expect(registry.missing(from: [other]).map { $0.systemPath } == ["/sys/c"])
    }

    @Test func takesThePlacesOfTwo() {
        var registry = DeviceRegistry()
        _ = registry.add(device("/sys/a"))
        _ = registry.add(device("/sys/c", node: "/dev/input/event7", number: 71))
        #expect(registry.add(device("/sys/a", node: "/dev/input/event7", number: 71)).lost.count == 2)
        #expect(registry.entries.count == 1)
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
        // After the last attempt, the device is tried once per listing.
        for round in 1...3 {
            #expect(registry.takeGivenUp() == [panel])
            #expect(registry.takeGivenUp().isEmpty)
            registry.openFailed(panel, at: 30_000_000 * Int64(round))
            #expect(registry.nextRetry == nil)
        }
        // After a successful attempt, the next failure is treated as the first one.
        #expect(registry.takeGivenUp() == [panel])
        registry.opened(panel)
        registry.openFailed(panel, at: 120_000_000)
        #expect(registry.nextRetry == 120_400_000)
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
