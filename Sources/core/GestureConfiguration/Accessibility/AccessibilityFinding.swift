// SPDX-License-Identifier: MIT
package import GestureProtocol

/// A place of a configuration that may keep somebody from using the panel.
///
/// A list without findings does not mean that an interface is accessible: what the application does is not in the files.
package struct AccessibilityFinding: Hashable, Sendable {
    /// A warning is based on a clause of a standard. A hint is a recommendation, or depends on what the application does.
    package enum Severity: String, Hashable, Sendable {
        case warning, hint
    }

    package let rule: AccessibilityRule
    /// The name of the panel.
    package let panel: String
    /// The name of the region; `nil` if the finding is about the panel.
    package let region: String?
    /// The name of the gesture; `nil` if the finding is about the region or the panel.
    package let gesture: String?
    /// The problem, in lower case and without a full stop.
    package let message: String
    /// The remedy, in lower case and without a full stop.
    package let cure: String
    package let location: SourceLocation

    init(
        _ rule: AccessibilityRule, panel: String, region: String? = nil, gesture: String? = nil, _ message: String,
        cure: String, at location: SourceLocation
    ) {
        (self.rule, self.panel, self.region, self.gesture) = (rule, panel, region, gesture)
        self.message = SourceFile.printable(message)
        self.cure = SourceFile.printable(cure)
        self.location = location
    }

    /// Returns the finding in the format of compilers.
    /// - Parameters:
    ///   - namesPanel: whether to name the panel, if the message does not.
    ///   - columns: returns the number of terminal columns that a character takes.
    package func text(namesPanel: Bool = false, columns: (Unicode.Scalar) -> Int) -> String {
        let clause = rule.clause.map { ", \($0)" } ?? ""
        let place = namesPanel && !rule.isAboutSize ? "on panel \"\(SourceFile.printable(panel))\", " : ""
        return location.text(
            "\(rule.severity.rawValue): \(place)\(message); \(cure) [\(rule.rawValue)\(clause)]", columns: columns)
    }

    package func write(into json: inout JSONWriter) {
        json.member("severity", rule.severity.rawValue)
        json.member("code", rule.rawValue)
        if let clause = rule.clause { json.member("clause", clause) }
        json.member("device", panel)
        if let region { json.member("region", region) }
        if let gesture { json.member("gesture", gesture) }
        json.member("file", location.file)
        json.member("line", location.line)
        json.member("column", location.column)
        json.member("message", message)
        json.member("cure", cure)
    }
}

/// A rule of the accessibility check. The raw value is its name in the output.
package enum AccessibilityRule: String, Hashable, Sendable, CaseIterable {
    case targetSize = "target_size"
    case fingerSize = "finger_size"
    case multiFingerOnly = "multi_finger_only"
    case pathOnly = "path_only"
    case dragOnly = "drag_only"
    case holdOnly = "hold_only"
    case actsAtLanding = "acts_at_landing"
    case repeatFixed = "repeat_fixed"
    case repeatEarly = "repeat_early"
    case timingFixed = "timing_fixed"
    case patternTiming = "pattern_timing"
    case sizeUnknown = "size_unknown"

    /// Whether the rule compares sizes on the panel, which its messages name.
    fileprivate var isAboutSize: Bool { [.targetSize, .fingerSize, .sizeUnknown].contains(self) }

    /// The clauses that the rule comes from; `nil` if no clause has it. Those of EN 301 549 are of V3.2.1.
    package var clause: String? {
        switch self {
        case .targetSize: "WCAG 2.2 2.5.8"
        case .multiFingerOnly: "EN 301 549 5.9 and 11.2.5.1"
        case .pathOnly: "EN 301 549 11.2.5.1"
        case .dragOnly: "WCAG 2.2 2.5.7"
        case .holdOnly: "EN 301 549 4.2.7"
        case .actsAtLanding: "EN 301 549 11.2.5.2"
        case .repeatFixed: "EN 301 549 5.7"
        case .timingFixed, .patternTiming: "EN 301 549 11.2.2.1"
        case .fingerSize, .repeatEarly, .sizeUnknown: nil
        }
    }

    package var severity: AccessibilityFinding.Severity {
        switch self {
        case .targetSize, .multiFingerOnly, .pathOnly, .dragOnly, .repeatFixed, .timingFixed, .patternTiming: .warning
        case .fingerSize, .holdOnly, .actsAtLanding, .repeatEarly, .sizeUnknown: .hint
        }
    }
}
