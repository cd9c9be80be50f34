// SPDX-License-Identifier: MIT
package import GestureProtocol

extension GestureClient {
    /// A device that the daemon has found.
    public struct Device: Hashable, Sendable {
        public var id: String
        public var node: String
        public var name: String
        /// The state: `ready`, `refused`, `ignored` or `failed`.
        public var state: String
        /// The reason why the device is not ready or not shared, or what is wrong with its display.
        public var reason: String?
        /// The output of the device; `nil` if the device is not ready.
        public var output: Output?
        /// Determines whether the device's touches are shared with other programs: `grab`, `forward`, or `listen` if
        /// another value is configured but cannot be applied because of `reason`. If it is `nil`, all programs receive
        /// the touches.
        public var share: String?
        /// The device that applications read instead of a shared panel.
        public var twin: Twin?
        /// The state of the grab: `held`, `waiting`, `given_back`, `other`, or a state that only a later daemon has;
        /// `nil` if all programs receive the device's touches.
        public var grab: String?
        /// The time for which the display has been said to be off although it should have come on; zero if all is well, and `nil` if
        /// touches that wake it are not kept from gestures.
        public var dark: Duration?
        /// The number of contacts on the device.
        public var contacts: Int

        package init(_ value: JSONValue) {
            id = value.text("device")
            node = value.text("node")
            name = value.text("name")
            state = value.text("state")
            reason = value["reason"]?.string
            output = value["output"].map {
                .init(
                    width: $0.number("width"), height: $0.number("height"), physicalWidth: $0.number("width_mm"),
                    physicalHeight: $0.number("height_mm"), rotation: $0.whole("rotation"),
                    isFlipped: $0["flipped"]?.bool ?? false,
                    corners: ($0["corners"]?.array ?? []).map {
                        .init(
                            x: $0.number("x"), y: $0.number("y"), physicalX: $0.number("x_mm"),
                            physicalY: $0.number("y_mm"))
                    })
            }
            share = value["share"]?.string
            twin = value["twin"].map { Twin($0) }
            grab = value["grab"]?.string
            dark = value.wholeIfThere("dark_ms").map { .milliseconds($0) }
            contacts = value.whole("contacts")
        }

        /// - Parameter reply: the reply to `devices`.
        package static func all(in reply: JSONValue) -> [Self] { reply.list("devices").map { Self($0) } }
    }

    /// The device that applications read instead of a panel.
    public struct Twin: Hashable, Sendable {
        public var node: String?
        /// The numbers of contacts that were passed to applications, never passed to them, withheld from them at the
        /// landing, and taken from them later; `nil` if this user may not see them.
        public var forwarded: Int?
        public var captured: Int?
        public var held: Int?
        public var cancelled: Int?
        /// The numbers of contacts that each key of `[device.application]` has kept from applications.
        public var kept: [String: Int] = [:]

        init(_ value: JSONValue) {
            func count(_ key: String) -> Int? { value[key]?.integer.map { Int(clamping: $0) } }
            node = value["node"]?.string
            forwarded = count("forwarded")
            captured = count("captured")
            held = count("held")
            cancelled = count("cancelled")
            for member in value["kept"]?.members ?? [] {
                kept[member.key] = member.value.integer.map { Int(clamping: $0) }
            }
        }
    }

    /// The output to which a panel is mapped.
    public struct Output: Hashable, Sendable {
        /// Width and height in pixels.
        public var width: Double
        public var height: Double
        /// Width and height in millimetres.
        public var physicalWidth: Double
        public var physicalHeight: Double
        /// The rotation in degrees.
        public var rotation: Int
        /// Whether left and right are exchanged after the rotation.
        public var isFlipped = false
        /// The positions of the panel's own corners, in the order top left, top right, bottom right, bottom left. With
        /// a calibration, they may lie outside the output or far inside it.
        public var corners: [Corner]
    }

    /// A clockwise rotation of a panel, perhaps followed by a reflection that exchanges left and right. The raw values are
    /// the names of the transforms of `wl_output`.
    public enum Rotation: String, Hashable, Sendable, CaseIterable {
        case none = "0"
        case quarter = "90"
        case half = "180"
        case threeQuarters = "270"
        case flipped
        case flippedQuarter = "flipped-90"
        case flippedHalf = "flipped-180"
        case flippedThreeQuarters = "flipped-270"
    }

    /// A point of an output.
    public struct Corner: Hashable, Sendable {
        /// The position in pixels.
        public var x: Double
        public var y: Double
        /// The position in millimetres.
        public var physicalX: Double
        public var physicalY: Double
    }

    /// The regions at a point.
    public struct Hit: Hashable, Sendable {
        public var device: String
        /// The region that would own a touch at the point; `nil` if there is none.
        public var owner: String?
        /// The owner, followed by its ancestors.
        public var chain: [String]
        /// Pass regions that would also receive the touch.
        public var pass: [String]
        /// Whether the point lies in the owner's margin, that is, outside its shape.
        public var isInMargin: Bool

        package init(_ reply: JSONValue) {
            device = reply.text("device")
            owner = reply["owner"]?.string
            chain = reply.texts("chain")
            pass = reply.texts("pass")
            isInMargin = reply.flag("margin")
        }
    }

    /// The state of the daemon.
    public struct Status: Hashable, Sendable {
        public var version: String
        /// A value that changes with each start of the daemon.
        public var instance: String
        public var process: Int
        public var uptime: Duration
        public var configuration: ConfigurationStatus
        /// The number of devices in each state: `ready`, `refused`, `ignored`, `failed`.
        public var devices: [String: Int]
        /// The current scene.
        public var scene: String
        /// The time that is left of the scene; `nil` if it is not limited.
        public var sceneTime: Duration?
        public var scenes: [String]
        /// The profile in force.
        public var profile: String
        public var profiles: [String]
        public var regions: Int
        /// The number of sequences that have not ended.
        public var active: Int
        public var clients: Int
        public var frames: Int
        public var events: Int
        /// The number of lines that clients have lost.
        public var dropped: Int
        /// The number of times that the kernel has lost events.
        public var resynchronizations: Int
        /// The duration of the longest turn of the daemon's event loop since it was started.
        public var longestTurn: Duration

        init(_ reply: JSONValue) {
            version = reply.text("version")
            instance = reply.text("instance")
            process = reply.whole("pid")
            uptime = .milliseconds(reply.whole("uptime_ms"))
            configuration = .init(reply["config"])
            let counts = reply["devices"]
            devices = [:]
            for key in counts?.keys ?? [] { devices[key] = counts?.whole(key) }
            scene = reply.text("scene")
            sceneTime = reply.wholeIfThere("scene_for_ms").map { .milliseconds($0) }
            scenes = reply.texts("scenes")
            (profile, profiles) = (reply.profile, reply.texts("profiles"))
            regions = reply.whole("regions")
            active = reply.whole("active")
            clients = reply.whole("clients")
            frames = reply.whole("frames")
            events = reply.whole("events")
            dropped = reply.whole("dropped")
            resynchronizations = reply.whole("resyncs")
            longestTurn = .microseconds(reply.whole("longest_turn_us"))
        }
    }

    /// The state of the daemon's configuration: the files, and whether they are in use.
    public struct ConfigurationStatus: Hashable, Sendable {
        public var files: [String]
        public var generation: Int
        /// The state is `ok` or `none`; `rejected` if the new configuration has errors and the previous one is still
        /// used; or `last_good` if the files have had errors since the start and a configuration of an earlier run is
        /// used.
        public var state: String
        public var errors: Int
        public var warnings: Int

        init(_ value: JSONValue?) {
            files = value?.texts("files") ?? []
            generation = value?.whole("generation") ?? 0
            state = value?.text("state") ?? ""
            errors = value?.whole("errors") ?? 0
            warnings = value?.whole("warnings") ?? 0
        }
    }
}
