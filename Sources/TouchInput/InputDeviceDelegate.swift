// SPDX-License-Identifier: MIT
package import ContactTracking
package import GestureEngine

/// Receives what a device reports. Must live until the device's `stop()`, which it may call any time.
package protocol InputDeviceDelegate: AnyObject {
    /// The events of one read, in their order: often one frame. A delegate that keeps them costs a copy.
    func inputDevice(_ device: InputDevice, received events: ArraySlice<KernelEvent>)

    /// Events were lost, or `resynchronize()` was called: the slots are now as in `table`.
    func inputDevice(_ device: InputDevice, resynchronized table: SlotTable, at time: Timestamp)

    /// Its axes are not those that it was opened with. It has been stopped: open it again.
    func inputDeviceHasOtherAxes(_ device: InputDevice)

    /// It was unplugged, revoked or broke. It has been stopped.
    func inputDeviceWasLost(_ device: InputDevice)
}
