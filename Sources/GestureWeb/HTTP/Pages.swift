// SPDX-License-Identifier: MIT
#if Web

/// The files that the bridge serves: the inspector, `gestured.js`, and the site's own files.
enum Pages {
    private static let inspector = "/inspector/"
    private static let schema = "config.schema.json"
    /// The folder of the schema relative to the assets, in an installation and in the project's folder.
    private static let schemas = ["/..", "/../config"]
    private static let icon = "inspector/icon.svg"
    private static let modules = ["/gestured.js", "/gestured.d.ts"]
    /// All parts of the inspector are loaded from this origin, except the backgrounds of its drawings, which are blobs.
    /// No page may show the inspector in a frame.
    private static let policy = "default-src 'self'; img-src 'self' blob:; frame-ancestors 'none'; base-uri 'none'"

    static func answer(_ path: String, _ settings: WebSettings) -> Answer {
        if path == "/", let answer = file("inspector/index.html", in: settings.assets, isOwn: true) { return answer }
        if path.hasPrefix(inspector) {
            let name = path == inspector ? path + "index.html" : path
            return file(String(name.dropFirst()), in: settings.assets, isOwn: true) ?? .notFound
        }
        if path == "/schema" {
            return schemas.lazy.compactMap { file(schema, in: settings.assets + $0, isOwn: true) }.first ?? .notFound
        }
        if modules.contains(path) {
            return file(String(path.dropFirst()), in: settings.assets, isOwn: true) ?? .notFound
        }
        let name = path.hasSuffix("/") ? path + "index.html" : path
        if let root = settings.root, let answer = file(String(name.dropFirst()), in: root, isOwn: false) {
            return answer
        }
        // Browsers request this icon for each page that names none.
        if path == "/favicon.ico", let answer = file(icon, in: settings.assets, isOwn: true) { return answer }
        return .notFound
    }

    private static func file(_ path: String, in folder: String, isOwn: Bool) -> Answer? {
        guard let file = ServedFile(path, in: folder) else { return nil }
        return Answer(
            type: ServedFile.type(of: path), body: .file(file),
            headers: isOwn ? [("Content-Security-Policy", policy)] : [])
    }
}
#endif
