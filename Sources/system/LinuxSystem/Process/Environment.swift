// SPDX-License-Identifier: MIT
import CLinux

/// The process's environment variables.
package enum Environment {
    /// Returns the value of a variable; `nil` if it is not set. Invalid UTF-8 is repaired.
    package static func value(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    /// Whether this process runs in a container. podman sets this variable, and so does the image in packaging.
    package static var isContainer: Bool { value("container") != nil }

    /// Returns the folder with this name among the folders of the unit's `RuntimeDirectory=`. If there is none with
    /// this name, returns the first folder.
    package static func runtimeFolder(_ name: String) -> String? {
        let folders = (value("RUNTIME_DIRECTORY") ?? "").split(separator: ":").map(String.init)
        return folders.first { $0.hasSuffix("/" + name) } ?? folders.first
    }
}
