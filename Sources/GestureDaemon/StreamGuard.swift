// SPDX-License-Identifier: MIT
#if DEBUG
    import GestureEngine
    import GesturePipeline
    import GestureProtocol
    import GestureServer
    import StreamVerifier

    /// Debug builds only: holds every line that the daemon makes to the protocol and to the laws of
    /// gestures, with code that was written from the protocol alone.
    ///
    /// What breaks one is a fault of the daemon: it is logged as an error that begins with `stream: `,
    /// on which every test that starts a daemon fails. The daemon goes on: the line that follows may
    /// say more.
    final class StreamGuard {
        private var verifier = StreamVerifier(.everything, isWholeConnection: false)
        private var number: Int64 = 0
        private var text = LineBuffer()
        private var reported = 0
        private let log: Log

        init(log: Log) {
            self.log = log
        }

        /// Positions on this panel are held to its size from now on.
        func watch(_ setup: PanelSetup) {
            verifier.setPanel(setup.device, width: setup.size.widthPixels, height: setup.size.heightPixels)
        }

        func take(_ line: borrowing EventLine) {
            number += 1
            text.removeAll()
            line.write(number: number, into: &text)
            text.withBytes { bytes in
                verifier.take(UnsafeBufferPointer(rebasing: bytes.dropLast()))
            }
            report()
        }

        /// All panels are closed: nothing may be under way.
        func finish() {
            verifier.finish()
            report()
        }

        /// Keeps what clients get and ask, where a test wants to have it.
        static func keepLines(of server: GestureServer) {
            guard let archive = LineArchive.shared else { return }
            server.lineInspector = { archive.keep($0) }
            server.requestInspector = { archive.keep(request: $0, reply: UnsafeBufferPointer(rebasing: $1.dropLast())) }
        }

        private func report() {
            while reported < verifier.violations.count {
                log.error("stream: \(verifier.violations[reported])")
                reported += 1
            }
        }
    }
#endif
