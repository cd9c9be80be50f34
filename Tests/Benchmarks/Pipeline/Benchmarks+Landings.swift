// SPDX-License-Identifier: MIT
import CLinux
import ContactTracking
import GesturePipeline
import LinuxSystem

/// Plays landings on a panel with `wake`, for `Tests/Benchmarks/landings`.
extension Benchmarks {
    private static let batch = 200

    /// Prints the median time of a landing in microseconds.
    /// - Parameters:
    ///   - kind: what says whether the display is off: `auto`, `file`, or `off` for a panel without `wake`.
    ///   - path: the folder with the lists of displays, or the file.
    static func landings(_ count: Int, _ kind: String, _ path: String) throws {
        var setup = try BenchmarkPanel.setup(#""press""#)
        setup.filter.storm = nil
        if kind != "off" { setup.wake = WakeSettings() }
        let displays = DisplayPower(root: path)
        if kind == "auto" { displays.list() }
        var panel = PanelRun(setup, updates: false, fingers: 1)
        panel.guardWake {
            let isOff = kind == "auto" ? displays.isOff() : (try? DisplayPower.isOff(file: path)) ?? false
            return isOff ? .display : nil
        }
        var (lines, times): (Int, [Int64]) = (0, [])
        for _ in 0..<(count / batch) {
            var total: Int64 = 0
            for _ in 0..<batch {
                let start = linux_clock_us(CLOCK_THREAD_CPUTIME_ID)
                panel.land { _ in lines += 1 }
                total += linux_clock_us(CLOCK_THREAD_CPUTIME_ID) - start
                panel.lift { _ in }
            }
            times.append(total)
        }
        guard lines == count / batch * batch else { throw BenchmarkError("\(lines) touches reached the panel") }
        let hundredths = times.sorted()[times.count / 2] * 100 / Int64(batch)
        write("\(Double(hundredths) / 100)\n")
    }
}
