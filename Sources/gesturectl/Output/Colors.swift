// SPDX-License-Identifier: MIT
import ArgumentParser
import Glibc

/// When output is coloured.
enum ColorChoice: String, CaseIterable, ExpressibleByArgument {
    case auto, always, never

    /// `auto`: on a terminal that is not dumb, unless `NO_COLOR` is set to something (no-color.org).
    var isOn: Bool {
        switch self {
        case .always: true
        case .never: false
        case .auto:
            StandardOutput.isTerminal && (environment("NO_COLOR") ?? "").isEmpty && environment("TERM") != "dumb"
        }
    }
}

/// A value of the environment; nil when it is not set.
func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
}

/// Puts colours around text, or nothing.
struct Colors {
    enum Color: Int {
        case red = 31
        case green = 32
        case yellow = 33
        case blue = 34
        case magenta = 35
        case cyan = 36
        case bold = 1
        case dim = 2
    }

    var isOn: Bool

    func paint(_ text: String, _ color: Color) -> String {
        isOn && !text.isEmpty ? "\u{1B}[\(color.rawValue)m\(text)\u{1B}[0m" : text
    }
}
