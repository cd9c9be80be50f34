// SPDX-License-Identifier: MIT

/// Collects everything that is wrong with a set of files.
final class Report {
    /// Nobody reads more, and a broken file of a megabyte may have a mistake in every line.
    private static let most = 1000

    private let files: [SourceFile]
    private var found: [(file: Int, diagnostic: Diagnostic)] = []
    private var untold = 0

    init(files: [SourceFile]) {
        self.files = files
    }

    private(set) var hasErrors = false

    /// In the order of the files and of their text; at the end, how many there are beyond a thousand.
    var diagnostics: [Diagnostic] {
        let listed = sorted
        guard untold > 0, let last = listed.last else { return listed }
        let rest = Diagnostic(
            severity: hasErrors ? .error : .warning, code: .more, message: "and \(untold) more",
            place: Place(file: last.file))
        return listed + [rest]
    }

    private var sorted: [Diagnostic] {
        // Sorting is stable.
        found.sorted { a, b in
            (a.file, a.diagnostic.line, a.diagnostic.column) < (b.file, b.diagnostic.line, b.diagnostic.column)
        }
        .map { $0.diagnostic }
    }

    func error(_ code: DiagnosticCode, _ message: String, suggestion: String? = nil, at region: TextRegion) {
        hasErrors = true
        add(.error, code, message, suggestion, region)
    }

    func warning(_ code: DiagnosticCode, _ message: String, suggestion: String? = nil, at region: TextRegion) {
        add(.warning, code, message, suggestion, region)
    }

    func place(_ region: TextRegion) -> Place {
        files.indices.contains(region.file) ? files[region.file].place(region) : Place(file: "")
    }

    /// Where the file of a place begins, if it is one of these.
    func start(of place: Place) -> TextRegion {
        TextRegion(file: files.firstIndex { $0.path == place.file } ?? -1, line: 1, column: 1)
    }

    private func add(
        _ severity: Diagnostic.Severity, _ code: DiagnosticCode, _ message: String, _ suggestion: String?,
        _ region: TextRegion
    ) {
        guard found.count < Self.most else {
            untold += 1
            return
        }
        let diagnostic = Diagnostic(
            severity: severity, code: code, message: message, suggestion: suggestion, place: place(region))
        found.append((region.file, diagnostic))
    }
}
