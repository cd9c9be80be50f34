// SPDX-License-Identifier: MIT
import Foundation
import GestureProtocol
import GestureTestSupport
import Testing

/// The parts of the recipes for Yocto and Buildroot that can be checked without these systems.
@Suite("Recipes for other systems")
struct RecipeTests {
    private static let recipe = "packaging/yocto/gestured_\(Version.number).bb"
    private static let makefile = "packaging/buildroot/gestured/gestured.mk"

    private func text(_ path: String) throws -> String {
        try #require(Document(path), "there is no \(path)").text
    }

    /// The values of the recipe's variables. Values that the recipe appends later are left out.
    private func variables() throws -> [String: String] {
        let lines = try text(Self.recipe).replacingOccurrences(of: "\\\n", with: " ").split(separator: "\n")
        var variables: [String: String] = [:]
        for line in lines {
            let parts = line.split(separator: "\"", maxSplits: 1)
            guard parts.count == 2, let name = parts[0].split(separator: " ").first, parts[1].hasSuffix("\"") else {
                continue
            }
            variables[String(name)] = String(parts[1].dropLast())
        }
        return variables
    }

    @Test("the one for Yocto uses the libraries in Package.swift, and has the licences")
    func sources() throws {
        let recipe = try text(Self.recipe)
        for line in try text("Package.swift").split(separator: "\n") where line.contains("library(\"swift-") {
            let words = line.split(separator: "\"")
            let (name, version) = (words[1], words[3])
            #expect(recipe.contains("github.com/apple/\(name).git"))
            #expect(recipe.contains("destsuffix=git/vendor/\(name) "))
            #expect(recipe.contains("\(name) \(version),"), "\(Self.recipe) does not contain \(name) \(version)")
        }
        for file in ["LICENSE", "packaging/THIRD-PARTY.md"] {
            let sum = try Shell.run("md5sum < \(file) | cut -c 1-32").output.dropLast()
            #expect(recipe.contains("file://\(file);md5=\(sum)"), "\(Self.recipe): the sum of \(file) is \(sum)")
        }
    }

    @Test("the one for Yocto puts each installed file into one package")
    func packages() throws {
        let variables = try variables()
        let folders = [
            "${bindir}": "/usr/bin", "${libdir}": "/usr/lib", "${datadir}": "/usr/share", "${sysconfdir}": "/etc",
            "${systemd_system_unitdir}": "/usr/lib/systemd/system",
        ]
        /// BitBake assigns a file to the first package that matches; the last package takes the remaining
        /// files.
        var packages = try [
            "FILES:${PN}-keys", "FILES:${PN}-web", "FILES:${PN}-mqtt", "FILES:${PN}-report", "FILES:${PN}-clients",
            "FILES:${PN}",
        ].map { name in
            var value = try #require(variables[name], "no \(name)")
            for (variable, path) in folders { value = value.replacingOccurrences(of: variable, with: path) }
            return value.split(separator: " ").map(String.init)
        }
        packages.append(["/usr/share/doc", "/usr/share/man"])
        let shells = ["/usr/share/bash-completion", "/usr/share/zsh", "/usr/share/fish"]
        // Without parts, all files of the list are installed.
        #expect(try text(Self.recipe).contains("scripts/install install\n"))
        let listed = try Shell.run("BUILT=/nowhere PREFIX=/usr SYSCONFDIR=/etc scripts/install list").output
        let files = listed.split(separator: "\n").map(String.init)
        #expect(files.count > 60)
        for file in files where !shells.contains(where: file.hasPrefix) {
            let owner = packages.contains { patterns in
                patterns.contains { fnmatch($0, file, 0) == 0 || file.hasPrefix($0 + "/") }
            }
            #expect(owner, "no package of \(Self.recipe) has \(file)")
        }
        // Each pattern must match at least one file.
        for pattern in packages.dropLast().joined() {
            #expect(
                files.contains { fnmatch(pattern, $0, 0) == 0 || $0.hasPrefix(pattern + "/") },
                "\(Self.recipe): \(pattern) matches no file")
        }
    }

    @Test("the one for Buildroot can be read by make, and has the version")
    func buildroot() throws {
        let outcome = try Shell.run(
            """
            printf '%s\\n' 'include \(Self.makefile)' 'all:; @echo "$(GESTURED_VERSION) $(GESTURED_SOURCE)"' | make -s -f - all
            """)
        #expect(outcome.output == "\(Version.number) gestured-\(Version.number).tar.gz\n")
        #expect(outcome.status == 0)
        #expect(try text(Self.makefile).contains("scripts/install install daemon"))
        let known = try Shell.run("scripts/install list daemon").output
        for program in ["gestured", "gesturectl"] { #expect(known.contains("/usr/local/bin/\(program)\n")) }
    }
}
