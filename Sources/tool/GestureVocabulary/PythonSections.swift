// SPDX-License-Identifier: MIT

extension GeneratedFile {
    /// The class of a gesture.
    static let python = GeneratedFile(
        "clients/python/gestured.py",
        sections: [
            MarkedSection("members", members: Member.own) { members in
                members.map { "    \($0.key): Optional[\($0.type.pythonName)] = None" }
            }
        ])
}

extension MemberType {
    fileprivate var pythonName: String {
        switch self {
        case .number: "float"
        case .whole: "int"
        case .flag: "bool"
        case .text: "str"
        case .point: "Point"
        }
    }
}
