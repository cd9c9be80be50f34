// SPDX-License-Identifier: MIT

/// What `value` and `limit` of a `failed` line are counted in.
enum FailureUnit: Hashable, Sendable, BitwiseCopyable, CaseIterable {
    case milliseconds, millimeters, millimetersPerSecond, degrees, contacts, steps

    /// The word on the wire.
    var word: StaticString {
        switch self {
        case .milliseconds: "ms"
        case .millimeters: "mm"
        case .millimetersPerSecond: "mm/s"
        case .degrees: "deg"
        case .contacts: "contacts"
        case .steps: "steps"
        }
    }

    /// What stands behind a number in a sentence.
    var suffix: StaticString {
        switch self {
        case .milliseconds: " ms"
        case .millimeters: " mm"
        case .millimetersPerSecond: " mm/s"
        case .degrees: " deg"
        case .contacts, .steps: ""
        }
    }

    /// Written without decimals: times are whole, and rounded down, as everywhere on the wire.
    var isWhole: Bool {
        switch self {
        case .milliseconds, .contacts, .steps: true
        case .millimeters, .millimetersPerSecond, .degrees: false
        }
    }
}
