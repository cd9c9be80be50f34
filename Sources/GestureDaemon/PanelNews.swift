// SPDX-License-Identifier: MIT
import CLinux

/// What a panel finds out by itself, for the daemon to act on or to log.
enum PanelNews: Hashable, Sendable {
    /// It cannot be read any more, and is stopped.
    case lost
    /// Its axes are others than when it was opened, and it is stopped.
    case otherAxes
    /// The daemon has it alone from now on.
    case grabbed
    /// Five fingers have rested on it: everybody gets its touches again.
    case givenBack
    /// Another process has grabbed it: nothing comes from it until that process lets go.
    case grabbedElsewhere
    /// A deadline was fired and is still there.
    case stuckDeadline
    /// `EVIOCGRAB` failed.
    case cannotGrab(errno: CInt)
}
