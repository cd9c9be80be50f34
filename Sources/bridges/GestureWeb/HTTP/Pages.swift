// SPDX-License-Identifier: MIT
#if Web
import BridgeProgram

/// The files that the bridge serves: its own pages, `gestured.js`, and the site's own files.
enum Pages {
    /// The bridge's own pages, and the folders of their files among the assets.
    private static let own = ["/": "inspector", "/calibrate": "calibrate"]
    private static let schema = "config.schema.json"
    /// The folder of the schema relative to the assets, in an installation and in the project's folder.
    private static let schemas = ["/..", "/../../config"]
    private static let icon = "inspector/icon.svg"
    private static let modules = ["/gestured.js", "/gestured.d.ts"]
    /// All parts of these pages are loaded from this origin, except the backgrounds of the inspector's drawings, which
    /// are blobs. No page may show them in a frame.
    private static let policy = "default-src 'self'; img-src 'self' blob:; frame-ancestors 'none'; base-uri 'none'"

    static func answer(_ path: String, _ settings: WebSettings) -> Answer {
        if let folder = own[path], let answer = file(folder + "/index.html", in: settings.assets, isOwn: true) {
            return answer
        }
        if own.values.contains(where: { path.hasPrefix("/\($0)/") }) {
            let name = path.hasSuffix("/") ? path + "index.html" : path
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
