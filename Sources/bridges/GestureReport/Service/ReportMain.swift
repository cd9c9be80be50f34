// SPDX-License-Identifier: MIT
import BridgeProgram
import CLinux
import GestureProtocol
import LinuxSystem
import LocalDatabase

/// The entry point of the program `gestured-report`.
package enum ReportMain {
    /// The exit status if the database cannot be read.
    private static let noInput: CInt = 66

    /// - Parameter arguments: the arguments without the program's name.
    package static func run(_ arguments: [String]) -> CInt {
        ReportOptions.run(arguments) { options, settings in
            if options.forgets { return forget(settings) }
            if let form = options.form { return print(form, days: options.days, settings) }
            // With these settings, memory that SQLite frees is returned to the kernel.
            linux_share_heap()
            linux_map_large_memory()
            return BridgeLoop<ReportOptions, ReportService>.run(options, settings)
        }
    }

    private static func forget(_ settings: ReportSettings) -> CInt {
        do throws(SQLiteError) {
            try ReportFile.forget(settings.database)
            StandardStream.output.write(
                "everything was forgotten; a running service forgets its open quarter of an hour within a minute\n")
            return ExitStatus.ok
        } catch {
            return fail(settings, error)
        }
    }

    private static func print(_ form: ReportOptions.Form, days: Int, _ settings: ReportSettings) -> CInt {
        let today = LocalDay(number: ReportClock.now().quarter.day)
        do throws(SQLiteError) {
            let reader = try ReportReader(path: settings.database)
            let data = try reader.read(from: LocalDay(number: today.number - Int64(days) + 1), through: today)
            let bytes = ReportOutput(data, GlassHealth(try reader.history(of: today))).bytes(form)
            try? LinuxSystem.write(all: bytes, to: STDOUT_FILENO)
            return ExitStatus.ok
        } catch {
            return fail(settings, error)
        }
    }

    private static func fail(_ settings: ReportSettings, _ error: SQLiteError) -> CInt {
        var status = stat()
        let remedy: String
        if stat(settings.database, &status) == 0 {
            remedy = error.isDamage ? "; start gestured-report, which puts a damaged file aside" : ""
        } else if linux_errno() == EACCES {
            remedy = "; run this as root"
        } else {
            remedy = "; nothing was counted yet: systemctl enable --now gestured-report"
        }
        ReportOptions.log("\(settings.database): \(error)\(remedy)")
        return noInput
    }
}
