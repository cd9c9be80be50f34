// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine
import GesturePipeline
package import GestureProtocol

extension Recording {
    /// Creates a recording without entries from the daemon's `describe` reply.
    /// - Returns: `nil` if a key is missing or has another type.
    package init?(describing json: JSONValue, device: String) {
        guard let description = json["description"].flatMap(DeviceDescription.init),
            let nextContact = json["next_contact"]?.integer, let nextSequence = json["next_sequence"]?.integer,
            Self.identifiers.contains(nextContact), Self.identifiers.contains(nextSequence)
        else { return nil }
        let slots = (json["description"]?.list("slots") ?? []).map { slot in
            let numbers = slot.integers.map(Int32.init(clamping:))
            return SlotState(x: numbers.first ?? 0, y: numbers.count > 1 ? numbers[1] : 0)
        }
        self.init(
            description: description, device: device, nextContact: nextContact, nextSequence: nextSequence, slots: slots
        )
        if let next = json["next_private_contact"]?.integer { nextPrivateContact = next }
        if let next = json["next_private_sequence"]?.integer { nextPrivateSequence = next }
        guard Self.identifiers.contains(nextPrivateContact), Self.identifiers.contains(nextPrivateSequence) else {
            return nil
        }
    }

    /// The range of valid ids. It ends early enough that counting up cannot overflow.
    private static let identifiers: ClosedRange<Int64> = 0...(1 << 52)

    /// Adds one `frame` event. If it is earlier than the last entry, it is recorded with the time of that entry.
    /// - Returns: `false` if it is not a `frame` event.
    package mutating func append(frame json: JSONValue) -> Bool {
        guard let sent = json.time("time_us") else { return false }
        let latest = entries.last { $0.time != nil }?.time ?? Timestamp(microseconds: 0)
        let time = max(Timestamp(microseconds: Int64(sent)), latest)
        if json.flag("suspended") {
            entries.append(.suspended(time))
            return true
        }
        if json.flag("removed") {
            entries.append(.removed(time))
            return true
        }
        if json.flag("resync") { entries.append(.resynchronized) }
        for event in json.list("events") {
            let numbers = event.integers
            guard numbers.count == 3 else { return false }
            let (type, code) = (UInt16(clamping: numbers[0]), UInt16(clamping: numbers[1]))
            entries.append(.event(KernelEvent(time: time, type: type, code: code, value: Int32(clamping: numbers[2]))))
        }
        return true
    }
}

extension DeviceDescription {
    /// Reads the key `description` of the daemon's reply.
    fileprivate init?(_ json: JSONValue) {
        let identity = json.list("id").compactMap { $0.integer }.map(UInt16.init(clamping:))
        guard let name = json["name"]?.string, identity.count == 4 else { return nil }
        self.init()
        self.name = name
        phys = json["phys"]?.string ?? ""
        (bus, vendor, product, version) = (identity[0], identity[1], identity[2], identity[3])
        properties = Set(json.list("properties").compactMap { $0.integer }.map(Int.init))
        keys = Set(json.list("keys").compactMap { $0.integer }.map(Int.init))
        for axis in json.list("axes") {
            let numbers = axis.integers
            guard numbers.count == 7 else { return nil }
            let values = numbers.map(Int32.init(clamping:))
            axes[Int(numbers[0])] = AxisRange(
                minimum: values[1], maximum: values[2], fuzz: values[3], flat: values[4], resolution: values[5],
                value: values[6])
        }
        for property in json["udev"]?.members ?? [] { udev[property.key] = property.value.string ?? "" }
    }
}

extension JSONValue {
    fileprivate var integers: [Int64] { (array ?? []).compactMap { $0.integer } }
}
