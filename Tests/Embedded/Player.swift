// SPDX-License-Identifier: MIT
import CLinux

/// Plays to this build what was played to another one, for comparison.
///
///     player simulations JOURNAL            0: every transcript is as the journal has it
///     player replay CONFIGURATION RECORDING the lines of `gesturectl replay --events gesture,failed,touches`
enum Player {
    /// sysexits.h
    private enum Exit {
        static let ok: CInt = 0
        static let differs: CInt = 1
        static let usage: CInt = 64
        static let data: CInt = 65
        static let noInput: CInt = 66
        static let configuration: CInt = 78
    }

    private struct Failure: Error {
        var status: CInt
        var message: String
    }

    static func run(_ arguments: [String]) -> CInt {
        do throws(Failure) {
            switch (arguments.first ?? "", arguments.count) {
            case ("simulations", 2): return try simulations(arguments[1])
            case ("replay", 3): return try replay(arguments[1], arguments[2])
            default: throw Failure(status: Exit.usage, message: "usage: player simulations FILE | replay FILE FILE")
            }
        } catch {
            write("player: \(error.message)\n", to: STDERR_FILENO)
            return error.status
        }
    }

    private static func simulations(_ path: String) throws(Failure) -> CInt {
        let journal = String(decoding: try bytes(path), as: UTF8.self)
        var differing = 0
        let count = SimulationJournal.play(journal) {
            differing += 1
            write($0 + "\n\n", to: STDERR_FILENO)
        }
        write("\(count) simulations, \(differing) of them say something else here\n", to: STDOUT_FILENO)
        return differing == 0 && count > 0 ? Exit.ok : Exit.differs
    }

    private static func replay(_ file: String, _ path: String) throws(Failure) -> CInt {
        let configuration = try configuration(file)
        let recording = try recording(path)
        let decision = PanelDecision(
            recording.description, configuration, fallbackName: recording.device ?? "panel")
        guard case .ready(let setup) = decision else {
            throw Failure(status: Exit.data, message: "\(path): the device is refused")
        }
        var pipeline = PanelPipeline(setup, identifiers: recording.identifiers)
        pipeline.interest = LineInterest(updates: true, touches: true, failures: true)
        var output = LineBuffer(capacity: 1 << 17)
        var number: Int64 = 0
        RecordingReplay.run(recording, through: &pipeline) { line in
            guard line.event == .gesture || line.event == .failed || line.event == .touches else { return }
            number += 1
            line.write(number: number, into: &output)
            if output.count >= 1 << 16 { flush(&output) }
        }
        flush(&output)
        return Exit.ok
    }

    private static func configuration(_ path: String) throws(Failure) -> Configuration {
        do throws(ConfigurationFileError) {
            let outcome = ConfigurationReader.read(try ConfigurationFiles(file: path).read())
            if let configuration = outcome.configuration { return configuration }
            for diagnostic in outcome.diagnostics { write(diagnostic.description + "\n", to: STDERR_FILENO) }
        } catch {
            throw Failure(status: Exit.noInput, message: "\(error.path): \(error.reason)")
        }
        throw Failure(status: Exit.configuration, message: path)
    }

    private static func recording(_ path: String) throws(Failure) -> Recording {
        let bytes = try bytes(path)
        do throws(RecordingError) {
            return try RecordingReader.read(bytes)
        } catch {
            throw Failure(status: Exit.data, message: "\(path):\(error.line): \(error.message)")
        }
    }

    private static func bytes(_ path: String) throws(Failure) -> [UInt8] {
        do throws(SystemError) {
            let file = try OwnedDescriptor(opening: path, flags: O_RDONLY)
            var bytes: [UInt8] = []
            while true {
                var count = 0
                let block = [UInt8](unsafeUninitializedCapacity: 1 << 16) { space, used in
                    count = read(file.rawValue, space.baseAddress, space.count)
                    used = max(0, count)
                }
                guard count > 0 else { break }
                bytes += block
            }
            return bytes
        } catch {
            throw Failure(status: Exit.noInput, message: "\(path): \(error)")
        }
    }

    private static func flush(_ output: inout LineBuffer) {
        output.withBytes { write(Array($0), to: STDOUT_FILENO) }
        output.removeAll()
    }

    private static func write(_ text: String, to descriptor: CInt) {
        write(Array(text.utf8), to: descriptor)
    }

    private static func write(_ bytes: [UInt8], to descriptor: CInt) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { CLinux.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
