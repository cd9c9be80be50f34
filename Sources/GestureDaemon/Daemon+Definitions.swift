// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureEngine
import GestureProtocol
import GestureServer
import LinuxSystem

/// What a client wants its regions to be.
struct Definition: Sendable {
    /// They end with the peer's connection.
    let isLease: Bool
    /// Regions that change or go stay as they are until nothing is under way in them.
    let waits: Bool
    private var regions: [JSONValue]
    private var texts: [String] = []
    /// How often a thread has read it, and then something had changed that it depends on.
    var attempts = 0

    init(_ regions: [JSONValue], isLease: Bool, waits: Bool) {
        (self.regions, self.isLease, self.waits) = (regions, isLease, waits)
    }

    var count: Int { regions.count + texts.count }

    /// One object for each region.
    var values: [JSONValue] {
        texts.isEmpty ? regions : texts.compactMap { text in try? JSONDocument.read(text).root }
    }

    /// Keeps the text alone while it waits for others: what was read takes twenty times as much memory.
    mutating func shrink() {
        texts = regions.map { $0.json }
        regions = []
    }
}

/// All of a definition that can be done beside the loop.
struct DefinitionJob: Sendable {
    struct Outcome: Sendable {
        /// `nil`: there is an error.
        let rules: [RegionRule]?
        let diagnostics: [Diagnostic]
        /// `nil`: nothing is laid out yet.
        let panels: PreparedPanels?

        init(_ read: (rules: [RegionRule]?, diagnostics: [Diagnostic]), panels: PreparedPanels? = nil) {
            (rules, diagnostics) = read
            self.panels = panels
        }
    }

    let definition: Definition
    let lease: RuntimeChanges.Lease?
    let definer: Definer
    /// Ids of the regions whose place they take.
    let replaced: Set<String>
    /// The files, and the configuration in force, as they were when it began.
    let written, current: Configuration
    let changes: RuntimeChanges
    let generation: Int64

    func read() -> (rules: [RegionRule]?, diagnostics: [Diagnostic]) {
        current.readDefinitions(definition.values, file: "regions", by: definer, replacing: replaced)
    }

    /// Reads the definitions and lays them out.
    func run(_ panels: [OpenPanel]) -> Outcome {
        let read = read()
        guard let rules = read.rules else { return Outcome(read) }
        let next = changes.defining(rules, lease: lease, seesPrivate: definer.seesPrivate, files: written)
        return Outcome(read, panels: PreparedPanels(panels, written.applying(next.state, since: current)))
    }
}

/// Replacing all regions that a client has defined.
extension Daemon {
    /// A thread reads more regions than these and lays them out.
    private static let fewRegions = 16
    /// So often a thread reads a definition again; then the loop does, so that others' changes don't hold it up for ever.
    private static let mostAttempts = 4

    /// Replaces the regions that end with a peer's connection, or those that stay: at once, or soon if they are many.
    func define(_ definition: Definition, by peer: Peer, into json: inout JSONWriter) -> RequestAnswer {
        do throws(RequestError) {
            let job = try job(for: definition, by: peer)
            if definition.count + job.replaced.count <= Self.fewRegions, endedConnections.isEmpty {
                try putInForce(DefinitionJob.Outcome(job.read()), of: job, for: peer, into: &json)
                return .complete
            }
            definitions.append((peer.connection, definition))
            if definitions.count > 1 { definitions[definitions.count - 1].definition.shrink() }
            return .pending
        } catch {
            return .refused(error)
        }
    }

    /// - Throws: if the peer may not define them.
    private func job(for definition: Definition, by peer: Peer) throws(RequestError) -> DefinitionJob {
        let lease = try lease(definition.isLease, of: peer, for: .defineRegions)
        // What they replace does not count, but is switched as it was, as far as it comes again.
        var others = store.changes
        others.define([], lease: lease, seesPrivate: peer.seesPrivate)
        let definer = try definer(for: peer, besides: others, adding: definition.count)
        let replaced = Set(
            store.changes.rules(of: lease?.connection, seesPrivate: peer.seesPrivate).map { $0.id })
        return DefinitionJob(
            definition: definition, lease: lease, definer: definer,
            replaced: replaced.subtracting(store.written.writtenIDs), written: store.written, current: store.current,
            changes: store.changes, generation: store.generation)
    }

    /// Lets a thread read and lay out the first definition, if it is not busy. What ended connections had goes before: it
    /// may have the same ids.
    ///
    /// Called once a turn, if there are any.
    func startDefinition() {
        while !isDefining, endedConnections.isEmpty, let (connection, definition) = definitions.first {
            if let peer = server.peer(of: connection) {
                do throws(RequestError) {
                    begin(try job(for: definition, by: peer))
                    return
                } catch {
                    server.answerPending(of: connection) { _ in .refused(error) }
                }
            }
            definitions.removeFirst()
        }
    }

    private func begin(_ job: DefinitionJob) {
        isDefining = true
        let (daemon, panels) = (Unmanaged.passUnretained(self), openPanels)
        do throws(SystemError) {
            defining = try BackgroundWork(loop: loop, trimsMemory: false, { job.run(panels) }) {
                daemon.takeUnretainedValue().finish($0, of: job)
            }
        } catch {
            log.warning("regions: laid out on the loop, which waits for it: \(error)")
            loop.schedule.tryAgain { daemon.takeUnretainedValue().finish(job.run(panels), of: job) }
        }
    }

    private func finish(_ outcome: DefinitionJob.Outcome, of job: DefinitionJob) {
        (defining, isDefining) = (nil, false)
        // It begins anew at the end of the turn.
        if isOutdated(job), job.definition.attempts < Self.mostAttempts {
            definitions[0].definition.attempts += 1
            return
        }
        let connection = definitions.removeFirst().connection
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

    /// What it depends on has changed since it began.
    private func isOutdated(_ job: DefinitionJob) -> Bool {
        job.changes != store.changes || job.generation != store.generation
    }

    /// - Throws: if there is an error in the definitions.
    private func putInForce(
        _ outcome: DefinitionJob.Outcome, of job: DefinitionJob, for peer: Peer, into json: inout JSONWriter
    ) throws(RequestError) {
        let definition = job.definition
        var (job, outcome) = (job, outcome)
        if isOutdated(job) {
            // As long as the files are the same, most of the layout still holds.
            let panels = job.generation == store.generation ? outcome.panels : nil
            job = try self.job(for: definition, by: peer)
            outcome = DefinitionJob.Outcome(job.read(), panels: panels)
        }
        guard let rules = outcome.rules else { throw .configurationInvalid(outcome.diagnostics) }
        let (now, later) = definition.waits ? split(rules, of: job.lease, for: peer) : (rules, [])
        let changes = store.changes.defining(
            now, lease: job.lease, seesPrivate: peer.seesPrivate, files: store.written)
        waitingChanges = try waiting(later, after: changes, of: job.lease, for: peer)
        var diagnostics = outcome.diagnostics
        if changes != store.changes {
            store.changes = changes
            applyChanges(.regions, reads: !definition.waits, outcome.panels)
            diagnostics += layoutWarnings(about: Set(rules.map { $0.id }))
        }
        json.member("regions", rules.count)
        if definition.waits { json.member("waiting", later.count) }
        if !diagnostics.isEmpty { EventLines.write(diagnostics, limit: EventLines.longestReply, to: &json) }
    }
}
