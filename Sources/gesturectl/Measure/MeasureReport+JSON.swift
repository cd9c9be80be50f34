// SPDX-License-Identifier: MIT

extension MeasureReport {
    /// One line of JSON, with every number that was measured.
    var json: String {
        var object = JSONObject()
        object.add("measure", gesture.rawValue)
        object.add("device", device)
        object.add("width_mm", tenths: width)
        object.add("height_mm", tenths: height)
        object.add("attempts", Int64(count))
        object.add("left_out", leftOutObject)
        if let finding { Self.add(finding, to: &object) }
        return object.text + "\n"
    }

    private var leftOutObject: JSONObject {
        var object = JSONObject()
        object.add("several_contacts", Int64(leftOut.severalContacts))
        object.add("cancelled", Int64(leftOut.cancelled))
        object.add("bounces", Int64(leftOut.bounces))
        object.add("alone", Int64(leftOut.alone))
        return object
    }

    private static func add(_ finding: Finding, to object: inout JSONObject) {
        object.add("measures", finding.measures.map(measureObject))
        let limits = finding.limits.map { limit in
            var object = JSONObject()
            object.add("key", limit.key)
            object.add("limit", tenths: limit.value)
            object.add("unit", limit.unit)
            object.add("refused", Int64(limit.refused))
            return object
        }
        object.add("limits", limits)
        object.add("refused", Int64(finding.refused))
        object.add("refused_then", Int64(finding.refusedThen))
        object.add("suggestion", finding.toml)
    }

    private static func measureObject(_ measure: Finding.Measure) -> JSONObject {
        let distribution = measure.distribution
        var object = JSONObject()
        object.add("name", measure.name)
        object.add("unit", measure.unit)
        object.add("min", tenths: distribution.minimum)
        object.add("p10", tenths: distribution.quantile(0.1))
        object.add("median", tenths: distribution.median)
        object.add("p90", tenths: distribution.quantile(0.9))
        object.add("p95", tenths: distribution.quantile(0.95))
        object.add("max", tenths: distribution.maximum)
        object.add("values", tenths: distribution.values)
        return object
    }
}
