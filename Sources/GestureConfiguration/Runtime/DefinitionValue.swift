// SPDX-License-Identifier: MIT

/// A value of a definition that did not come from a file: what a request has instead of TOML.
package indirect enum DefinitionValue: Sendable {
    case table([(key: String, value: DefinitionValue)])
    case array([DefinitionValue])
    case string(String)
    case integer(Int64)
    case number(Double)
    case boolean(Bool)
    /// A value that TOML does not have.
    case null

    /// As if it stood at `region`, with all that it holds: text that was no file has no lines.
    func toml(at region: TextRegion) -> TomlValue {
        let kind: TomlValue.Kind =
            switch self {
            case .table(let entries):
                .table(
                    TomlTable(
                        entries: entries.map { .init(key: $0.key, keyRegion: region, value: $0.value.toml(at: region)) }
                    )
                )
            case .array(let values): .array(values.map { $0.toml(at: region) })
            case .string(let text): .string(text)
            case .integer(let number): .integer(number)
            case .number(let number): .number(number)
            case .boolean(let flag): .boolean(flag)
            case .null: .null
            }
        return TomlValue(kind: kind, region: region)
    }
}
