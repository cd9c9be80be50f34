// SPDX-License-Identifier: MIT

/// The keys that one kind of table may have: one case each, the raw value is the key's word.
protocol TableKey: RawRepresentable, CaseIterable, Hashable where RawValue == String {}

extension TableKey {
    static var words: [String] { allCases.map { $0.rawValue } }
}
