// SPDX-License-Identifier: MIT
package import GestureConfiguration
package import GestureEngine
import LinuxSystem

/// The settings in `mqtt.toml`: the messages that are sent to the broker, and the commands that it may send.
/// `docs/mqtt.md` explains the keys.
package struct MQTTSettings: BridgeSettings, Hashable, Sendable {
    package static let standardFile = "/etc/gestured/mqtt.toml"

    /// The name of this machine in topics; `nil` for its host name.
    package var panel: String?
    /// The first level of all topics.
    package var prefix = "gestured"
    /// The daemon's socket.
    package var socket = InstalledFiles.socket
    /// The folder of the spool, which only the user of this program may read.
    package var state = "/var/lib/gestured-mqtt"
    /// Whether gestures contain their positions.
    package var positions = false
    /// The file with the sums of the day of `gestured-report`.
    package var report = DailySums.standardFile
    /// The maximum age of a gesture. Older gestures are not sent.
    package var maxAge = Interval.milliseconds(2000)
    package var broker = Broker()
    /// The settings of TLS; `nil` if it is not used.
    package var tls: TLS?
    /// The gestures to send and their QoS. If there are none, all gestures except `update` are sent with QoS 0.
    package var gestures: [GestureSelection] = []
    package var spool = Spool()
    package var statistics = Period()
    package var health = Period()
    package var commands = Commands()
    package var config = ConfigCommand()
    package var homeAssistant = HomeAssistant()

    package init() {}

    package static let keys: [Key<MQTTSettings>] = [
        Key("panel", \.panel) { $0.topicLevel() },
        Key("prefix", \.prefix) { $0.topic() },
        Key("socket", \.socket) { $0.path() },
        Key("state", \.state) { $0.path() },
        Key("positions", \.positions) { $0.boolean() },
        Key("report", \.report) { $0.path() },
        Key("max_age", \.maxAge) { $0.interval(atLeast: .milliseconds(100)) },
        Key("broker") { $0.table(Broker.keys, into: &$1.broker, name: "[broker]") },
        Key("tls") { value, settings in
            var tls = TLS()
            value.table(TLS.keys, into: &tls, name: "[tls]")
            settings.tls = tls
        },
        Key("gesture") { value, settings in
            settings.gestures = (value.array(of: "tables") ?? []).map { entry in
                var selection = GestureSelection()
                entry.table(GestureSelection.keys, into: &selection, name: "[[gesture]]")
                return selection
            }
        },
        Key("spool") { $0.table(Spool.keys, into: &$1.spool, name: "[spool]") },
        Key("statistics") { $0.table(Period.keys, into: &$1.statistics, name: "[statistics]") },
        Key("health") { $0.table(Period.keys, into: &$1.health, name: "[health]") },
        Key("commands") { $0.table(Commands.keys, into: &$1.commands, name: "[commands]") },
        Key("config") { $0.table(ConfigCommand.keys, into: &$1.config, name: "[config]") },
        Key("homeassistant") { $0.table(HomeAssistant.keys, into: &$1.homeAssistant, name: "[homeassistant]") },
    ]
}

extension MQTTSettings {
    /// The address of the broker, and the parameters of the connection.
    package struct Broker: Hashable, Sendable {
        package var host = "127.0.0.1"
        /// The port; `nil` for 8883 with TLS, or 1883 without.
        package var port: Int?
        package var version = Version.automatic
        /// The client id; `nil` for the prefix and the panel's name.
        package var clientID: String?
        package var user: String?
        package var password: Secret?
        /// The interval of keep-alive packets.
        package var keepalive = Interval.milliseconds(30_000)
        /// The time for which the broker keeps the session of a lost connection and the commands queued in it.
        package var sessionExpiry = Interval.milliseconds(300_000)
        /// The timeout for connecting and for each acknowledgement.
        package var timeout = Interval.milliseconds(10_000)
        /// The maximum delay before another attempt to connect.
        package var retry = Interval.milliseconds(30_000)

        /// The protocol version; `automatic` tries MQTT 5 first.
        package enum Version: Hashable, Sendable { case automatic, five, threeOneOne }

        static let keys: [Key<Broker>] = [
            Key("host", \.host) { $0.host() },
            Key("port", \.port) { $0.integer(1...65_535) },
            Key("protocol", \.version) { $0.choice([("auto", .automatic), ("5", .five), ("3.1.1", .threeOneOne)]) },
            Key("client_id", \.clientID) { $0.label() },
            Key("user", \.user) { $0.label() },
            Key("password_file") { value, broker in value.path().map { broker.password = .file($0) } },
            Key("password_credential") { value, broker in
                value.credential().map { broker.password = .credential($0) }
            },
            Key("keepalive", \.keepalive) { $0.interval(atLeast: .milliseconds(5000)) },
            Key("session_expiry", \.sessionExpiry) { $0.interval() },
            Key("timeout", \.timeout) { $0.interval(atLeast: .milliseconds(1000)) },
            Key("retry", \.retry) { $0.interval(atLeast: .milliseconds(1000)) },
        ]
    }

    /// The source of a password or a key. It is read again for each connection.
    package enum Secret: Hashable, Sendable {
        case file(String)
        /// The name of a credential that systemd passes (`LoadCredential=`).
        case credential(String)
    }

    /// The settings of TLS, which uses certificates or a pre-shared key.
    package struct TLS: Hashable, Sendable {
        /// The file with certificates of certificate authorities; `nil` for those of the system.
        package var ca: String?
        /// The file with this client's certificate. `key` is the file with the certificate's private key.
        package var certificate: String?
        package var key: String?
        /// The identity of a pre-shared key, which is used instead of certificates.
        package var pskIdentity: String?
        package var psk: Secret?

        static let keys: [Key<TLS>] = [
            Key("ca", \.ca) { $0.path() },
            Key("certificate", \.certificate) { $0.path() },
            Key("key", \.key) { $0.path() },
            Key("psk_identity", \.pskIdentity) { $0.label() },
            Key("psk_file") { value, tls in value.path().map { tls.psk = .file($0) } },
            Key("psk_credential") { value, tls in value.credential().map { tls.psk = .credential($0) } },
        ]
    }

    /// A selection of gestures to send. If a list is `nil`, it matches everything.
    package struct GestureSelection: Hashable, Sendable {
        package var regions: [String]?
        package var devices: [String]?
        package var gestures: [String]?
        package var names: [String]?
        package var phases: [String] = ["begin", "end", "cancel"]
        package var qualityOfService = 0
        /// Whether gestures of regions that clients have defined are sent, too. Clients choose the names of such regions.
        package var leased = false

        package init() {}

        static let keys: [Key<GestureSelection>] = [
            Key("regions", \.regions) { $0.globs() },
            Key("devices", \.devices) { $0.globs() },
            Key("gestures", \.gestures) { $0.globs() },
            Key("names", \.names) { $0.globs() },
            Key("phases", \.phases) { value in
                let words = ["begin", "update", "end", "cancel"].map { ($0, $0) }
                return value.array(of: "phases", each: "a phase")?.compactMap { $0.choice(words) }
            },
            Key("qos", \.qualityOfService) { $0.integer(0...2) },
            Key("leased", \.leased) { $0.boolean() },
        ]
    }

    /// The limits on the messages that wait on disk while the broker is unreachable.
    package struct Spool: Hashable, Sendable {
        package var messages = 10_000
        package var megabytes = 16
        /// Whether a message is synced to disk before it is considered stored, so that it survives a power failure.
        package var isDurable = true

        package init() {}

        static let keys: [Key<Spool>] = [
            Key("max_messages", \.messages) { $0.integer(1...1_000_000) },
            Key("max_mb", \.megabytes) { $0.integer(1...1024) },
            Key("fsync", \.isDurable) { $0.choice([("always", true), ("checkpoint", false)]) },
        ]
    }

    /// The interval of a periodic message.
    package struct Period: Hashable, Sendable {
        package var interval = Interval.milliseconds(60_000)

        static let keys: [Key<Period>] = [
            Key("every", \.interval) { $0.interval(atLeast: .milliseconds(1000)) }
        ]
    }

    /// The commands that the broker may send. Each command requires the daemon's right `control`, except `record`,
    /// which requires the right `raw`.
    package struct Commands: Hashable, Sendable {
        package var scene = false
        package var profile = false
        package var enable = false
        package var disable = false
        package var activity = false
        package var reload = false
        package var config = false
        package var record = false
        /// A topic below which replies may be sent, in addition to the panel's `response`.
        package var responses: String?

        static let keys: [Key<Commands>] = [
            Key("scene", \.scene) { $0.boolean() },
            Key("profile", \.profile) { $0.boolean() },
            Key("enable", \.enable) { $0.boolean() },
            Key("disable", \.disable) { $0.boolean() },
            Key("activity", \.activity) { $0.boolean() },
            Key("reload", \.reload) { $0.boolean() },
            Key("config", \.config) { $0.boolean() },
            Key("record", \.record) { $0.boolean() },
            Key("responses", \.responses) { $0.topic() },
        ]
    }

    /// The settings of the command that sends a configuration.
    package struct ConfigCommand: Hashable, Sendable {
        /// The file of the daemon's configuration that the command replaces.
        package var file = "/var/lib/gestured-fleet/fleet.toml"
        /// The time within which the configuration must be confirmed.
        package var confirm = Interval.milliseconds(60_000)

        static let keys: [Key<ConfigCommand>] = [
            Key("file", \.file) { $0.path() },
            Key("confirm", \.confirm) { $0.interval(atLeast: .milliseconds(1000)) },
        ]
    }

    /// The settings for announcing the panel to Home Assistant (MQTT discovery).
    package struct HomeAssistant: Hashable, Sendable {
        package var isOn = false
        package var prefix = "homeassistant"
        /// The scene that a switch of Home Assistant chooses, and the one that it returns to; `nil`: there is no switch.
        package var lock: String?
        package var unlocked = "default"

        static let keys: [Key<HomeAssistant>] = [
            Key("discovery", \.isOn) { $0.boolean() },
            Key("prefix", \.prefix) { $0.topic() },
            Key("lock", \.lock) { $0.label() },
            Key("unlocked", \.unlocked) { $0.label() },
        ]
    }
}

extension MQTTSettings {
    /// The name of the panel in topics: `panel`, or the host name with `_` in place of characters that a topic level
    /// cannot contain.
    package var panelName: String {
        panel ?? String((HostName.current ?? "localhost").map { "/+#".contains($0) || $0 == "\0" ? "_" : $0 })
    }

    /// The prefix of all topics of the panel.
    package var base: String { "\(prefix)/\(panelName)" }

    package var clientID: String { broker.clientID ?? "\(prefix)-\(panelName)" }

    /// Whether the daemon reads a file in the state folder. If so, the daemon must have access to that folder.
    package var keepsConfigurationInState: Bool {
        commands.config && config.file.hasPrefix(state.hasSuffix("/") ? state : state + "/")
    }

    package var port: Int { broker.port ?? (tls == nil ? 1883 : 8883) }

    package var warnings: [String] {
        homeAssistant.lock == nil || commands.scene
            ? [] : ["[homeassistant]: there is no switch for the lock without scene = true in [commands]"]
    }

    package var contradictions: [String] {
        var result: [String] = []
        if let tls {
            if (tls.certificate == nil) != (tls.key == nil) {
                result.append("[tls]: certificate and key belong together; use both or neither")
            }
            if (tls.pskIdentity == nil) != (tls.psk == nil) {
                result.append("[tls]: psk_identity and psk_file (or psk_credential) belong together")
            }
            if tls.psk != nil, tls.ca != nil || tls.certificate != nil {
                result.append("[tls]: use certificates or a pre-shared key, not both")
            }
        }
        if commands.config, tls == nil {
            result.append("[commands]: config requires [tls], because a configuration determines what every touch does")
        }
        // Otherwise, a command could direct its reply to a topic for gestures or commands.
        if let responses = commands.responses {
            let (own, given) = (base + "/", responses + "/")
            if own.hasPrefix(given) || given.hasPrefix(own) && !given.hasPrefix(own + "response/") {
                result.append("[commands]: responses cannot be \"\(responses)\": it overlaps the panel's own topics")
            }
        }
        if broker.password != nil, broker.user == nil {
            result.append("[broker]: a password requires a user")
        }
        return result
    }
}
