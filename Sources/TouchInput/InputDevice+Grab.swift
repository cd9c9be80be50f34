// SPDX-License-Identifier: MIT
import CEvdev
import CLinux
import ContactTracking

/// Having a device for this process alone (`EVIOCGRAB`).
extension InputDevice {
    /// What became of the wish to have it.
    package enum GrabOutcome: Hashable, Sendable {
        case grabbed
        /// Others have seen a finger land, and must see it lift. Or something waits to be read, which may be one.
        case fingerDown
        /// Another process has it alone.
        case busy
        /// The errno.
        case failed(CInt)
    }

    /// Takes the device, if no finger is on it.
    package func grab() -> GrabOutcome {
        if isGrabbed { return .grabbed }
        if hasMore || isTouched { return .fingerDown }
        let code = setGrabbed(true)
        guard code >= 0 else { return code == -EBUSY ? .busy : .failed(-code) }
        isGrabbed = true
        // One that landed just before was seen by others.
        guard isTouched else { return .grabbed }
        ungrab()
        return .fingerDown
    }

    /// Lets others have it, too. Twice is harmless.
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
