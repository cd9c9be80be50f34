// SPDX-License-Identifier: MIT
package import GestureProtocol

/// `[access]`: the users that may do more than listen. Root and the daemon's own user always may.
package struct AccessSettings: Hashable, Sendable {
    /// A user, or all members of a group.
    package struct Member: Hashable, Sendable {
        /// The number of a user or group, or its name with its location, for warnings.
        package enum ID: Hashable, Sendable {
            case number(UInt32)
            /// A name to look up in the system's databases.
            case name(String, SourceLocation)
        }

        package var id: ID
        package var isGroup: Bool
    }

    var controlMembers: [Member] = []
    var defineMembers: [Member] = []
    var rawMembers: [Member] = []
    var privateMembers: [Member] = []
    /// The required prefix of the ids of leased regions, for users without the right `control`.
    package var definePrefix = "app."
    /// The region in which leased regions must lie; `nil` if they may lie in any region or in none.
    package var defineParent: String?
    /// The maximum number of regions that each of these users may lease at the same time.
    package var defineLimit = 64

    package init() {}

    /// The members that have each right.
    package var lists: [(right: Rights, members: [Member])] {
        [(.control, controlMembers), (.define, defineMembers), (.raw, rawMembers), (.seesPrivate, privateMembers)]
    }

    /// These settings without their locations in the files, for comparison.
    var withoutLocations: AccessSettings {
        func bare(_ members: [Member]) -> [Member] {
            members.map { member in
                guard case .name(let name, _) = member.id else { return member }
                return Member(id: .name(name, SourceLocation(file: "")), isGroup: member.isGroup)
            }
        }
        var result = self
        result.controlMembers = bare(controlMembers)
        result.defineMembers = bare(defineMembers)
        result.rawMembers = bare(rawMembers)
        result.privateMembers = bare(privateMembers)
        return result
    }

    static let keys: [Key<AccessSettings>] = [
        Key("control_uids", \.controlMembers) { $0.members() },
        Key("define_uids", \.defineMembers) { $0.members() },
        Key("raw_uids", \.rawMembers) { $0.members() },
        Key("private_uids", \.privateMembers) { $0.members() },
        Key("define_prefix", \.definePrefix) { $0.identifier() },
        Key("define_parent", \.defineParent) { $0.identifier() },
        Key("define_limit", \.defineLimit) { $0.integer(1...4096) },
    ]
}

extension ValueReader {
    /// The maximum number of users and groups in a list. Each name is looked up, which takes up to milliseconds.
    private static let mostMembers = 1000

    /// Reads the names and numbers of users, and those of groups, which begin with `@`.
    fileprivate func members() -> [AccessSettings.Member]? {
        array(of: "user names or numbers", each: "a user", most: Self.mostMembers)?.compactMap { $0.member() }
    }

    /// Reads the number of a user.
    package func userNumber() -> UInt32? {
        named("a uid").integer(Self.numbers).map { UInt32($0) }
    }

    /// The numbers of users. The highest number is not one: system calls interpret it as "leave unchanged".
    private static let numbers: ClosedRange<Int64> = 0...Int64(UInt32.max) - 1

    /// Notes the form of a user, by name or number.
    package func notesUser() -> Bool { notes(.either([.label(matching: nil), .whole(Self.numbers)])) }

    private func member() -> AccessSettings.Member? {
        if notesUser() { return nil }
        if isInteger { return userNumber().map { .init(id: .number($0), isGroup: false) } }
        guard let text = label() else { return nil }
        guard text.hasPrefix("@") else {
            return .init(id: .name(text, sink.location(of: value.range)), isGroup: false)
        }
        let group = String(text.dropFirst())
        guard !group.isEmpty else { return error(.badValue, "\(name): a group needs a name or a number after '@'") }
        if group.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
            guard let number = UInt32(group), number < UInt32.max else {
                return error(.badValue, "\(name): a gid must be between 0 and 4294967294")
            }
            return .init(id: .number(number), isGroup: true)
        }
        return .init(id: .name(group, sink.location(of: value.range)), isGroup: true)
    }
}
