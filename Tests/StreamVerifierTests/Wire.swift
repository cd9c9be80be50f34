// SPDX-License-Identifier: MIT

/// Lines of a valid stream, which tests change to make violations.
enum Wire {
    static let press = #""gesture":"press","name":"press""#
    static let place = #""region":"ok","device":"panel""#
    static let spot = #""x":1210.5,"y":802.0,"u":0.41,"v":0.52"#

    static let greeting = [
        #"{"event":"hello","protocol":1,"server":"gestured 0.1.0","instance":"b1946ac9","capabilities":["subscribe"],"rights":["control"],"config_generation":3}"#,
        #"{"event":"state","seq":0,"devices":[{"device":"panel","state":"ready"}],"scene":"default","active":[{"region":"ok","gesture":"press","name":"press","device":"panel","sequence":871}]}"#,
    ]

    /// The examples in the protocol's documentation, in an order that is valid.
    static let good =
        greeting + [
            end(1, sequence: 871), begin(2), tap(3), end(4),
            #"{"event":"gesture","seq":5,"gesture":"swipe","name":"page","region":"carousel","device":"panel","sequence":873,"fingers":1,"direction":"left","angle":178.8,"distance_mm":41.3,"velocity_mm_s":310.0,"duration_ms":133,"start":{"x":923.0,"y":422.0},"x":511.0,"y":430.0,"u":0.27,"v":0.43,"time_us":83912300500}"#,
            #"{"event":"gesture","seq":6,"gesture":"repeat","name":"repeat","region":"vol_up","device":"panel","sequence":875,"fingers":1,"n":1,"held_ms":1100,"x":1830.0,"y":900.0,"u":0.5,"v":0.5,"time_us":83913400500}"#,
            #"{"event":"gesture","seq":7,"gesture":"drag","name":"drag","phase":"begin","region":"map","device":"panel","sequence":876,"fingers":1,"dx":0.0,"dy":0.0,"vx":0.0,"vy":0.0,"start":{"x":400.0,"y":300.0},"x":441.0,"y":294.0,"u":0.31,"v":0.28,"time_us":83913500000}"#,
            #"{"event":"gesture","seq":10,"gesture":"drag","name":"drag","phase":"update","region":"map","device":"panel","sequence":876,"fingers":1,"dx":31.0,"dy":-4.5,"vx":410.0,"vy":-80.0,"start":{"x":400.0,"y":300.0},"x":441.0,"y":294.0,"u":0.31,"v":0.28,"coalesced":2,"time_us":83913500000}"#,
            #"{"event":"gesture","seq":11,"gesture":"drag","name":"drag","phase":"end","region":"map","device":"panel","sequence":876,"fingers":1,"dx":31.0,"dy":-4.5,"vx":410.0,"vy":-80.0,"start":{"x":400.0,"y":300.0},"predicted":{"x":-645.6,"y":254.1},"x":441.0,"y":294.0,"u":0.31,"v":0.28,"time_us":83913508000}"#,
            #"{"event":"gesture","seq":12,"gesture":"pinch","name":"zoom","phase":"begin","region":"map","device":"panel","sequence":877,"fingers":2,"scale":1.31,"x":640.0,"y":360.0,"u":0.5,"v":0.5,"time_us":83913510000}"#,
            #"{"event":"gesture","seq":13,"gesture":"pinch","name":"zoom","phase":"cancel","reason":"device_removed","region":"map","device":"panel","sequence":877,"fingers":2,"scale":1.31,"x":640.0,"y":360.0,"u":0.5,"v":0.5,"time_us":83913520000}"#,
            failed(14),
            #"{"event":"touches","seq":15,"device":"panel","time_us":83913000000,"contacts":[{"id":91,"slot":0,"x":10.0,"y":20.0,"region":"ok","sequence":874,"major_mm":8.2}],"seen_by":[{"region":"screen","sequence":875,"contacts":[91]}]}"#,
            device(16, "added"),
            #"{"event":"config","seq":17,"change":"rejected","generation":4,"diagnostics":[{"severity":"error","file":"/etc/gestured/gestured.toml","line":41,"column":21,"code":"unknown_key","message":"unknown key \"min_distanc\"","suggestion":"min_distance"}]}"#,
            idle(18, "idle"), idle(19, "active"),
            overflow(50, dropped: 30),
            state(50),
            #"{"event":"gesture","seq":51,"gesture":"rotate","name":"turn","phase":"begin","region":"map","device":"panel","sequence":878,"fingers":2,"rotation":-8.5,"x":640.0,"y":360.0,"u":0.5,"v":-0.0301,"time_us":83913520000}"#,
            #"{"event":"gesture","seq":52,"gesture":"rotate","name":"turn","phase":"end","region":"map","device":"panel","sequence":878,"fingers":1,"rotation":-8.5,"x":640.0,"y":360.0,"u":0.5,"v":1.0,"time_us":83913520000}"#,
            #"{"reply":"ping","id":6,"ok":true}"#,
            #"{"event":"bye","reason":"shutdown"}"#,
        ]

    static func idle(_ seq: Int64, _ change: String) -> String {
        let reason = change == "active" ? #","reason":"touch""# : ""
        return #"{"event":"idle","seq":\#(seq),"name":"saver","change":"\#(change)"\#(reason),"#
            + #""idle_ms":60000,"time_us":1}"#
    }

    static func begin(_ seq: Int64, sequence: Int64 = 872) -> String {
        #"{"event":"gesture","seq":\#(seq),\#(press),"phase":"begin",\#(place),"sequence":\#(sequence),"fingers":1,\#(spot),"inside":true,"time_us":83912044123}"#
    }

    static func update(_ seq: Int64, coalesced: Int = 0) -> String {
        let merged = coalesced > 0 ? #""coalesced":\#(coalesced),"# : ""
        return
            #"{"event":"gesture","seq":\#(seq),\#(press),"phase":"update",\#(place),"sequence":872,"fingers":1,\#(spot),"inside":false,\#(merged)"time_us":83912044123}"#
    }

    static func end(_ seq: Int64, sequence: Int64 = 872) -> String {
        #"{"event":"gesture","seq":\#(seq),\#(press),"phase":"end",\#(place),"sequence":\#(sequence),"fingers":1,\#(spot),"inside":true,"held_ms":84,"time_us":83912128123}"#
    }

    static func tap(_ seq: Int64, sequence: Int64 = 872) -> String {
        #"{"event":"gesture","seq":\#(seq),"gesture":"tap","name":"tap",\#(place),"sequence":\#(sequence),"fingers":1,"count":1,\#(spot),"duration_ms":84,"time_us":83912128123}"#
    }

    static func repeated(_ seq: Int64, n: Int) -> String {
        #"{"event":"gesture","seq":\#(seq),"gesture":"repeat","name":"repeat",\#(place),"sequence":875,"fingers":1,"n":\#(n),"held_ms":1100,\#(spot),"time_us":83913400500}"#
    }

    static func failed(_ seq: Int64) -> String {
        #"{"event":"failed","seq":\#(seq),"gesture":"swipe","name":"page",\#(place),"sequence":872,"code":"too_slow","key":"max_time","value":612,"limit":500,"unit":"ms","message":"took 612 ms","time_us":83913600000}"#
    }

    static func device(_ seq: Int64, _ change: String) -> String {
        #"{"event":"device","seq":\#(seq),"change":"\#(change)","device":"panel","node":"/dev/input/event4","name":"Goodix"}"#
    }

    static func overflow(_ seq: Int64, dropped: Int64) -> String {
        #"{"event":"overflow","seq":\#(seq),"dropped":\#(dropped),"since_ms":2210}"#
    }

    static func state(_ seq: Int64) -> String {
        #"{"event":"state","seq":\#(seq),"devices":[{"device":"panel","state":"ready"}],"scene":"default","active":[]}"#
    }

    static func touches(_ seq: Int64, _ ids: [Int64]) -> String {
        let contacts = ids.map { #"{"id":\#($0),"slot":\#($0),"x":10.0,"y":20.0}"# }.joined(separator: ",")
        return #"{"event":"touches","seq":\#(seq),"device":"panel","time_us":83913000000,"contacts":[\#(contacts)]}"#
    }
}
