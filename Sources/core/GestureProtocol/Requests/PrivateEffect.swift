// SPDX-License-Identifier: MIT

/// The effect of a request on private regions if a client without the right `private` makes it. `Request.privateEffect`
/// has the answer for each command.
package struct PrivateEffect: Hashable, Sendable {
    package enum Extent: Hashable, Sendable {
        /// Nothing happens to private regions: the request and its reply see a configuration without them.
        case nothing
        /// Private regions do what the files say, whatever the client asks for: scenes list them, profiles have their
        /// times.
        case asFilesSay
        /// The client would decide, so the request is refused while there are private regions.
        case refused
    }

    /// Whether private regions change their places on the glass, are switched on or off, or lose contacts.
    package var moves = Extent.nothing
    /// Whether a reply or a line depends on private regions or on contacts in them.
    package var shows = Extent.nothing
    /// Whether gestures of private regions come later, come under other conditions, or are cancelled.
    package var delays = Extent.nothing

    package init(moves: Extent = .nothing, shows: Extent = .nothing, delays: Extent = .nothing) {
        (self.moves, self.shows, self.delays) = (moves, shows, delays)
    }

    package static let none = Self()

    /// Whether the request needs the right `private` while there are private regions.
    package var isRefused: Bool { [moves, shows, delays].contains(.refused) }
}

extension Request {
    /// The answer to the question that each new command must answer, too.
    package var privateEffect: PrivateEffect {
        switch command {
        // Gestures of private regions go only to clients with the right, but contacts are not filtered by region.
        case .subscribe(let request): request.showsContacts.isEmpty ? .none : PrivateEffect(shows: .refused)
        // The slots contain the last positions of contacts.
        case .describe: PrivateEffect(shows: .refused)
        // Contacts in private regions are never counted.
        case .touchMap: .none
        // The replies are made from `Configuration.view(seesPrivate:)` and the counters of the open side (`Sides`).
        case .status, .clients, .devices, .regions, .state, .ping, .at, .counts: .none
        // A region may be removed or moved by its file only, and what is the same as before goes on.
        case .reload: PrivateEffect(moves: .asFilesSay, delays: .asFilesSay)
        // Globs match only the regions of the view. `RuntimeChanges.privateSwitchedOff` keeps private regions on.
        case .cancel, .setRegion: .none
        // The scene of an idle time ends as it does with a touch.
        case .activity: PrivateEffect(moves: .asFilesSay, delays: .asFilesSay)
        // A private region is on in the scenes that list it. What is under way in it is cancelled if it goes off.
        case .setScene: PrivateEffect(moves: .asFilesSay, delays: .asFilesSay)
        // The times and distances of a profile hold for all regions.
        case .setProfile: PrivateEffect(delays: .asFilesSay)
        // Another rotation or size takes private regions away from their picture.
        case .setOutput: PrivateEffect(moves: .refused, delays: .refused)
        // The regions yield to private ones (`Region.yields`), and cannot be parents of private ones.
        case .defineRegions, .putRegion, .removeRegion: .none
        }
    }
}
