// SPDX-License-Identifier: MIT

/// The name by which a command line refers to a device: its id in the daemon, its node, or the name that it reports.
package enum DeviceName {
    /// - Parameters:
    ///   - name: the text on the command line.
    ///   - id: the id in the daemon; `nil` if it is unknown.
    ///   - node: the path, such as `/dev/input/event4`; `event4` is enough in `name`. Empty if it is unknown.
    ///   - reported: the name that the device reports.
    package static func matches(_ name: String, id: String?, node: String, reported: String) -> Bool {
        id == name || reported == name || (!node.isEmpty && (node == name || node == "/dev/input/" + name))
    }
}
