// SPDX-License-Identifier: MIT
import ContactTracking
import LinuxSystem

/// The display of a panel: what says whether it is off (`display` of `wake`), and what is wrong with that.
final class WakeDisplay {
    private let path: String?
    private let givesUp: Bool
    private let displays: DisplayPower
    private let report: (String) -> Void
    /// The last error that was reported; `nil` if the file could be read since.
    private var error: SystemError?

    /// - Parameters:
    ///   - displays: the kernel's displays, which count if `settings` names no file.
    ///   - report: called with a problem and its cure, once until the problem changes.
    init(_ settings: WakeSettings, _ displays: DisplayPower, report: @escaping (String) -> Void) {
        (path, givesUp) = (settings.display, settings.patience != nil)
        (self.displays, self.report) = (displays, report)
        if path == nil { displays.list() }
    }

    func isOff() -> Bool {
        guard let path else { return displays.isOff() }
        do throws(SystemError) {
            let isOff = try DisplayPower.isOff(file: path)
            error = nil
            return isOff
        } catch {
            if error != self.error { report(DisplayPower.problem(error)) }
            self.error = error
            return false
        }
    }

    /// Reads the file, and returns its problem and the cure; `nil` if it can be read.
    func check() -> String? {
        if path != nil { _ = isOff() }
        return error.map { DisplayPower.problem($0) }
    }

    /// Reports that the display is said to be off although it should have come on, or that this has ended.
    func report(isDark: Bool) {
        report(isDark ? darkProblem : "display of wake: it has come on, so touches wake it again")
    }

    /// The trouble with a display that is said to be off although it should have come on, and its cure.
    var darkProblem: String {
        let (source, cure) =
            path.map { ($0, "let the program that switches the display write on to it") }
            ?? ("the kernel", "if the display is on, name a file that says so")
        let result = givesUp ? "so touches count nevertheless" : "so touches do nothing"
        return "display of wake: \(source) still says off long after a touch, \(result); \(cure)"
    }
}
