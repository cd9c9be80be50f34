// SPDX-License-Identifier: MIT
import ContactTracking
import GestureTestSupport

/// An application that has read these events from a shared panel's twin.
final class Application {
    /// The configuration of a shared panel of 100 x 100 mm.
    /// - Parameter rest: the text of all other tables.
    static func configuration(_ rest: String, cancel: String = "lift") -> String {
        panelTable() + "share = \"forward\"\ncancel = \"\(cancel)\"\n" + rest
    }

    var events: [KernelEvent] = []

    func takeEvents() -> [KernelEvent] {
        defer { events = [] }
        return events
    }
}
