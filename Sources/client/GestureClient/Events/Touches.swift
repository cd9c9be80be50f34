// SPDX-License-Identifier: MIT
package import GestureProtocol

extension GestureClient {
    /// All contacts of a panel.
    public struct Touches: Hashable, Sendable {
        public var device: String
        public var contacts: [Contact]
        /// Other regions that receive contacts: ancestors of the owner, `pass` regions, and regions whose gesture a
        /// contact has joined.
        public var seenBy: [FurtherRegion]
        /// The contacts that a filter of the configuration hides until they lift.
        public var ignored: [IgnoredContact]
        /// On a shared panel, the ids of contacts that were held until they had lifted and that the application
        /// receives now.
        public var given: [Int]
        public var coalesced: Int
        /// The time on `CLOCK_MONOTONIC`, in microseconds.
        public var time: Int

        package init(_ line: JSONValue) {
            device = line.text("device")
            contacts = line.list("contacts").map {
                .init(
                    id: $0.whole("id"), slot: $0.whole("slot"), position: $0.point("x", "y") ?? .init(x: 0, y: 0),
                    region: $0["region"]?.string, sequence: $0["sequence"]?.integer.flatMap { Int(exactly: $0) },
                    receiver: $0["to"]?.string, kept: $0["kept"]?.string, major: $0["major_mm"]?.number)
            }
            seenBy = line.list("seen_by").map {
                .init(
                    region: $0.text("region"), sequence: $0.whole("sequence"),
                    contacts: $0.list("contacts").compactMap { $0.integer.flatMap { Int(exactly: $0) } })
            }
            ignored = line.list("ignored").map {
                .init(
                    slot: $0.whole("slot"), position: $0.point("x", "y") ?? .init(x: 0, y: 0),
                    filter: $0.text("filter"), receiver: $0["to"]?.string, kept: $0["kept"]?.string)
            }
            given = line.list("given").compactMap { $0.integer.flatMap { Int(exactly: $0) } }
            coalesced = line.whole("coalesced")
            time = line.time("time_us") ?? 0
        }
    }

    /// A contact of a panel.
    public struct Contact: Hashable, Sendable {
        public var id: Int
        public var slot: Int
        /// The position in output pixels.
        public var position: Point
        /// The region that owns the contact, and the number of the sequence in that region.
        public var region: String?
        public var sequence: Int?
        /// The receiver of the contact on a shared panel: `app`, `gestured`, `both`, or a word that only a later daemon
        /// sends.
        public var receiver: String?
        /// On a shared panel, the key of `[device.application]` that hides the contact from the application.
        public var kept: String?
        /// The longer axis of the contact's ellipse, in millimetres.
        public var major: Double?
    }

    /// A region that receives contacts without owning them.
    public struct FurtherRegion: Hashable, Sendable {
        public var region: String
        public var sequence: Int
        /// The ids of the contacts.
        public var contacts: [Int]
    }

    /// A contact that is hidden from all regions.
    public struct IgnoredContact: Hashable, Sendable {
        public var slot: Int
        /// The position in output pixels.
        public var position: Point
        /// The key of `[filter]` in the configuration that hides the contact.
        public var filter: String
        /// The receiver of the contact on a shared panel: `app`, `nobody`, or a word that only a later daemon sends.
        public var receiver: String?
        /// On a shared panel, the key of `[device.application]` that hides the contact from the application.
        public var kept: String?
    }
}
