// SPDX-License-Identifier: MIT
import TouchSharing

/// Whether the fleet's file, which comes over the network, may change a key. Who learns where people touch is decided on the
/// machine.
package enum FleetAnswer: Hashable, Sendable {
    case no
    /// Yes, unless a panel is shared: the key decides which contacts the application gets.
    case unlessShared
    /// Yes, unless there are private regions: the key changes what they recognize.
    case unlessPrivate
    case unlessSharedOrPrivate
    /// Yes, as far as `Configuration.protectedParts` finds no difference that matters.
    case asCompared
}

extension FleetAnswer {
    /// The answers for all keys of the tables and lists of a file; `"filter"` stands for all keys of a table. A key that is
    /// missing here may not be changed.
    package static let all: [String: Self] = [
        "version": .asCompared,
        // With `debug`, every gesture is logged.
        "daemon.log_level": .no,
        "daemon.max_clients": .no, "daemon.max_clients_per_user": .no, "daemon.scene": .asCompared,
        "access": .no,
        "defaults": .asCompared,
        "filter": .unlessSharedOrPrivate,
        "arbitration": .unlessPrivate,
        "device.id": .asCompared, "device.match": .asCompared, "device.output": .asCompared,
        "device.calibration": .asCompared, "device.share": .asCompared, "device.cancel": .asCompared,
        "device.grab": .asCompared, "device.ignore": .asCompared, "device.enabled": .asCompared,
        "device.defaults": .asCompared,
        // It presses a key, and reads a file.
        "device.wake": .no,
        // It is the way out for whoever stands before the panel.
        "device.five_fingers": .no,
        "device.application": .unlessShared, "device.filter": .unlessSharedOrPrivate,
        "region.id": .asCompared, "region.shape": .asCompared, "region.parent": .asCompared,
        "region.device": .asCompared, "region.z": .asCompared, "region.margin": .asCompared,
        "region.pass": .asCompared, "region.private": .asCompared, "region.enabled": .asCompared,
        "region.capture": .asCompared, "region.contacts": .asCompared, "region.touches": .asCompared,
        "region.rest_after": .asCompared, "region.defaults": .asCompared, "region.gestures": .asCompared,
        "scene.id": .asCompared, "scene.regions": .asCompared, "scene.enabled": .asCompared,
        // In a dark scene nobody gets the touches of a panel with `wake`.
        "scene.dark": .unlessSharedOrPrivate, "scene.application": .unlessShared,
        "profile.id": .asCompared, "profile.defaults": .unlessPrivate, "profile.filter": .unlessSharedOrPrivate,
        "profile.application": .unlessShared, "profile.enabled": .unlessSharedOrPrivate,
        "idle.id": .asCompared, "idle.after": .asCompared, "idle.in": .asCompared, "idle.scene": .asCompared,
        "idle.enabled": .asCompared,
    ]

    /// The answer for a key.
    /// - Parameter key: the key with its table or list, such as `device.wake`.
    package init(key: String) {
        self = Self.all[key] ?? Self.all[String(key.prefix { $0 != "." })] ?? .no
    }

    /// Why the key may not be changed; `nil` if it may.
    fileprivate func obstacle(isShared: Bool, hasPrivate: Bool) -> String? {
        let (shared, hidden) = (" while a panel is shared", " while there are private regions")
        return switch self {
        case .no: ""
        case .unlessShared: isShared ? shared : nil
        case .unlessPrivate: hasPrivate ? hidden : nil
        case .unlessSharedOrPrivate: isShared ? shared : hasPrivate ? hidden : nil
        case .asCompared: nil
        }
    }
}

extension Configuration {
    /// Returns a sentence about a key that the fleet's file may not change; `nil` if it may change all of these.
    /// - Parameter keys: the result of `FleetKeys.changed(to:)`.
    package func refusal(of keys: [String], changedBy new: Configuration) -> String? {
        let isShared = (devices + new.devices).contains { $0.share != .listen }
        let hasPrivate = hasPrivateRegions || new.hasPrivateRegions
        for key in keys {
            guard let obstacle = FleetAnswer(key: key).obstacle(isShared: isShared, hasPrivate: hasPrivate) else {
                continue
            }
            let parts = key.split(separator: ".", maxSplits: 1).map(String.init)
            let table = FileMerge.lists.contains(parts[0]) ? "[[\(parts[0])]]" : "[\(parts[0])]"
            let name = parts.count > 1 ? "\(parts[1]) of \(table)" : parts[0]
            return "\(name) may be changed on the machine only\(obstacle)"
        }
        return nil
    }
}

/// The keys of several files together, with their values.
package struct FleetKeys {
    /// Hashes of the values, which take less memory than the values. The keys consist of the table or list, the id of an
    /// entry, and the key in it.
    private var hashes: [[String]: Int] = [:]

    /// - Parameter files: the files; later ones override earlier ones, and those with syntax errors are left out.
    package init(_ files: [(path: String, text: [UInt8])]) {
        let sink = DiagnosticSink(files: files.map { SourceFile(path: $0.path, text: nil) })
        let documents = ConfigurationReader.parse(files, .daemon, sink).documents
        for entry in FileMerge.tables(documents).entries {
            guard case .table(let table) = entry.value.kind else {
                add([entry.key], entry.value)
                continue
            }
            for inner in table.entries { add([entry.key, "", inner.key], inner.value) }
        }
        for list in FileMerge.lists {
            for item in FileMerge.list(list, fallback: "", documents, sink) {
                for entry in item.table.entries { add([list, item.id, entry.key], entry.value) }
            }
        }
    }

    private mutating func add(_ key: [String], _ value: ConfigurationValue) {
        var hasher = Hasher()
        value.hash(into: &hasher)
        hashes[key] = hasher.finalize()
    }

    /// The keys, such as `device.wake`, whose values differ in other files, in alphabetical order.
    package func changed(to other: Self) -> [String] {
        let keys = Set(hashes.keys).union(other.hashes.keys).filter { hashes[$0] != other.hashes[$0] }
        return Set(keys.map { $0.count > 1 ? "\($0[0]).\($0[2])" : $0[0] }).sorted()
    }
}

extension ConfigurationValue {
    /// Hashes the value without its location.
    fileprivate func hash(into hasher: inout Hasher) {
        hasher.combine(typeName)
        switch kind {
        case .table(let table):
            hasher.combine(table.entries.count)
            for entry in table.entries.sorted(by: { $0.key < $1.key }) {
                hasher.combine(entry.key)
                entry.value.hash(into: &hasher)
            }
        case .array(let values):
            hasher.combine(values.count)
            for value in values { value.hash(into: &hasher) }
        case .string(let text): hasher.combine(text)
        case .integer(let number): hasher.combine(number)
        case .number(let number): hasher.combine(number)
        case .boolean(let flag): hasher.combine(flag)
        case .date, .null: break
        }
    }
}
