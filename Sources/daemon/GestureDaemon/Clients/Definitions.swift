// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureEngine
import GestureProtocol
import GestureServer
import LinuxSystem

/// The regions of a `define_regions` request.
struct Definition: Sendable {
    /// Whether the regions are removed when the peer's connection ends.
    let isLease: Bool
    /// Whether changed and removed regions stay as they are until no gesture is active in them.
    let waits: Bool
    private var regions: [JSONValue]
    private var texts: [String] = []
    /// The number of times that a thread's result was discarded because the data it depends on had changed in the
    /// meantime.
    var attempts = 0

    init(_ regions: [JSONValue], isLease: Bool, waits: Bool) {
        (self.regions, self.isLease, self.waits) = (regions, isLease, waits)
    }

    var count: Int { regions.count + texts.count }

    /// The JSON objects that define the regions.
    var values: [JSONValue] {
        texts.isEmpty ? regions : texts.compactMap { text in try? JSONDocument.read(text).root }
    }

    /// Reduces the definition to its text while it waits in the queue. Parsed values take twenty times as much memory.
    mutating func shrink() {
        texts = regions.map { $0.json }
        regions = []
    }
}

/// The part of a definition that runs outside the loop.
struct DefinitionJob: Sendable {
    struct Outcome: Sendable {
        /// `nil` if there is an error.
        let rules: [RegionRule]?
        let diagnostics: [Diagnostic]
        /// `nil` if the regions were not laid out.
        let panels: PreparedPanels?

        init(_ read: (rules: [RegionRule]?, diagnostics: [Diagnostic]), panels: PreparedPanels? = nil) {
            (rules, diagnostics) = read
            self.panels = panels
        }
    }

    let definition: Definition
    let lease: RuntimeChanges.Lease?
    let definer: Definer
    /// The ids of the regions that the definition replaces.
    let replaced: Set<String>
    /// The configuration without and with the changes made by clients, when the job was created.
    let written, current: Configuration
    let changes: RuntimeChanges
    let generation: Int64

    func read() -> (rules: [RegionRule]?, diagnostics: [Diagnostic]) {
        current.readDefinitions(definition.values, file: "regions", by: definer, replacing: replaced)
    }

    /// Reads the definitions and lays out the regions.
    func run(_ panels: [OpenPanel]) -> Outcome {
        let read = read()
        guard let rules = read.rules else { return Outcome(read) }
        let next = changes.defining(rules, lease: lease, seesPrivate: definer.seesPrivate, files: written)
        return Outcome(read, panels: PreparedPanels(panels, written.applying(next.state)))
    }
}

/// Replaces all regions that a client has defined. Definitions with few regions are applied immediately. Larger ones
/// are read on a thread, one after the other.
final class Definitions {
    /// Definitions with more regions than this are read and laid out on a thread.
    private static let fewRegions = 16
    /// The maximum number of times that a thread rereads a definition. After that, the loop reads it, so that changes
    /// by other clients cannot delay it forever.
    private static let mostAttempts = 4

    private let loop: EventLoop
    private let log: Log
    private let server: GestureServer
    private let devices: Devices
    private let store: ConfigurationStore
    private let changes: RegionChanges
    private let leases: Leases
    /// Definitions with many regions, and the connections that are waiting for the replies.
    private var queue: [(connection: Int64, definition: Definition)] = []
    /// Whether the first definition in the queue is being read.
    private var isDefining = false
    /// The thread that reads the first definition, if there is one.
    private var work: BackgroundWork<DefinitionJob.Outcome>?

    init(
        loop: EventLoop, _ server: GestureServer, _ updates: PanelUpdates, _ changes: RegionChanges, _ leases: Leases
    ) {
        (self.loop, self.server, self.changes, self.leases) = (loop, server, changes, leases)
        (log, devices, store) = (updates.log, updates.panels.devices, updates.store)
    }

    /// Replaces the leased regions of a peer, or the regions without a lease. If there are many regions, the reply is
    /// sent later.
    func define(_ definition: Definition, by peer: Peer, into json: inout JSONWriter) -> RequestAnswer {
        do throws(RequestError) {
            let job = try job(for: definition, by: peer)
            if definition.count + job.replaced.count <= Self.fewRegions, !leases.hasEnded {
                try putInForce(DefinitionJob.Outcome(job.read()), of: job, for: peer, into: &json)
                return .complete
            }
            queue.append((peer.connection, definition))
            if queue.count > 1 { queue[queue.count - 1].definition.shrink() }
            return .pending
        } catch {
            return .refused(error)
        }
    }

    /// Abandons the definition that is being read.
    func stop() { work?.abandon() }

    /// Prepares a definition.
    /// - Throws: if the peer may not define the regions.
    private func job(for definition: Definition, by peer: Peer) throws(RequestError) -> DefinitionJob {
        let lease = try peer.lease(definition.isLease, for: .defineRegions, files: store.files)
        // The regions that are replaced do not count toward the limit. Regions that are defined again stay switched on
        // or off.
        var others = store.changes
        others.define([], lease: lease, seesPrivate: peer.seesPrivate)
        let definer = try DefinitionLimits(store: store).definer(for: peer, besides: others, adding: definition.count)
        let replaced = Set(
            store.changes.rules(of: lease?.connection, seesPrivate: peer.seesPrivate).map { $0.id })
        return DefinitionJob(
            definition: definition, lease: lease, definer: definer,
            replaced: replaced.subtracting(store.written.writtenIDs), written: store.written, current: store.current,
            changes: store.changes, generation: store.generation)
    }

    var isWaiting: Bool { !queue.isEmpty }

    /// Starts a thread for the first definition, unless a thread is already running. Waits until the leases of closed
    /// connections have ended, because their regions may have the same ids.
    func startNext() {
        while !isDefining, !leases.hasEnded, let (connection, definition) = queue.first {
            if let peer = server.peer(of: connection) {
                do throws(RequestError) {
                    begin(try job(for: definition, by: peer))
                    return
                } catch {
                    server.answerPending(of: connection) { _ in .refused(error) }
                }
            }
            queue.removeFirst()
        }
    }

    private func begin(_ job: DefinitionJob) {
        isDefining = true
        let panels = devices.openPanels
        do throws(SystemError) {
            work = try BackgroundWork(loop: loop, trimsMemory: false, { job.run(panels) }) { [unowned self] in
                finish($0, of: job)
            }
        } catch {
            log.warning("regions: cannot start a thread, so the loop lays them out: \(error)")
            loop.schedule.tryAgain { [unowned self] in finish(job.run(panels), of: job) }
        }
    }

    private func finish(_ outcome: DefinitionJob.Outcome, of job: DefinitionJob) {
        (work, isDefining) = (nil, false)
        // The definition is read again at the end of the turn.
        if isOutdated(job), job.definition.attempts < Self.mostAttempts {
            queue[0].definition.attempts += 1
            return
        }
        let connection = queue.removeFirst().connection
        guard let peer = server.peer(of: connection) else { return }
        server.answerPending(of: connection) { json in
            do throws(RequestError) {
                try putInForce(outcome, of: job, for: peer, into: &json)
                return .complete
            } catch {
                return .refused(error)
            }
        }
    }

    /// Whether data that the job depends on has changed since it was created.
    private func isOutdated(_ job: DefinitionJob) -> Bool {
        job.changes != store.changes || job.generation != store.generation
    }

    /// Applies a definition, and writes the reply.
    /// - Throws: if the definitions contain an error.
    private func putInForce(
        _ outcome: DefinitionJob.Outcome, of job: DefinitionJob, for peer: Peer, into json: inout JSONWriter
    ) throws(RequestError) {
        let definition = job.definition
        var (job, outcome) = (job, outcome)
        if isOutdated(job) {
            job = try self.job(for: definition, by: peer)
            outcome = DefinitionJob.Outcome(job.read())
        }
        guard let rules = outcome.rules else { throw .configurationInvalid(outcome.diagnostics) }
        let (waiting, warnings) = try changes.replace(
            rules, of: job.lease, waits: definition.waits, for: peer, outcome.panels)
        let diagnostics = outcome.diagnostics + warnings
        json.member("regions", rules.count)
        if definition.waits { json.member("waiting", waiting) }
        if !diagnostics.isEmpty { diagnostics.write(into: &json) }
    }
}
