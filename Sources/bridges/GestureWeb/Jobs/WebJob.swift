// SPDX-License-Identifier: MIT
#if Web
import BridgeProgram
import GestureConfiguration
import GestureProtocol
import LinuxSystem
import NIOHTTP1

/// Work for a request that this program does in a separate process (`ChildJob`).
///
/// The output of a job is a line with the status of the answer, followed by the body.
enum WebJob: String, Sendable {
    /// `POST /check`. The arguments are the type of the body (`toml` or `json`) and the target of the request.
    case check
    /// `POST /replay`. There are no arguments, or those of `files`.
    case replay
    /// `GET /config`. The arguments are `private` or `open`, depending on whether the bridge may see private regions,
    /// and the paths of the files of the daemon's current configuration.
    case files

    /// The exit status of a replay that was not started, because its body requests the daemon's current configuration.
    static let needsConfiguration: CInt = 2
    /// The maximum number of values in a JSON body. A configuration may have 256 files, each with a path and a text.
    static let mostValues = 4096

    func limits(_ limits: WebSettings.Limits) -> ChildJob.Limits {
        let memory = Self.memory(bodyMegabytes: limits.bodyMegabytes)
        switch self {
        case .check: return ChildJob.Limits(memory: memory, milliseconds: 10_000, output: 16 << 20)
        case .files: return ChildJob.Limits(memory: memory, milliseconds: 10_000, output: 32 << 20)
        case .replay:
            return ChildJob.Limits(
                memory: memory, milliseconds: Int64(limits.replaySeconds) * 1000, output: 128 << 20)
        }
    }

    /// Returns the amount of memory for a job in bytes. The events of a recording take about four times as much memory
    /// as its text.
    private static func memory(bodyMegabytes: Int) -> Int { (16 + 4 * bodyMegabytes) << 20 }

    /// Does the job that the arguments name.
    /// - Parameter arguments: the arguments without the program's name.
    /// - Returns: the exit status; `nil` if the arguments name no job, so the program should run as the bridge.
    static func run(_ arguments: [String]) -> CInt? {
        guard let name = JobProgram.name(in: arguments) else { return nil }
        guard let job = WebJob(rawValue: name) else { return ExitStatus.usage }
        let arguments = JobProgram.arguments(in: arguments)
        do throws(SystemError) {
            switch job {
            case .check: try check(arguments)
            case .replay: return try replay(arguments)
            case .files: files(arguments)
            }
            return ExitStatus.ok
        } catch {
            StandardStream.error.write("gestured-web: \(error)\n")
            return ExitStatus.system
        }
    }

    private static func check(_ arguments: [String]) throws(SystemError) {
        let body = try JobProgram.input()
        JobProgram.freeInput()
        do throws(RequestError) {
            let query = arguments.last.flatMap { Target($0) }?.query ?? []
            let line = try CheckJob(body, isJSON: arguments.first == "json", query).run()
            write(status: .ok, line)
        } catch {
            write(status: Answer.status(of: error.code), Answer.failureLine(error))
        }
    }

    private static func replay(_ arguments: [String]) throws(SystemError) -> CInt {
        let body = try JobProgram.input()
        do throws(RequestError) {
            var job = try ReplayJob(body)
            let configuration: SentConfiguration
            if let sent = job.configuration {
                configuration = sent
            } else if arguments.isEmpty {
                return needsConfiguration
            } else {
                configuration = try SentConfiguration(running: arguments)
            }
            JobProgram.freeInput()
            write(status: .ok, [])
            job.run(configuration) { JobProgram.write($0) }
        } catch {
            write(status: .ok, ReplayJob.end(error))
        }
        return ExitStatus.ok
    }

    private static func files(_ arguments: [String]) {
        do throws(RequestError) {
            write(status: .ok, try SentConfiguration(running: arguments).json)
        } catch {
            write(status: Answer.status(of: error.code), Answer.failureLine(error))
        }
    }

    private static func write(status: HTTPResponseStatus, _ body: [UInt8]) {
        JobProgram.write(Array("\(status.code)\n".utf8) + body)
    }
}
#endif
