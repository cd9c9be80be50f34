// SPDX-License-Identifier: MIT
import GestureEngine

/// Formats a transition of a gesture for the debug log.
enum TransitionText {
    /// `panel: region list, contact 3: tap: possible → failed, moved 5.4 mm > 3 mm`
    static func text(_ transition: GestureTransition, _ setup: PanelSetup) -> String {
        let region = setup.regions[transition.region]
        let gesture = region.gestures[transition.gesture]
        let contact = transition.contact.map { ", contact \($0.number)" } ?? ""
        let states = "\(transition.from.rawValue) → \(transition.to.rawValue)"
        let reason = transition.failure.map { FailureWording($0.code).comparison($0) }
        return
            "\(setup.device): region \(region.name)\(contact): \(gesture.name): \(states)\(reason.map { ", " + $0 } ?? "")"
    }
}
