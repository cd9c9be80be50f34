// SPDX-License-Identifier: MIT

/// A length as the configuration gives it, before anybody knows the panel. The number is finite.
package enum Length: Hashable, Sendable {
    /// Of the output.
    case pixels(Double)
    /// Of the parent region, or of the panel where there is none.
    case percent(Double)
    case millimeters(Double)

    /// Without its unit.
    var number: Double {
        switch self {
        case .pixels(let number), .percent(let number), .millimeters(let number): number
        }
    }

    var isInMillimeters: Bool {
        if case .millimeters = self { true } else { false }
    }

    /// As the configuration would say it: `3mm`.
    var text: String {
        switch self {
        case .pixels(let number): "\(plain(number))px"
        case .percent(let number): "\(plain(number))%"
        case .millimeters(let number): "\(plain(number))mm"
        }
    }
}

/// A number without `.0` at its end.
func plain(_ number: Double) -> String {
    let text = "\(number)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
}
