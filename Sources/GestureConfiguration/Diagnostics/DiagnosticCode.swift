// SPDX-License-Identifier: MIT

/// What kind of mistake a diagnostic is about. The raw value is the word on the wire.
package enum DiagnosticCode: String, Hashable, Sendable, CaseIterable {
    // Errors.
    case unreadable
    case syntax
    case unknownKey = "unknown_key"
    case missingKey = "missing_key"
    case wrongType = "wrong_type"
    case badValue = "bad_value"
    case outOfRange = "out_of_range"
    case missingUnit = "missing_unit"
    case duplicateID = "duplicate_id"
    case duplicateName = "duplicate_name"
    case unknownRegion = "unknown_region"
    case unknownName = "unknown_name"
    case parentCycle = "parent_cycle"
    case gestureCycle = "gesture_cycle"
    case tooMany = "too_many"
    // Warnings.
    case similarID = "similar_id"
    case waits
    case noEffect = "no_effect"
    case neverHit = "never_hit"
    case outside
    case unknownSize = "unknown_size"
    case tooLong = "too_long"
    case unmatched
    // Either.
    case more

    /// Whether only warnings have it.
    package var isWarning: Bool {
        switch self {
        case .similarID, .waits, .noEffect, .neverHit, .outside, .unknownSize, .tooLong, .unmatched: true
        case .unreadable, .syntax, .unknownKey, .missingKey, .wrongType, .badValue, .outOfRange, .missingUnit,
            .duplicateID, .duplicateName, .unknownRegion, .unknownName, .parentCycle, .gestureCycle, .tooMany, .more:
            false
        }
    }
}
