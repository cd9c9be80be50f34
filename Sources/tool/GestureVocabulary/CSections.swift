// SPDX-License-Identifier: MIT

extension GeneratedFile {
    /// The structure of a gesture, and the table with which it is read.
    static let cHeader = GeneratedFile(
        "clients/c/gestured.h",
        sections: [
            MarkedSection("members", members: Member.own, cDeclarations),
            MarkedSection("table", members: Member.own.filter { !$0.isLate }, cEntries),
            MarkedSection("late_table", members: Member.own.filter(\.isLate), cEntries),
        ])

    @Sendable
    private static func cDeclarations(_ members: [Member]) -> [String] {
        var groups: [(type: String, keys: [String])] = []
        for member in members {
            if groups.last?.type == member.type.cName {
                groups[groups.count - 1].keys.append(member.key)
            } else {
                groups.append((member.type.cName, [member.key]))
            }
        }
        return groups.map { "    \($0.type)\($0.keys.joined(separator: ", "));" }
    }

    @Sendable
    private static func cEntries(_ members: [Member]) -> [String] {
        let entries = members.map { member in
            member.type == .point ? "GSD_O(\(member.key), gsd_point)" : "GSD_K(\(member.type.cKind), \(member.key))"
        }
        return entries.isEmpty ? [] : entries.listed("    ", end: ",")
    }
}

extension MemberType {
    /// The type in C, with a space if a name follows it directly.
    fileprivate var cName: String {
        switch self {
        case .number: "double "
        case .whole: "int64_t "
        case .flag: "int "
        case .text: "const char *"
        case .point: "struct gestured_point "
        }
    }

    fileprivate var cKind: String {
        switch self {
        case .number: "NUMBER"
        case .whole: "WHOLE"
        case .flag: "FLAG"
        case .text: "TEXT"
        case .point: "OBJECT"
        }
    }
}
