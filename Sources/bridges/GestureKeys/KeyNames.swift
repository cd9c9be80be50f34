// SPDX-License-Identifier: MIT
import CEvdev
import GestureProtocol

/// The names of keys: those of `linux/input-event-codes.h` in lower case without `KEY_`.
package enum KeyNames {
    private static let prefix = "KEY_"
    /// Words for keys that other programs use.
    private static let others = [
        "escape": "esc", "return": "enter", "ctrl": "leftctrl", "ctl": "leftctrl", "control": "leftctrl",
        "alt": "leftalt", "shift": "leftshift", "super": "leftmeta", "win": "leftmeta", "windows": "leftmeta",
        "cmd": "leftmeta", "command": "leftmeta", "meta": "leftmeta", "altgr": "rightalt", "control_l": "leftctrl",
        "control_r": "rightctrl", "alt_l": "leftalt", "alt_r": "rightalt", "shift_l": "leftshift",
        "shift_r": "rightshift", "super_l": "leftmeta", "super_r": "rightmeta", "lctrl": "leftctrl",
        "rctrl": "rightctrl", "lalt": "leftalt", "ralt": "rightalt", "lshift": "leftshift", "rshift": "rightshift",
        "arrowleft": "left", "arrowright": "right", "arrowup": "up", "arrowdown": "down", "spacebar": "space",
        " ": "space", "-": "minus", "=": "equal", ",": "comma", ".": "dot", "/": "slash", ";": "semicolon",
        "del": "delete", "ins": "insert", "pgup": "pageup", "pgdn": "pagedown", "prior": "pageup",
        "bksp": "backspace", "prtsc": "sysrq", "plus": "kpplus",
    ]

    /// The words of other programs, for tests.
    static var otherWords: [String] { others.keys.sorted() }

    /// - Returns: the kernel's code; `nil` if there is no key with this name.
    package static func code(of name: String) -> UInt16? {
        guard !name.isEmpty, name.utf8.allSatisfy(isAllowed) else { return nil }
        let code = libevdev_event_code_from_name(UInt32(EV_KEY), prefix + name.uppercased())
        // `KEY_RESERVED` is not a key, and `KEY_MAX` is a limit.
        guard code > KEY_RESERVED, code < KEY_MAX else { return nil }
        return UInt16(code)
    }

    /// - Returns: the name that was probably meant; `nil` if there is none.
    static func suggestion(for word: String) -> String? {
        let lower = word.lowercased()
        let bare = lower.hasPrefix("key_") ? String(lower.dropFirst(prefix.utf8.count)) : lower
        if let known = known(bare) ?? known(bare.filter { $0 != "-" }) { return known }
        // Other programs join keys with a hyphen.
        let parts = bare.split(separator: "-", omittingEmptySubsequences: false).map { known(String($0)) }
        if parts.count > 1, !parts.contains(nil) { return parts.compactMap { $0 }.joined(separator: "+") }
        return Spelling.nearest(to: bare, among: all, ignoringCase: true)
    }

    /// Returns the name of a key, given in lower case by this name or by a word of other programs.
    private static func known(_ word: String) -> String? { others[word] ?? (code(of: word) == nil ? nil : word) }

    private static var all: [String] {
        (1..<UInt32(KEY_MAX)).compactMap { code in
            guard let name = libevdev_event_code_get_name(UInt32(EV_KEY), code) else { return nil }
            let text = String(cString: name)
            return text.hasPrefix(prefix) ? text.dropFirst(prefix.utf8.count).lowercased() : nil
        }
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): true
        default: false
        }
    }
}
