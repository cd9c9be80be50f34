// SPDX-License-Identifier: MIT

/// State that must outlive the object that has it: somebody could otherwise shed it by switching a scene, unplugging a
/// panel, hanging up or crashing the daemon.
///
/// This is the only list of what outlives what. Whatever counts, locks, limits or is kept in a file gets a case here, and
/// `LastingTests` plays each ending with each case.
enum Lasting: CaseIterable {
    /// The wrong steps and the lockout of a pattern, for each panel. They last until they are forgotten
    /// (`WrongSteps.end`). `PatternWatch` keeps them for regions, `PanelMemories` for panels and processes.
    case wrongSteps
    /// A storm of ghost touches, for each panel. It lasts until `quiet`. `PanelMemories` keeps it.
    case storm
    /// A panel that five fingers have given back to applications. It stays so until a client sets a scene, or
    /// somebody reloads the configuration, restarts the daemon or plugs the panel in again. `PanelMemories` keeps it.
    case givenBack
    /// The requests that a connection may send. They last until its burst is full again, after two seconds. `PastRates`
    /// keeps them for the user.
    case requestRate
    /// The end of a scene's time. `RuntimeChanges` keeps it.
    case sceneTime
    /// The contacts that a panel has reported. They last as long as it is plugged in.
    case contacts
    /// The starts of daemons that have crashed. They last for 30 s.
    case crashes
    /// After too many crashes, no panel is shared. This lasts until somebody runs `gesturectl share --enable`.
    case sharingLock
    /// The outputs that clients have set. They last until they are reset.
    case outputs
    /// The configuration files that were last accepted. They last until others are accepted.
    case configuration

    /// The file in which it waits for the next process; `nil` if it does not last so long.
    var file: KeptFile.Name? {
        switch self {
        case .wrongSteps, .givenBack: .panels
        case .storm, .requestRate: nil
        case .sceneTime: .scene
        case .contacts: .contacts
        case .crashes: .starts
        case .sharingLock: .off
        case .outputs: .outputs
        case .configuration: .configuration
        }
    }

    /// The end of an object, after which it or another one takes its place.
    enum Ending: CaseIterable {
        /// Another scene, or the scene of an idle time, hides the region, and the former scene comes back.
        case scene
        /// A client switches the region off and on.
        case regionSwitch
        /// A client removes the region, and defines it again.
        case definition
        case profile
        /// The panel is mapped to another output.
        case output
        case reload
        /// The panel is opened again, because its axes or udev's properties have changed, or reading has failed.
        case reopening
        /// The panel is unplugged and plugged in.
        case replug
        case sleep
        /// The client hangs up, and connects again.
        case hangup
        /// The daemon crashes, and systemd starts the next one.
        case crash
        /// The daemon is restarted in order.
        case restart
        case boot
    }

    /// States of a boot do not outlive the end of the service (`systemctl stop`) either.
    func outlives(_ ending: Ending) -> Bool {
        guard ending != .boot else { return file?.isOfBoot == false }
        return switch self {
        case .wrongSteps, .sharingLock, .configuration: true
        // In the next process, a storm is noticed after as many ghost touches as a second may have.
        case .storm: ending != .crash && ending != .restart
        case .givenBack: ending != .scene && ending != .reload && ending != .replug && ending != .restart
        // The next process has other connections.
        case .requestRate: ending != .crash && ending != .restart
        // A client that sets a scene ends the time of the former one.
        case .sceneTime: ending != .scene
        case .contacts: ending != .replug
        // A daemon that ends in order has not crashed.
        case .crashes: ending != .restart
        case .outputs: ending != .output
        }
    }
}
