// SPDX-License-Identifier: MIT
import ContactTracking
import GestureTestSupport

/// The events that an application has read from a shared panel's twin.
final class Application {
    /// The configuration of a shared panel of 100 x 100 mm.
    /// - Parameter rest: further tables.
    static func configuration(_ rest: String, cancel: String = "lift") -> String {
        panelTable() + "share = \"forward\"\ncancel = \"\(cancel)\"\n" + rest
    }

    var events: [KernelEvent] = []

    func takeEvents() -> [KernelEvent] {
        defer { events = [] }
        return events
    }
}
