// SPDX-License-Identifier: MIT

/// Collects everything that is wrong with a set of files.
final class Report {
    private let files: [SourceFile]
    private var found: [(file: Int, diagnostic: Diagnostic)] = []
    private var toldOnce: Set<String> = []

    init(files: [SourceFile]) {
        self.files = files
    }

    private(set) var hasErrors = false

    /// In the order of the files and of their text.
    var diagnostics: [Diagnostic] {
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

    /// Says once, at the first place, that this version reads something and does nothing with it.
    func unsupported(_ what: String, at region: TextRegion) {
        guard toldOnce.insert(what).inserted else { return }
        warning(.unsupported, "\(what) is not supported by this version and is ignored", at: region)
    }

    func place(_ region: TextRegion) -> Place {
        files.indices.contains(region.file) ? files[region.file].place(region) : Place(file: "")
    }

    private func add(
        _ severity: Diagnostic.Severity, _ code: DiagnosticCode, _ message: String, _ suggestion: String?,
        _ region: TextRegion
    ) {
        let diagnostic = Diagnostic(
            severity: severity, code: code, message: message, suggestion: suggestion, place: place(region))
        found.append((region.file, diagnostic))
    }
}
