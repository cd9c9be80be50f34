// SPDX-License-Identifier: MIT
import CLinux

/// Reads whether the displays of this machine are off.
///
/// The displays are listed in advance, and their files in sysfs stay open, because the kernel produces the contents of such
/// a file anew for each read at its start. If the display that was on last is still on and no backlight belongs to it, the
/// answer takes one read.
package final class DisplayPower {
    private let root: String
    /// The power states of the connected displays. The display that was on last comes first.
    private var displays: [DisplayFile] = []
    private var backlights: [(power: DisplayFile?, brightness: DisplayFile?)] = []
    private var isListed = false
    /// Whether a file could not be read, which is the case after its display was unplugged.
    private var hasFailed = false

    /// - Parameter root: the folder with the kernel's lists `drm` and `backlight`.
    package init(root: String = "/sys/class") { self.root = root }

    /// Lists the displays that are connected now.
    package func list() {
        isListed = true
        (displays, backlights) = ([], [])
        displays = folders(in: "drm").filter { DisplayFile($0 + "/status").flatMap(word) == "connected" }
            .compactMap { DisplayFile($0 + "/dpms") }
        backlights = folders(in: "backlight").map {
            (DisplayFile($0 + "/bl_power"), DisplayFile($0 + "/actual_brightness"))
        }
    }

    /// Lists the displays again, if they have been listed before. Call this after a display was plugged in or unplugged.
    package func displaysChanged() {
        if isListed { list() }
    }

    /// Whether every listed display is off; `false` if there is none.
    package func isOff() -> Bool {
        hasFailed = false
        let isOff = areListedOff()
        guard hasFailed else { return isOff }
        list()
        return areListedOff()
    }

    private func areListedOff() -> Bool {
        var isKnown = false
        let lit = displays.firstIndex { display in
            guard let power = word(display) else { return false }
            isKnown = true
            return power == "on"
        }
        if let lit { displays.swapAt(0, lit) } else if isKnown { return true }
        // A backlight belongs to a built-in display. With several displays, another one may be on.
        return displays.count <= 1 && !backlights.isEmpty
            && backlights.allSatisfy { isDark($0.power, $0.brightness) }
    }

    /// Whether a backlight is switched off (`bl_power` has values of the kernel's `FB_BLANK`), or dimmed to nothing.
    private func isDark(_ power: DisplayFile?, _ brightness: DisplayFile?) -> Bool {
        if let power = power.flatMap(word), power != "0" { return true }
        return brightness.flatMap(word) == "0"
    }

    private func word(_ file: DisplayFile) -> String? {
        do throws(SystemError) {
            return try file.word()
        } catch {
            hasFailed = true
            return nil
        }
    }

    private func folders(in list: String) -> [String] {
        var result: [String] = []
        try? forEachName(in: "\(root)/\(list)") { name in
            let name = String(cString: name)
            if !name.hasPrefix(".") { result.append("\(root)/\(list)/\(name)") }
        }
        return result
    }
}

extension DisplayPower {
    /// Whether a file contains `0` or `off`. It is opened for each call, because it may be replaced by another file.
    package static func isOff(file: String) throws(SystemError) -> Bool {
        let word = try DisplayFile(opening: file).word()
        return word == "0" || word == "off"
    }

    /// Returns what is wrong with a file, and what to do; `nil` if `isOff(file:)` can read it.
    /// - Parameters:
    ///   - setting: what names the file.
    ///   - isReader: whether the process is the program that reads it. The rights of others say nothing about it.
    package static func problem(file: String, of setting: String = "wake", isReader: Bool = true) -> String? {
        do throws(SystemError) {
            _ = try isOff(file: file)
            return nil
        } catch {
            return !isReader && [EACCES, EPERM].contains(error.code) ? nil : problem(error, of: setting)
        }
    }

    /// Returns what is wrong with a file that `isOff(file:)` cannot read, and what to do.
    package static func problem(_ error: SystemError, of setting: String = "wake") -> String {
        let cure =
            switch error.code {
            case EACCES, EPERM: "let the user of the service read it"
            case ENOENT, ENOTDIR: "let the program that switches the display write on or off to it, or correct the path"
            default: "name a file that contains on or off"
            }
        return "display of \(setting): \(error), so the display counts as on; \(cure)"
    }
}

/// An open file that contains one word.
private final class DisplayFile {
    private static let longest = 64
    private let descriptor: OwnedDescriptor
    private let path: String

    /// Opens a file without waiting.
    init(opening path: String) throws(SystemError) {
        self.path = path
        descriptor = try OwnedDescriptor(opening: path, flags: O_RDONLY | O_NONBLOCK)
    }

    /// - Returns: `nil` if the file cannot be opened.
    convenience init?(_ path: String) { try? self.init(opening: path) }

    /// Reads the file with one system call.
    /// - Returns: the word in lower case; `nil` if there is no word or more than one.
    func word() throws(SystemError) -> String? {
        var word: String?
        let count = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.longest) { bytes in
            let count = pread(descriptor.rawValue, bytes.baseAddress, bytes.count, 0)
            if count > 0, count < bytes.count { word = Self.word(in: bytes[..<count]) }
            return count
        }
        if count < 0 { throw .last("read", path: path) }
        return word
    }

    private static func word(in bytes: Slice<UnsafeMutableBufferPointer<UInt8>>) -> String? {
        let text = bytes.drop(while: isSpace)
        let word = text.prefix { !isSpace($0) }
        guard !word.isEmpty, text[word.endIndex...].allSatisfy(isSpace) else { return nil }
        return String(decoding: word, as: UTF8.self).lowercased()
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
