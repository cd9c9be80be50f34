// SPDX-License-Identifier: MIT

// The programs of the Embedded build, as main.c calls them. All modules of the daemon are one here
// (scripts/embedded): nothing of them is imported.

/// `gestured`
@c(gestured_main)
public func gesturedMain(_ count: CInt, _ arguments: UnsafePointer<UnsafePointer<CChar>?>) -> CInt {
    DaemonMain.run(texts(count, arguments))
}

/// `player`, for tests
@c(player_main)
public func playerMain(_ count: CInt, _ arguments: UnsafePointer<UnsafePointer<CChar>?>) -> CInt {
    Player.run(texts(count, arguments))
}

/// Without the program's name.
private func texts(_ count: CInt, _ arguments: UnsafePointer<UnsafePointer<CChar>?>) -> [String] {
    var texts: [String] = []
    var index = 1
    while index < Int(count), let argument = arguments[index] {
        texts.append(String(cString: argument))
        index += 1
    }
    return texts
}
