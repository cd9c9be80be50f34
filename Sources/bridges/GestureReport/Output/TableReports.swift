// SPDX-License-Identifier: MIT
import GestureProtocol

/// The report for other programs.
extension ReportOutput {
    /// Rows with the columns `what`, `subject`, `detail` and `value`.
    var csv: String {
        var rows: [[String]] = [["what", "subject", "detail", "value"]]
        for day in data.days {
            rows.append(["sessions", day.day.text, "", "\(day.sessions)"])
            rows.append(["session_touches", day.day.text, "", "\(day.touches)"])
            rows.append(["session_seconds", day.day.text, "", "\(day.seconds)"])
        }
        for (hour, count) in data.hours.enumerated() { rows.append(["sessions_by_hour", "\(hour)", "", "\(count)"]) }
        for region in data.regions {
            rows.append(["touches", region.name, "", "\(region.use.touches)"])
            rows.append(["failed", region.name, "", "\(region.use.failed)"])
            rows.append(["tried_twice", region.name, "", "\(region.use.twice)"])
            if region.use.nothing > 0 { rows.append(["nothing_there", region.name, "", "\(region.use.nothing)"]) }
            for gesture in region.gestures { rows.append(["gesture", region.name, gesture.name, "\(gesture.count)"]) }
            for failure in region.failures {
                rows.append(["failure", region.name, "\(failure.gesture) \(failure.code)", "\(failure.count)"])
            }
        }
        for scene in data.scenes { rows.append(["scene_seconds", scene.name, "", "\(scene.count)"]) }
        for panel in data.glass {
            if let rate = panel.use.reportRate { rows.append(["report_rate_hz", panel.device, "", Self.tenths(rate)]) }
            if let jitter = panel.use.jitter { rows.append(["jitter_mm_s", panel.device, "", Self.tenths(jitter)]) }
            rows.append(["dark_seconds", panel.device, "", "\(panel.dark)"])
        }
        for entry in advice {
            guard let limit = entry.limit, let setting = limit.setting else { continue }
            rows.append(["advice", entry.region.name, "\(limit.key.gesture) \(limit.key.key)", setting])
        }
        return rows.map { $0.map(Self.field).joined(separator: ",") + "\r\n" }.joined()
    }

    /// A field of CSV. One that a spreadsheet would take for a formula begins with an apostrophe.
    private static func field(_ text: String) -> String {
        let plain = text.first.map { "=+-@\t".contains($0) } == true && Int(text) == nil ? "'" + text : text
        guard plain.contains(where: { "\",\r\n".contains($0) }) else { return plain }
        return "\"" + plain.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }

    var json: [UInt8] {
        JSONWriter.line { json in
            json.member("first", data.first.text)
            json.member("last", data.last.text)
            json.member("sessions", data.sessions)
            json.member("median_seconds", data.medianLength)
            json.member("touches", data.touches)
            json.member("failed", data.failed)
            json.member("nothing_there", data.nothing)
            json.objects("days", data.days) { day, json in
                json.member("day", day.day.text)
                json.member("sessions", day.sessions)
                json.member("touches", day.touches)
                json.member("seconds", day.seconds)
            }
            json.array("sessions_by_hour") { json in for count in data.hours { json.value(count) } }
            json.objects("regions", data.regions) { Self.write($0, into: &$1) }
            json.objects("scenes", data.scenes) { scene, json in
                json.member("scene", scene.name)
                json.member("seconds", scene.count)
            }
            json.objects("maps", data.maps) { Self.write($0, into: &$1) }
            json.objects("panels", data.glass) { panel, json in
                json.member("device", panel.device)
                if let rate = panel.use.reportRate { json.member("report_rate_hz", tenths: rate) }
                if let jitter = panel.use.jitter { json.member("jitter_mm_s", tenths: jitter) }
                json.member("dark_seconds", panel.dark)
            }
            json.objects("advice", advice) { Self.write($0, into: &$1) }
            if let health { json.object("health") { health.write(into: &$0) } }
            json.objects("near", nearMisses) { miss, json in
                json.member("region", miss.region)
                json.member("side", miss.side.rawValue)
                json.member("count", miss.count)
            }
        }
    }

    private static func write(_ region: ReportData.Region, into json: inout JSONWriter) {
        json.member("region", region.name)
        json.member("touches", region.use.touches)
        json.member("failed", region.use.failed)
        json.member("tried_twice", region.use.twice)
        json.member("nothing_there", region.use.nothing)
        json.objects("gestures", region.gestures) { gesture, json in
            json.member("name", gesture.name)
            json.member("count", gesture.count)
        }
        json.objects("failures", region.failures) { failure, json in
            json.member("name", failure.gesture)
            json.member("code", failure.code)
            json.member("count", failure.count)
        }
    }

    private static func write(_ map: ReportData.Map, into json: inout JSONWriter) {
        json.member("device", map.device)
        json.member("scene", map.scene)
        json.member("kind", "\(map.kind)")
        json.member("cell_mm", tenths: Double(map.grid.cell) / 10)
        json.member("columns", map.grid.columns)
        json.member("rows", map.grid.rows)
        json.array("counts") { json in
            for place in 0..<min(map.grid.columns * map.grid.rows, SparseCounts.mostPlaces) {
                json.value(map.counts[place])
            }
        }
    }

    private static func write(_ entry: RegionAdvice, into json: inout JSONWriter) {
        json.member("region", entry.region.name)
        json.member("failed", entry.region.use.failed)
        guard let limit = entry.limit else { return }
        json.member("gesture", limit.key.gesture)
        json.member("code", limit.key.code)
        json.member("key", limit.key.key)
        json.member("unit", limit.key.unit)
        json.member("limit", tenThousandths: Double(limit.key.limit) / 100)
        if let proposed = limit.proposed { json.member("proposed", tenThousandths: Double(proposed) / 100) }
        json.member("missed", limit.missed)
        json.member("admitted", limit.admitted)
        json.member("wrong", limit.wrong)
    }
}

extension GlassHealth {
    func write(into json: inout JSONWriter) {
        json.member("score", score)
        json.member("reason", reason)
        json.objects("findings", findings) { finding, json in
            json.member("trouble", finding.word)
            json.member("device", finding.device)
            json.member("text", finding.text)
        }
    }
}
