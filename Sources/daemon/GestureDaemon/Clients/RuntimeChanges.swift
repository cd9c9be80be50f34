// SPDX-License-Identifier: MIT
import ContactTracking
import GestureConfiguration
import GestureProtocol
import LinuxSystem

/// The changes that clients have made since the start: the scene, the regions switched off, and the regions defined. The
/// outputs may come from an earlier process.
///
/// Each connection may lease one set of regions. In addition, the clients with the right to control share one set
/// without a lease. A definition replaces its whole set.
struct RuntimeChanges: Hashable, Sendable {
    /// The maximum number of regions that clients may define. It is more than fits on any screen.
    static let mostDefinitions = 2000

    struct Lease: Hashable, Sendable {
        var connection: Int64
        /// The uid of the connection.
        var user: UInt32
        var rules: [RegionRule] = []
        /// The ids of the leased regions that the user has switched off.
        var switchedOff: Set<String> = []
    }

    struct ProfileChoice: Hashable, Sendable {
        /// The connection with which the choice ends; `nil` if it stays.
        var connection: Int64?
        var profile: String
    }

    /// The limited time for which a scene was set.
    struct SceneTime: Hashable, Sendable {
        /// The scene that comes back at the end.
        var former: String
        /// The end in microseconds of the monotonic clock.
        var end: Int64
    }

    /// The scene chosen by clients, or else `startScene`.
    var scene = RuntimeState.defaultScene
    /// The scene of `[daemon]`. While `scene` is this one, no client's choice is in force, so it follows the files.
    var startScene = RuntimeState.defaultScene
    /// The time of `scene`; `nil` if it is not limited.
    var sceneTime: SceneTime?
    /// The scene that replaces `scene` while no panel is touched.
    var idleScene: String?
    /// The profiles that clients have set: one of each connection with a lease, and one without. The last one is in force.
    var profiles: [ProfileChoice] = []
    /// Regions switched off by clients with the right to control.
    var switchedOff: Set<String> = []
    /// Regions switched off by clients that have the right to control and see private regions. For private regions,
    /// only this set applies.
    var privateSwitchedOff: Set<String> = []
    /// Regions defined without a lease. They stay when their connection ends.
    var lasting: [RegionRule] = []
    /// The leases, in the order of their first definitions.
    var leases: [Lease] = []
    /// The outputs of panels, as in `RuntimeState`.
    var outputs: [String: OutputChange] = [:]

    var currentScene: String { idleScene ?? scene }
    var profile: String { profiles.last?.profile ?? RuntimeState.defaultProfile }
    /// The end of the current scene's time; `nil` if the time is not limited.
    var currentSceneEnd: Int64? { idleScene == nil ? sceneTime?.end : nil }

    /// Whether clients see the same scene as with other changes, with the same time.
    func showsSameScene(as other: Self) -> Bool {
        currentScene == other.currentScene && currentSceneEnd == other.currentSceneEnd
    }

    /// Returns a warning if a new configuration lacks the profile in force. The parameters are those of `lostScene`.
    func lostProfile(since before: Self, file: String) -> Diagnostic? {
        guard profile != before.profile else { return nil }
        let message = "profile \"\(before.profile)\" no longer exists; switched to \"\(profile)\""
        return Diagnostic(severity: .warning, code: .unmatched, message: message, at: SourceLocation(file: file))
    }

    /// Returns a warning if a new configuration lacks the scene that clients had chosen, or if that scene keeps another
    /// scene of `[daemon]` from being used.
    /// - Parameters:
    ///   - before: the changes before they were adapted to the new configuration.
    ///   - file: the file that the warning names.
    func sceneWarning(since before: Self, file: String) -> Diagnostic? {
        let (message, code): (String, DiagnosticCode)
        if scene != before.scene, before.scene != before.startScene || before.sceneTime != nil {
            let time = before.sceneTime == nil ? "" : ", so its time has ended"
            let suffix = scene == RuntimeState.defaultScene ? ": all regions are on" : ""
            message = "scene \"\(before.scene)\" no longer exists\(time); switched to \"\(scene)\"\(suffix)"
            code = .unmatched
        } else if startScene != before.startScene, scene != startScene {
            let next = sceneTime.map { "until its time has ended and \"\($0.former)\" follows" }
            message =
                "scene of [daemon] is now \"\(startScene)\", but \"\(scene)\" stays \(next ?? "because a client has set it"); "
                + "to switch now, run gesturectl scene \(startScene)"
            code = .noEffect
        } else {
            return nil
        }
        return Diagnostic(severity: .warning, code: code, message: message, at: SourceLocation(file: file))
    }

    /// Puts a profile in force.
    /// - Parameter connection: the connection with which this ends; `nil` if it stays.
    mutating func setProfile(_ profile: String, of connection: Int64?) {
        profiles.removeAll { $0.connection == connection }
        profiles.append(ProfileChoice(connection: connection, profile: profile))
    }

    /// Switches to a scene.
    /// - Parameter end: the time at which the scene that was last set without a limit comes back.
    mutating func setScene(_ scene: String, until end: Int64?) {
        let former = sceneTime?.former ?? self.scene
        sceneTime = end.map { SceneTime(former: former, end: $0) }
        self.scene = scene
        idleScene = nil
    }

    /// Switches back to the former scene. The scene of an idle time stays.
    mutating func endSceneTime() {
        scene = sceneTime?.former ?? scene
        sceneTime = nil
    }

    /// Writes the current scene, what is left of its time, and the profile. Milliseconds are rounded up, so that 0 means
    /// that the time has ended.
    /// - Parameter namesDefault: whether the profile is also written if it is `default`.
    func writeScene(into json: inout JSONWriter, namesDefault: Bool = false) {
        json.member("scene", currentScene)
        if let end = currentSceneEnd {
            json.member("scene_for_ms", (max(0, end - MonotonicClock.now()) + 999) / 1000)
        }
        if namesDefault || profile != RuntimeState.defaultProfile { json.member("profile", profile) }
    }

    /// The changes in a form that can be applied to a configuration.
    var state: RuntimeState {
        var state = RuntimeState()
        state.scene = currentScene
        state.profile = profile
        let leased = leases.reduce(into: Set()) { $0.formUnion($1.switchedOff) }
        state.switchedOff = switchedOff.union(leased)
        state.privateSwitchedOff = privateSwitchedOff.union(leased)
        state.definitions = lasting
        state.outputs = outputs
        for lease in leases { state.definitions += lease.rules }
        return state
    }

    /// The regions that a connection has leased. For `nil`, the regions without a lease.
    func rules(of connection: Int64?) -> [RegionRule] {
        guard let connection else { return lasting }
        return leases.first { $0.connection == connection }?.rules ?? []
    }

    /// Replaces a set of regions.
    /// - Parameter lease: the owner of the set; `nil` for the set without a lease.
    mutating func define(_ rules: [RegionRule], lease: Lease?) {
        guard var lease else {
            lasting = rules
            return
        }
        if let index = leases.firstIndex(where: { $0.connection == lease.connection }) {
            leases[index].rules = rules
        } else {
            lease.rules = rules
            leases.append(lease)
        }
        leases.removeAll { $0.rules.isEmpty }
    }

    /// The regions of a set that a client may replace. A client without access to private regions may replace only
    /// regions defined by such clients, so that it cannot move a region that lies inside another user's region.
    func rules(of connection: Int64?, seesPrivate: Bool) -> [RegionRule] {
        let rules = rules(of: connection)
        return seesPrivate ? rules : rules.filter { $0.isOutsider }
    }

    /// Replaces the regions of a set that a client may replace.
    mutating func define(_ rules: [RegionRule], lease: Lease?, seesPrivate: Bool) {
        let kept = seesPrivate ? [] : self.rules(of: lease?.connection).filter { !$0.isOutsider }
        define(kept + rules, lease: lease)
    }

    /// Returns a copy in which one set contains these regions, adapted to the configuration files.
    func defining(_ rules: [RegionRule], lease: Lease?, seesPrivate: Bool, files: Configuration) -> Self {
        var changes = self
        changes.define(rules, lease: lease, seesPrivate: seesPrivate)
        changes.adapt(to: files)
        return changes
    }

    /// Removes the leases of these connections, including their regions and switches.
    mutating func endLeases(of connections: some Collection<Int64>) {
        leases.removeAll { connections.contains($0.connection) }
    }

    func ids(leasedBy user: UInt32) -> Set<String> {
        Set(leases.filter { $0.user == user }.flatMap { $0.rules.map { $0.id } })
    }

    /// Switches regions off or on.
    /// - Parameters:
    ///   - user: the owner of the regions and switches; `nil` for clients with the right to control.
    ///   - seesPrivate: whether the switch also applies to private regions, which may be inside the given ones.
    mutating func switchRegions(_ ids: Set<String>, isOn: Bool, by user: UInt32?, seesPrivate: Bool = true) {
        for i in leases.indices where user == leases[i].user || (user == nil && isOn) {
            let own = ids.intersection(leases[i].rules.map { $0.id })
            if isOn { leases[i].switchedOff.subtract(own) } else { leases[i].switchedOff.formUnion(own) }
        }
        guard user == nil else { return }
        if isOn { switchedOff.subtract(ids) } else { switchedOff.formUnion(ids) }
        guard seesPrivate else { return }
        if isOn { privateSwitchedOff.subtract(ids) } else { privateSwitchedOff.formUnion(ids) }
    }

    /// Follows the scene of `[daemon]`, unless a client has set another one. Removes scenes, profiles and switches that do
    /// not exist in a new configuration. Definitions are kept, because a later configuration may contain their parents
    /// again.
    mutating func adapt(to configuration: Configuration) {
        let (scenes, start) = (configuration.sceneIDs, configuration.daemon.scene)
        if let former = sceneTime?.former, former == startScene || !scenes.contains(former) {
            sceneTime?.former = start
        }
        if sceneTime == nil, scene == startScene {
            scene = start
        } else if !scenes.contains(scene) {
            scene = sceneTime?.former ?? start
            sceneTime = nil
        }
        startScene = start
        if let idleScene, !scenes.contains(idleScene) { self.idleScene = nil }
        let ids = configuration.profileIDs
        profiles.removeAll { !ids.contains($0.profile) }
        guard !switchedOff.isEmpty || !privateSwitchedOff.isEmpty || leases.contains(where: { !$0.switchedOff.isEmpty })
        else { return }
        let written = Set(configuration.regions.map { $0.id })
        let present = written.union(state.definitions.map { $0.id })
        switchedOff.formIntersection(present)
        privateSwitchedOff.formIntersection(present)
        // If a region in the files has the same id as a leased one, the id refers to the region in the files.
        for i in leases.indices {
            leases[i].switchedOff.formIntersection(Set(leases[i].rules.map { $0.id }).subtracting(written))
        }
    }
}
