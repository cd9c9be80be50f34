// SPDX-License-Identifier: MIT
import GestureEngine

/// A transition of a gesture as a line of a debug log.
enum TransitionText {
    /// `panel: region list, contact 3: tap: possible → failed, moved 5.4 mm > 3 mm`
    ///
    /// Of a private region only the kind of the gesture and its states are written: names and numbers might tell
    /// which key was touched.
    static func text(_ transition: GestureTransition, _ setup: PanelSetup) -> String {
        let region = setup.regions[transition.region]
        let gesture = region.gestures[transition.gesture]
        let place = region.isPrivate ? "a private region" : "region \(region.id)"
        let contact = transition.contact.map { ", contact \($0.rawValue)" } ?? ""
        let name = region.isPrivate ? gesture.word : gesture.name
        let states = "\(transition.from.rawValue) → \(transition.to.rawValue)"
        let reason = region.isPrivate ? nil : transition.failure.map { FailureWording($0.code).comparison($0) }
        return "\(setup.device): \(place)\(contact): \(name): \(states)\(reason.map { ", " + $0 } ?? "")"
    }
}
