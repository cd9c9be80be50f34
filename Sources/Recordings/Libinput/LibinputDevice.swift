// SPDX-License-Identifier: MIT
import ContactTracking

/// One device of a file of `libinput record`.
package struct LibinputDevice: Hashable, Sendable {
    /// `/dev/input/event4`; empty when the file does not say.
    package var node: String
    package var recording: Recording

    package init(node: String = "", recording: Recording) {
        self.node = node
        self.recording = recording
    }

    /// Whether `name` is its node (also without `/dev/input/`), its name, or the id that the daemon had for it.
    package func isNamed(_ name: String) -> Bool {
        node == name || (!node.isEmpty && node == "/dev/input/" + name) || recording.description.name == name
            || recording.device == name
    }

    /// Whether the daemon uses it without a `[[device]]` that matches it.
    package var isPanel: Bool {
        let admission = Admission.decide(recording.description, matchedByConfiguration: false)
        return if case .accepted = admission { true } else { false }
    }
}
