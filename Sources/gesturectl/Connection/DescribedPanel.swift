// SPDX-License-Identifier: MIT
import ContactTracking
import GestureClient
import GestureEngine
import GesturePipeline
import GestureProtocol
import Recordings

extension Recording {
    /// The head of a recording, from the daemon's `describe` reply.
    /// - Returns: nil when a key is missing or of another type.
    init?(describing json: JSONValue, device: String) {
        guard let description = json["description"].flatMap(DeviceDescription.init),
            let nextContact = json["next_contact"]?.integer, let nextSequence = json["next_sequence"]?.integer
        else { return nil }
        let slots = (json["description"]?.list("slots") ?? []).map { slot in
            let numbers = (slot.array ?? []).compactMap(\.integer).map(Int32.init(clamping:))
            return SlotState(x: numbers.first ?? 0, y: numbers.count > 1 ? numbers[1] : 0)
        }
        self.init(
            description: description, device: device, nextContact: nextContact, nextSequence: nextSequence, slots: slots
        )
    }

    /// Adds one `frame` event.
    /// - Returns: false when it is none.
    mutating func append(frame json: JSONValue) -> Bool {
        guard let time = json["time_us"]?.integer else { return false }
        if json["removed"]?.bool == true {
            entries.append(.removed(.init(microseconds: time)))
            return true
        }
        if json["resync"]?.bool == true { entries.append(.resynchronized) }
        for event in json.list("events") {
            let numbers = (event.array ?? []).compactMap(\.integer)
            guard numbers.count == 3 else { return false }
            entries.append(
                .event(
                    KernelEvent(
                        time: .init(microseconds: time), type: UInt16(clamping: numbers[0]),
                        code: UInt16(clamping: numbers[1]), value: Int32(clamping: numbers[2]))))
        }
        return true
    }
}

extension DeviceDescription {
    /// From the key `description` of the daemon's reply.
    fileprivate init?(_ json: JSONValue) {
        let identity = json.list("id").compactMap(\.integer).map(UInt16.init(clamping:))
        guard let name = json["name"]?.string, identity.count == 4 else { return nil }
        self.init()
        self.name = name
        phys = json["phys"]?.string ?? ""
        (bus, vendor, product, version) = (identity[0], identity[1], identity[2], identity[3])
        properties = Set(json.list("properties").compactMap(\.integer).map(Int.init))
        keys = Set(json.list("keys").compactMap(\.integer).map(Int.init))
        for axis in json.list("axes") {
            let numbers = (axis.array ?? []).compactMap(\.integer)
            guard numbers.count == 7 else { return nil }
            let values = numbers.map(Int32.init(clamping:))
            axes[Int(numbers[0])] = AxisRange(
                minimum: values[1], maximum: values[2], fuzz: values[3], flat: values[4], resolution: values[5],
                value: values[6])
        }
        for property in json["udev"]?.members ?? [] { udev[property.key] = property.value.string ?? "" }
    }
}
