// SPDX-License-Identifier: MIT
import ContactTracking

/// What an application has read from a shared panel's twin.
final class Application {
    var events: [KernelEvent] = []

    func takeEvents() -> [KernelEvent] {
        defer { events = [] }
        return events
    }
}
