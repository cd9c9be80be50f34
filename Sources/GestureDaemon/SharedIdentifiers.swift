// SPDX-License-Identifier: MIT
import GesturePipeline

/// The ids that all panels of the daemon count together.
final class SharedIdentifiers {
    var next = Identifiers()
}
