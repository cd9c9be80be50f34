// SPDX-License-Identifier: MIT

/// Who hears of devices that come and go. Must outlive the monitor.
package protocol DeviceMonitorDelegate: AnyObject {
    /// Once for each device; also for those that are there at the start.
    /// - Returns: `false` when it could not be opened now: it is reported again, five times
    ///   within two seconds. Right after a plug-in, its access rights may still be on their way.
    func deviceMonitor(_ monitor: DeviceMonitor, found device: DiscoveredDevice) -> Bool

    /// udev reports a change of a device that was found: its rules have run again.
    func deviceMonitor(_ monitor: DeviceMonitor, changed device: DiscoveredDevice)

    /// Once for each device that was found, also when it could not be opened.
    func deviceMonitor(_ monitor: DeviceMonitor, lost device: DiscoveredDevice)
}
