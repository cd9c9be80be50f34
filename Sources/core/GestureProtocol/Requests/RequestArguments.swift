// SPDX-License-Identifier: MIT

/// The members of a request's object, read one by one with their types checked.
///
/// Call `refuseUnknown(_:)` first, so that a misspelt key is not reported as a missing one.
struct RequestArguments {
    private let object: JSONValue
    /// The prefix of keys in messages: empty, or `regions[2].`.
    private let path: String

    init(_ object: JSONValue, path: String = "") {
        self.object = object
        self.path = path
    }

    func refuseUnknown(_ allowed: [String]) throws(RequestError) {
        for key in object.keys where !allowed.contains(key) {
            throw RequestError(
                .unknownKey, "unknown key \"\(SafeText.excerpt(key))\"",
                suggestion: Spelling.nearest(to: key, among: allowed))
        }
    }

    func string(_ key: String) throws(RequestError) -> String? {
        guard let value = object[key] else { return nil }
        guard let string = value.string else { throw wrong(key, "a string") }
        guard !string.isEmpty else { throw wrong(key, "a non-empty string") }
        return string
    }

    func requiredString(_ key: String) throws(RequestError) -> String {
        guard let string = try string(key) else { throw missing(key) }
        return string
    }

    /// Returns the string, or the strings of a list that is not empty.
    func stringOrStrings(_ key: String) throws(RequestError) -> [String] {
        guard object[key]?.array != nil else { return [try requiredString(key)] }
        let values = try array(key, atMost: ProtocolLimits.listEntries) ?? []
        let strings = values.compactMap(\.string).filter { !$0.isEmpty }
        guard !strings.isEmpty, strings.count == values.count else {
            throw wrong(key, "a non-empty string or a list of non-empty strings")
        }
        return strings
    }

    func bool(_ key: String) throws(RequestError) -> Bool? {
        guard let value = object[key] else { return nil }
        guard let bool = value.bool else { throw wrong(key, "true or false") }
        return bool
    }

    func number(_ key: String, in range: ClosedRange<Double>, _ words: String) throws(RequestError) -> Double? {
        guard let value = object[key] else { return nil }
        guard let number = value.number, range.contains(number) else { throw wrong(key, words) }
        return number
    }

    func integer(_ key: String, in range: ClosedRange<Int64>, _ words: String) throws(RequestError) -> Int64? {
        guard let value = object[key] else { return nil }
        guard let integer = value.integer, range.contains(integer) else { throw wrong(key, words) }
        return integer
    }

    func array(_ key: String, atMost limit: Int) throws(RequestError) -> [JSONValue]? {
        guard let value = object[key] else { return nil }
        guard let array = value.array else { throw wrong(key, "a list") }
        guard array.count <= limit else { throw wrong(key, "a list of at most \(limit)") }
        return array
    }

    func missing(_ key: String) -> RequestError { RequestError(.badRequest, "\"\(path)\(key)\" is missing") }

    func wrong(_ key: String, _ words: String) -> RequestError {
        RequestError(.badValue, "\"\(path)\(key)\" must be \(words)")
    }
}
