// SPDX-License-Identifier: MIT
import GestureProtocol

extension MeasureReport {
    /// One line of JSON, with every number that was measured.
    var json: String {
        var line = LineBuffer(capacity: 4096)
        line.append("{\"measure\":")
        line.appendQuoted(gesture.rawValue)
        line.appendKey("device")
        line.appendQuoted(device)
        line.appendKey("width_mm")
        line.appendTenths(width)
        line.appendKey("height_mm")
        line.appendTenths(height)
        line.appendKey("attempts")
        line.appendInteger(Int64(count))
        appendLeftOut(to: &line)
        if let finding { append(finding, to: &line) }
        line.append("}\n")
        return line.text
    }

    private func appendLeftOut(to line: inout LineBuffer) {
        line.append(",\"left_out\":{\"several_contacts\":")
        line.appendInteger(Int64(leftOut.severalContacts))
        line.appendKey("cancelled")
        line.appendInteger(Int64(leftOut.cancelled))
        line.appendKey("bounces")
        line.appendInteger(Int64(leftOut.bounces))
        line.appendKey("alone")
        line.appendInteger(Int64(leftOut.alone))
        line.append("}")
    }

    private func append(_ finding: Finding, to line: inout LineBuffer) {
        line.append(",\"measures\":[")
        for (index, measure) in finding.measures.enumerated() {
            if index > 0 { line.append(",") }
            append(measure, to: &line)
        }
        line.append("],\"limits\":[")
        for (index, limit) in finding.limits.enumerated() {
            if index > 0 { line.append(",") }
            line.append("{\"key\":")
            line.appendQuoted(limit.key)
            line.appendKey("limit")
            line.appendTenths(limit.value)
            line.appendKey("unit")
            line.appendQuoted(limit.unit)
            line.appendKey("refused")
            line.appendInteger(Int64(limit.refused))
            line.append("}")
        }
        line.append("],\"refused\":")
        line.appendInteger(Int64(finding.refused))
        line.appendKey("refused_then")
        line.appendInteger(Int64(finding.refusedThen))
        line.appendKey("suggestion")
        line.appendQuoted(finding.toml)
    }

    private func append(_ measure: Finding.Measure, to line: inout LineBuffer) {
        let distribution = measure.distribution
        line.append("{\"name\":")
        line.appendQuoted(measure.name)
        line.appendKey("unit")
        line.appendQuoted(measure.unit)
        line.appendKey("min")
        line.appendTenths(distribution.minimum)
        line.appendKey("p10")
        line.appendTenths(distribution.quantile(0.1))
        line.appendKey("median")
        line.appendTenths(distribution.median)
        line.appendKey("p90")
        line.appendTenths(distribution.quantile(0.9))
        line.appendKey("p95")
        line.appendTenths(distribution.quantile(0.95))
        line.appendKey("max")
        line.appendTenths(distribution.maximum)
        line.append(",\"values\":[")
        for (index, value) in distribution.values.enumerated() {
            if index > 0 { line.append(",") }
            line.appendTenths(value)
        }
        line.append("]}")
    }
}
