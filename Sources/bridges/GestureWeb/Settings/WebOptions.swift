// SPDX-License-Identifier: MIT
#if Web
import BridgeProgram
import GestureProtocol
import LinuxSystem

/// The bridge's command line. Its settings override those of the file.
struct WebOptions: BridgeOptions {
    static let program = "gestured-web"

    var action = ProgramAction.run
    var file: String?
    var listen: ListenAddress?
    var socket: String?
    var assets: String?
    var root: String?

    mutating func read(_ option: CommandLineWords.Option, _ words: inout CommandLineWords) throws(UsageError) -> Bool {
        switch option.name {
        case "--listen": listen = try Self.address(try words.value(of: option))
        case "--assets": assets = try words.value(of: option)
        case "--root": root = try words.value(of: option)
        default: return false
        }
        return true
    }

    func apply(to settings: inout WebSettings) {
        if let listen { settings.listen = listen }
        if let assets { settings.assets = assets }
        if let root { settings.root = root }
    }

    static let help = """
        gestured-web \(Version.number): sends the events of gestured to web pages, and serves an inspector

        usage: gestured-web [options]
          -c, --config FILE     read this file (\(WebSettings.standardFile), if it exists)
              --listen ADDRESS  127.0.0.1:8990, [::1]:8990 or the path of a Unix socket;
                                a socket passed by systemd is used instead
              --socket PATH     the daemon's socket ($GESTURED_SOCKET, \(InstalledFiles.socket))
              --assets DIR      the folder of the inspector and of gestured.js (/usr/share/gestured/web)
              --root DIR        a folder with files of the site
              --check           check the file and exit: 0, or 78 with errors
              --version         print the version and exit
          -h, --help            print this and exit

        SIGHUP reads the file again, SIGTERM ends the program.

        """

    private static func address(_ text: String) throws(UsageError) -> ListenAddress {
        guard let address = ListenAddress(text) else {
            throw UsageError(
                message: "cannot listen at \"\(text)\"; use 127.0.0.1:8990, [::1]:8990 or an absolute path")
        }
        return address
    }
}
#endif
