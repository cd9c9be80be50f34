// SPDX-License-Identifier: MIT
import CJansson

extension JSON {
    /// - Returns: nil when `bytes` are no JSON object or array.
    init?(parsing bytes: [UInt8]) {
        var error = json_error_t()
        let root = bytes.withUnsafeBytes { buffer in
            buffer.withMemoryRebound(to: CChar.self) { json_loadb($0.baseAddress, $0.count, 0, &error) }
        }
        guard let root else { return nil }
        defer { json_decref(root) }
        self.init(root)
    }

    /// Depth is bounded by jansson (2048).
    private init(_ value: UnsafeMutablePointer<json_t>) {
        switch value.pointee.type {
        case JSON_OBJECT: self = .object(Self.members(of: value))
        case JSON_ARRAY:
            self = .array((0..<json_array_size(value)).compactMap { json_array_get(value, $0).map(JSON.init) })
        case JSON_STRING: self = .string(json_string_value(value).map { String(cString: $0) } ?? "")
        case JSON_INTEGER: self = .integer(Int64(json_integer_value(value)))
        case JSON_REAL: self = .number(json_real_value(value))
        case JSON_TRUE: self = .bool(true)
        case JSON_FALSE: self = .bool(false)
        default: self = .null
        }
    }

    private static func members(of object: UnsafeMutablePointer<json_t>) -> [Member] {
        var members: [Member] = []
        var iterator = json_object_iter(object)
        while let place = iterator {
            if let key = json_object_iter_key(place), let value = json_object_iter_value(place) {
                members.append(Member(key: String(cString: key), value: JSON(value)))
            }
            iterator = json_object_iter_next(object, place)
        }
        return members
    }

}
