// SPDX-License-Identifier: MIT
package import GestureConfiguration
package import GestureProtocol

extension DefinitionValue {
    /// A value of a request, to be read as if it stood in a configuration.
    package init(_ json: JSONValue) {
        if json.isObject {
            self = .table(json.keys.compactMap { key in json[key].map { (key, DefinitionValue($0)) } })
        } else if let values = json.array {
            self = .array(values.map { DefinitionValue($0) })
        } else if let text = json.string {
            self = .string(text)
        } else if let integer = json.integer {
            self = .integer(integer)
        } else if let number = json.number {
            self = .number(number)
        } else if let flag = json.bool {
            self = .boolean(flag)
        } else {
            self = .null
        }
    }
}
