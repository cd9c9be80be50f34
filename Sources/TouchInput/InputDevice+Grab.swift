// SPDX-License-Identifier: MIT
import CEvdev
import CLinux
import ContactTracking

/// Exclusive access to a device (`EVIOCGRAB`).
extension InputDevice {
    package enum GrabOutcome: Hashable, Sendable {
        case grabbed
        /// Other programs have seen a contact land, and must see it lift. Or events wait to be read, which may be that.
        case fingerDown
        /// Another process has grabbed it.
        case busy
        /// The errno.
        case failed(CInt)
    }

    /// Grabs the device, if no contact is down.
    package func grab() -> GrabOutcome {
        if isGrabbed { return .grabbed }
        if hasMore || isTouched { return .fingerDown }
        let code = setGrabbed(true)
        guard code >= 0 else { return code == -EBUSY ? .busy : .failed(-code) }
        isGrabbed = true
        // Other programs have seen a contact that landed just before.
        guard isTouched else { return .grabbed }
        ungrab()
        return .fingerDown
    }

    /// Releases the grab. May be called twice.
    package func ungrab() {
        guard isGrabbed else { return }
        isGrabbed = false
        // A failure can only say that the device is gone.
        _ = setGrabbed(false)
    }

    private var isTouched: Bool { slotTable()?.slots.contains { $0.trackingID >= 0 } ?? false }

    /// - Returns: 0, or the errno, negative.
    private func setGrabbed(_ grabbed: Bool) -> CInt {
        guard let evdev else { return 0 }
        var code: CInt
        repeat { code = libevdev_grab(evdev, grabbed ? LIBEVDEV_GRAB : LIBEVDEV_UNGRAB) } while code == -EINTR
        return code
    }
}
