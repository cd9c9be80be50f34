// SPDX-License-Identifier: MIT
import Foundation
import GestureTestSupport
import Testing

/// `scripts/check-release`, which `make check` and `scripts/test-swift62` run with the release.
@Suite("scripts/check-release")
struct CheckReleaseTests {
    private let folder: ScratchFolder
    private let programs = URL(fileURLWithPath: BuildProducts.program("gestured")).deletingLastPathComponent().path

    init() throws {
        folder = try ScratchFolder()
        _ = try BuildProducts.fakePanel()
    }

    @Test("accepts programs that work")
    func working() throws {
        let outcome = try Shell.run("scripts/check-release \(programs)")
        #expect(outcome.status == 0, "\(outcome.output)")
    }

    @Test("notices that the daemon closes its listening socket", arguments: [6, 12])
    func losing(clients: Int) throws {
        let source = try folder.write(
            """
            #define _GNU_SOURCE
            #include <dlfcn.h>
            #include <sys/socket.h>
            #include <unistd.h>
            int accept4(int listener, struct sockaddr *address, socklen_t *length, int flags) {
                static int count;
                int (*next)(int, struct sockaddr *, socklen_t *, int) = dlsym(RTLD_NEXT, "accept4");
                int accepted = next(listener, address, length, flags);
                if (accepted >= 0 && ++count == \(clients)) close(listener);
                return accepted;
            }

            """, to: "lose.c")
        let daemon = try folder.write(
            """
            #!/bin/sh
            LD_PRELOAD="\(folder("lose.so")) $LD_PRELOAD" exec \(programs)/gestured "$@"

            """, to: "gestured")
        let outcome = try Shell.run(
            """
            cc -shared -fPIC -o \(folder("lose.so")) \(source) && chmod +x \(daemon) &&
            ln -s \(programs)/gestured-web \(folder("gestured-web")) && scripts/check-release \(folder("."))
            """)
        #expect(outcome.status == 1, "\(outcome.output)")
        #expect(outcome.output.contains("check-release: error: "), "\(outcome.output)")
    }

    @Test("expects the gestures that a replay prints")
    func demonstration() throws {
        let script = try String(contentsOfFile: BuildProducts.root + "/scripts/check-release", encoding: .utf8)
        let parts = script.components(separatedBy: "\"\"\"")
        let place = try #require(parts.firstIndex { $0.hasSuffix("EXPECTED = ") })
        let expected = parts[place + 1].split(separator: ",").map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
        let tool = BuildProducts.program("gesturectl")
        let outcome = try Shell.run("\(tool) replay config/demo.evemu -c config/demo.toml")
        let printed = outcome.output.split(separator: "\n").compactMap { JSONLine(String($0)) }.map { line in
            ["gesture", "phase", "region", "reason"].compactMap { line[$0] }.joined(separator: " ")
        }
        #expect(printed == expected)
    }
}
