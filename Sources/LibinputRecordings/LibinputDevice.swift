// SPDX-License-Identifier: MIT
import ContactTracking
package import GesturePipeline

/// One device of a file of `libinput record`: a recording, and what that file calls it.
package struct LibinputDevice: Hashable, Sendable {
    /// `/dev/input/event4`; empty when the file does not say.
    package var node: String
    package var recording: Recording

    package init(node: String = "", recording: Recording) {
        self.node = node
        self.recording = recording
    }

    /// Whether somebody means it by a word: its node (also without `/dev/input/`), its name, or the id that
    /// the daemon had for it.
    package func isMeant(by word: String) -> Bool {
        node == word || (!node.isEmpty && node == "/dev/input/" + word) || recording.description.name == word
            || recording.device == word
    }

    /// The daemon would use it without being asked to.
    package var isPanel: Bool {
        if case .accepted = Admission.decide(recording.description, matchedByConfiguration: false) {
            true
        } else {
            false
        }
    }
}
