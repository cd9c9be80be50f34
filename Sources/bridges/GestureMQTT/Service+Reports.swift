// SPDX-License-Identifier: MIT
#if MQTT
import BridgeProgram
import GestureClient
import GestureEngine
import GestureProtocol
import LinuxSystem

/// Periodic messages: statistics and health.
extension Service {
    func tick() {
        let now = MonotonicClock.now()
        if now >= due.statistics {
            due.statistics = now + settings.statistics.interval.microseconds
            refresh { [weak self] in self?.addStatistics() }
        }
        if now >= due.health {
            due.health = now + settings.health.interval.microseconds
            refresh { [weak self] in self?.addHealth(always: true) }
        }
        if now >= due.check {
            due.check = now + Self.check
            subscribe()
            lookForNoise()
            publishSums()
            refresh { [weak self] in self?.addHealth(always: false) }
        }
        armTimer()
    }

    /// Sends what `gestured-report` has counted today if that has changed.
    func publishSums() {
        guard broker.isConnected, let sums = DailySums.read(settings.report), sums != lastSums else { return }
        lastSums = sums
        publish(retained: Reports.sums(sums, time: Self.wallMilliseconds), to: topics.report)
    }

    func armTimer() { timer?.arm(at: min(due.check, due.health, due.statistics)) }

    private func addStatistics() {
        guard panel.hello != nil, !mayHavePrivateRegions, !panel.counts.instance.isEmpty else { return }
        request("regions") { [weak self] reply in
            guard case .success(let value) = reply else { return }
            self?.addStatistics(HomeAssistant.regions(value))
        }
    }

    private func addStatistics(_ regions: [GestureClient.Region]) {
        let counts = panel.counts
        areas.add(
            counts.since(baseline), contacts: counts.contacts(since: baseline),
            enabled: Dictionary(regions.map { ($0.id, $0.isEnabled) }) { $0 || $1 })
        panel.deadRegions = areas.dead
        let since = counts.instance == baseline.instance ? baseline.uptime : 0
        spool.add(topic: topics.statistics, isRetained: true, states: ["counts": counts.saved, "areas": areas.saved]) {
            id in
            Reports.statistics(
                counts.since(baseline), seconds: max(0, counts.uptime - since + 500) / 1000,
                instance: counts.instance, id: id, time: Self.wallMilliseconds)
        }
        baseline = counts
        send()
    }

    /// Updates the number of areas that are touched continuously, if this client has the right to see it.
    private func lookForNoise() {
        guard panel.hasRight("raw"), !mayHavePrivateRegions else { return }
        for device in panel.devices where device.state == "ready" {
            request("touch_map", [("device", .text(device.id))]) { [weak self] reply in
                guard let self, case .success(let map) = reply else { return }
                noise[device.id, default: NoiseWatch()].look(map)
                panel.noisyAreas = noise.values.reduce(0) { $0 + $1.noisy }
            }
        }
    }

    /// - Parameter always: whether to send the message even if no urgent value has changed.
    private func addHealth(always: Bool) {
        panel.gesturesDropped = outbox.gestures.dropped
        (panel.waiting, panel.spoolDropped, panel.spoolFailure) = (spool.count, spool.dropped, spool.failure)
        let urgent = Reports.object { json in
            json.member("faults", panel.faults)
            json.member("lost", panel.status?.whole("resyncs") ?? 0)
            for device in panel.counts.panels {
                json.key(named: device.device)
                json.array { json in
                    json.value(Int64(device.storms ?? 0))
                    json.object { Counts.write(device.ignored, into: &$0) }
                }
            }
        }
        guard always || urgent != lastHealth else { return }
        lastHealth = urgent
        spool.add(topic: topics.health) { Reports.health(panel, id: $0, time: Self.wallMilliseconds) }
        send()
    }
}
#endif
