// SPDX-License-Identifier: MIT

/// The report as one page, which needs no network and no script.
extension ReportOutput {
    var html: String {
        """
        <!doctype html>
        <html lang="en">
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
        <title>Report on \(Self.escaped(period))</title>
        <style>\(Self.style)</style>
        <main>
        <h1>Report on \(Self.escaped(period))</h1>
        <dl>\(sums.map { "<dt>\(Self.escaped($0.0))</dt><dd>\(Self.escaped($0.1))</dd>" }.joined())</dl>
        \(healthSection)
        \(adviceSection)
        <h2>Sessions</h2>
        <div class="pair">\(chart("by day", days))\(chart("by the hour in which they began", hours))</div>
        \(data.maps.filter { $0.kind == .all }.map { heatMap($0) }.joined(separator: "\n"))
        \(regionTable)
        \(sceneTable)
        <p class="note">Counted by gestured-report. Nobody was seen: places are cells of at least 5 mm, times are quarters of \
        an hour, and private regions are left out.</p>
        </main>
        </html>

        """
    }

    private static let style = """
        :root{color-scheme:light dark;--ink:#1c2733;--soft:#5b6b7b;--line:#d5dde5;--page:#fff;--mark:#0b6bcb;--heat:210 90% 45%}
        @media(prefers-color-scheme:dark){:root{--ink:#e6edf3;--soft:#9fb0c0;--line:#33414f;--page:#12181f;--mark:#58a6ff;--heat:30 95% 55%}}
        body{margin:0;background:var(--page);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
        main{max-width:60rem;margin:auto;padding:1rem 1.25rem 3rem}
        h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem}
        dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1.2rem}dt{color:var(--soft)}dd{margin:0}
        ol{padding-left:1.4rem}li{margin:.6rem 0}li b{font-size:1.05rem}
        table{border-collapse:collapse;width:100%}th,td{padding:.25rem .6rem;border-bottom:1px solid var(--line);text-align:right}
        th:first-child,td:first-child,td:last-child,th:last-child{text-align:left}th{color:var(--soft);font-weight:500}
        svg{width:100%;height:auto;display:block}svg text{fill:var(--soft);font:11px system-ui,sans-serif}
        .bar{fill:var(--mark)}.box{fill:none;stroke:var(--ink);stroke-opacity:.6}.glass{fill:none;stroke:var(--line)}
        .pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(18rem,1fr));gap:1.5rem}
        figure{margin:0}figcaption,.note{color:var(--soft);font-size:.9rem}.map{overflow-x:auto}
        """

    /// The other troubles of the glass; the sums have the worst one.
    private var healthSection: String {
        guard let health, health.findings.count > 1 else { return "" }
        return "<h2>The glass</h2>\n<ul>\(health.findings.map { "<li>\(Self.escaped($0.text))</li>" }.joined())</ul>"
    }

    private var adviceSection: String {
        guard !advice.isEmpty || !nearMisses.isEmpty else { return "" }
        let entries =
            advice.map { (name: $0.region.name, text: Self.sentences($0).joined(separator: " ")) }
            + nearMisses.map { (name: $0.region, text: Self.sentence($0)) }
        let items = entries.map { "<li><b>\(Self.escaped($0.name))</b><br>\(Self.escaped($0.text))</li>" }
        return "<h2>What to change</h2>\n<p>\(Self.adviceNote)</p>\n<ol>\(items.joined(separator: "\n"))</ol>"
    }

    private var days: [(String, Int)] {
        data.days.map { ("\($0.day.weekday) \($0.day.text.suffix(5))", $0.sessions) }
    }

    private var hours: [(String, Int)] {
        let used = data.hours.indices.filter { data.hours[$0] > 0 }
        guard let first = used.first, let last = used.last else { return [] }
        return (first...last).map { ("\($0)", data.hours[$0]) }
    }

    private func chart(_ caption: String, _ bars: [(String, Int)]) -> String {
        let (width, height) = (max(240, bars.count * 22), 120)
        let most = max(1, bars.map { $0.1 }.max() ?? 1)
        let step = Double(width) / Double(max(1, bars.count))
        // A label is about 34 units wide.
        let every = max(1, Int((34 / step).rounded(.up)))
        var svg = ""
        for (index, bar) in bars.enumerated() {
            let size = Double(bar.1) / Double(most) * Double(height - 16)
            let x = Double(index) * step
            svg +=
                "<rect class=\"bar\" x=\"\(Self.number(x + step * 0.1))\" y=\"\(Self.number(Double(height) - size))\" width=\"\(Self.number(step * 0.8))\" height=\"\(Self.number(size))\"><title>\(Self.escaped(bar.0)): \(bar.1)</title></rect>"
            if index % every == 0 {
                svg +=
                    "<text x=\"\(Self.number(x + step / 2))\" y=\"\(height + 14)\" text-anchor=\"middle\">\(Self.escaped(String(bar.0.suffix(5))))</text>"
            }
        }
        return
            "<figure><svg viewBox=\"0 0 \(width) \(height + 20)\" role=\"img\" aria-label=\"Sessions \(caption)\"><text x=\"0\" y=\"10\">\(most)</text>\(svg)</svg><figcaption>\(caption)</figcaption></figure>"
    }

    private func heatMap(_ map: ReportData.Map) -> String {
        let cell = map.grid.cell
        let (width, height) = (map.grid.columns * cell, map.grid.rows * cell)
        let most = Double(max(1, map.counts.sorted.map { $0.count }.max() ?? 1))
        var svg = ""
        for (place, count) in map.counts.sorted {
            // The square root shows quiet cells beside busy ones.
            let share = (Double(count) / most).squareRoot()
            svg +=
                "<rect x=\"\(place % map.grid.columns * cell)\" y=\"\(place / map.grid.columns * cell)\" width=\"\(cell)\" height=\"\(cell)\" fill=\"hsl(var(--heat)/\(Self.number(0.08 + share * 0.92)))\"><title>\(count)</title></rect>"
        }
        let names = Set(data.regions.map { $0.name })
        for box in data.boxes where box.device == map.device && names.contains(box.region) {
            svg +=
                "<rect class=\"box\" stroke-width=\"\(width / 400 + 1)\" x=\"\(box.left)\" y=\"\(box.top)\" width=\"\(box.right - box.left)\" height=\"\(box.bottom - box.top)\"/>"
            svg +=
                "<text style=\"font-size:\(width / 60)px\" x=\"\(box.left + width / 200)\" y=\"\(box.top + width / 50)\">\(Self.escaped(box.region))</text>"
        }
        let name = "Where touches landed on \(map.device)" + (data.scenes.count > 1 ? ", scene \(map.scene)" : "")
        return """
            <h2>\(Self.escaped(name))</h2>
            <figure class="map"><svg viewBox="0 0 \(width) \(height)" role="img" aria-label="\(Self.escaped(name))">\
            <rect class="glass" width="\(width)" height="\(height)"/>\(svg)</svg><figcaption>\
            \(Self.counted(map.counts.total, "touch")); cells of \(LimitAdvice.text(cell * 10)) mm, the fullest has \
            \(Int(most)). Boxes are the regions.</figcaption></figure>
            """
    }

    private var regionTable: String {
        let rows = data.regions.map { region in
            let gestures = region.gestures.map { "\($0.name) \($0.count)" }.joined(separator: ", ")
            return
                "<tr><td>\(Self.escaped(region.name))</td><td>\(region.use.touches)</td><td>\(region.use.failed)</td><td>\(region.use.twice)</td><td>\(Self.escaped(gestures))</td></tr>"
        }
        return
            "<h2>Regions</h2>\n<table><tr><th>Region</th><th>touches</th><th>failed</th><th>tried twice</th><th>gestures</th></tr>\(rows.joined(separator: "\n"))</table>"
    }

    private var sceneTable: String {
        guard data.scenes.count > 1 else { return "" }
        let rows = data.scenes.map { "<tr><td>\(Self.escaped($0.name))</td><td>\(Self.time($0.count))</td></tr>" }
        return "<h2>Scenes</h2>\n<table><tr><th>Scene</th><th>time in sessions</th></tr>\(rows.joined())</table>"
    }

    static func escaped(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            default: result.append(character)
            }
        }
    }

    private static func number(_ value: Double) -> String { LimitAdvice.text(Int((value * 100).rounded())) }
}
