// SPDX-License-Identifier: MIT
import Foundation
import Glibc

/// The paths of the package and of the programs that were built together with the tests.
package enum BuildProducts {
    /// The package's folder.
    package static var root: String { folder.path }

    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// The path of a program that was built together with the tests, such as `gestured`.
    package static func program(_ name: String) -> String {
        let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") }.map { URL(fileURLWithPath: $0) }
        let products = bundle?.deletingLastPathComponent() ?? folder.appendingPathComponent(".build/debug")
        return products.appendingPathComponent(name).path
    }

    /// The path of the fake panel. It is built with `cc` if it is missing or older than its sources; a lock keeps two
    /// processes from building it at the same time.
    package static func fakePanel() throws -> String { try fakePanelBuild.get() }

    /// The path of the library that fakes a machine; it is built like the fake panel.
    package static func fakeMachine() throws -> String { try fakeMachineBuild.get() }

    /// The path of the program with many clients; it is built like the fake panel.
    package static func crowd() throws -> String { try crowdBuild.get() }

    /// The path of the library that makes system calls fail; it is built like the fake panel.
    package static func faults() throws -> String { try faultsBuild.get() }

    private static let fakePanelBuild = Result<String, any Error> {
        try build("FakePanel", to: ".build/fakepanel")
    }

    private static let fakeMachineBuild = Result<String, any Error> {
        try build("FakeMachine", to: ".build/machine.so")
    }

    private static let crowdBuild = Result<String, any Error> { try build("Crowd", to: ".build/crowd") }

    private static let faultsBuild = Result<String, any Error> {
        try build("FaultInjection", to: ".build/faults.so")
    }

    /// Builds the C sources in a folder of `Tests/Tools`, unless the output is newer than all of them.
    private static func build(_ name: String, to output: String) throws -> String {
        let product = folder.appendingPathComponent(output)
        let lock = open(product.path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        defer { close(lock) }
        guard lock >= 0, flock(lock, LOCK_EX) == 0 else { throw TestFailure("cannot lock \(product.path).lock") }
        let tools = folder.appendingPathComponent("Tests/Tools")
        let script = tools.appendingPathComponent("build")
        let sources = try FileManager.default.contentsOfDirectory(
            at: tools.appendingPathComponent(name), includingPropertiesForKeys: nil)
        if try !(sources + [script]).allSatisfy({ try changed($0) < changed(product) }) {
            let build = try ChildProcess.run([script.path, name, product.path])
            guard build.status == 0 else { throw TestFailure("\(name) does not build: \(build.errors)") }
        }
        return product.path
    }

    private static func changed(_ file: URL) throws -> Date {
        guard FileManager.default.fileExists(atPath: file.path) else { return .distantPast }
        let date = try FileManager.default.attributesOfItem(atPath: file.path)[.modificationDate]
        return date as? Date ?? .distantPast
    }
}
