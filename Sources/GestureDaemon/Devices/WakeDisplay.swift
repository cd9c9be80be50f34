// SPDX-License-Identifier: MIT
import LinuxSystem

/// The file that says whether the display of a panel is off (`display` of `wake`).
final class WakeDisplay {
    private let path: String
    private let report: (String) -> Void
    /// The last error that was reported; `nil` if the file could be read since.
    private var error: SystemError?

    /// - Parameter report: called with a problem of the file and its cure, once until the problem changes.
    init(_ path: String, report: @escaping (String) -> Void) { (self.path, self.report) = (path, report) }

    /// Reads the file.
    func isOff() -> Bool {
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
        _ = isOff()
        return error.map { DisplayPower.problem($0) }
    }
}
