// SPDX-License-Identifier: MIT
package import ContactTracking
package import GestureEngine

/// Who hears what a device says. Must outlive the device's `stop()`, and may call it any time.
package protocol InputDeviceDelegate: AnyObject {
    /// Events in their order, as many as one read found: often one frame. They are gone after the call.
    func inputDevice(_ device: InputDevice, received events: UnsafeBufferPointer<KernelEvent>)

    /// Events were lost, or `resynchronize()` was called: this is how the slots are.
    func inputDevice(_ device: InputDevice, resynchronized table: KernelSlots, at time: Timestamp)

    /// Its axes are not those that it was opened with. It is stopped already: open it anew.
    func inputDeviceHasOtherAxes(_ device: InputDevice)

    /// Unplugged, revoked or broken. It is stopped already; nothing more comes from it.
    func inputDeviceWasLost(_ device: InputDevice)
}
