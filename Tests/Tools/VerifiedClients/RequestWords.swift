// SPDX-License-Identifier: MIT

/// Generates random requests.
struct RequestWords {
    /// The prefix of the regions' ids.
    let prefix: String

    private static let rates = ["0.1", "0.5", "2", "10", "30", "90"]
    private static let gestures = [
        #""press","tap""#, #""drag""#, #""press","drag","pinch","rotate""#, #""tap","double_tap","long_press","swipe""#,
        #"{"type":"press","progress":"100ms"},"drag""#, #""press",{"type":"repeat"}"#,
    ]

    /// - Parameter isWhole: whether to subscribe to everything, including touches.
    func subscription(rate: Bool, isWhole: Bool) -> String {
        var members = [#""cmd":"subscribe""#, #""id":1"#]
        if isWhole || Dice.chance(50) {
            members.append(#""events":["gesture","failed","touches","idle","device","config"]"#)
        } else if Dice.chance(20) {
            members.append(#""events":["touches","device"]"#)
        }
        if !isWhole {
            if Dice.chance(20) {
                members.append(#""regions":["\#(Dice.pick(["app.*", "region_*", "*1*", "*"]))"]"#)
            }
            if Dice.chance(10) { members.append(#""devices":["\#(Dice.pick(["panel", "other", "*"]))"]"#) }
            if Dice.chance(10) { members.append(#""gestures":["\#(Dice.pick(["drag", "press", "*p*"]))"]"#) }
            if Dice.chance(10) { members.append(#""phases":["begin","update"]"#) }
        }
        if rate { members.append(#""max_rate_hz":\#(Dice.pick(Self.rates))"#) }
        if Dice.chance(30) { members.append(#""max_age_ms":\#(Dice.pick(["0", "100", "1000"]))"#) }
        return "{" + members.joined(separator: ",") + "}"
    }

    func guest() -> String {
        switch Dice.below(8) {
        case 0, 1, 2:
            // Some regions are unchanged, so that active gestures in them continue.
            let regions = (0..<8).filter { _ in Dice.chance(50) }.map {
                region($0, Dice.chance(90) ? 0 : 1)
            }
            return request("define_regions", #""regions":[\#(regions.joined(separator: ","))]"#)
        case 3, 4:
            let below = Dice.chance(50) ? #","below":"\#(prefix)\#(Dice.below(8))""# : ""
            return request(
                "put_region",
                #""region":\#(region(Dice.below(8), Dice.below(3)))\#(below)\#(wait())"#)
        case 5: return request("remove_region", #""region":"\#(prefix)\#(Dice.below(8))"\#(wait())"#)
        case 6: return #"{"cmd":"set_region","id":3,"region":"\#(prefix)*","enabled":\#(Dice.chance(70))}"#
        default: return #"{"cmd":"cancel","id":4,"region":"\#(prefix)\#(Dice.below(8))"}"#
        }
    }

    func control() -> String {
        let limit = Dice.chance(50) ? #","for_ms":\#(100 + Dice.below(900))"# : ""
        return switch Dice.below(12) {
        case 11: #"{"cmd":"activity","id":10}"#
        case 10: #"{"cmd":"set_profile","id":9,"profile":"\#(Dice.pick(["default", "steady", "slow"]))"}"#
        case 0: #"{"cmd":"set_scene","id":5,"scene":"\#(Dice.pick(["default", "half", "default"]))"\#(limit)}"#
        case 1: #"{"cmd":"set_region","id":6,"region":"region_\#(Dice.below(10))","enabled":\#(Dice.chance(80))}"#
        case 2: #"{"cmd":"cancel","id":7,"region":"region_*"}"#
        case 3: #"{"cmd":"state","id":8}"#
        default: guest().split(separator: #""lease":true,"#).joined()
        }
    }

    private func request(_ command: String, _ members: String) -> String {
        #"{"cmd":"\#(command)","id":2,"lease":true,\#(members)}"#
    }

    private func wait() -> String { Dice.chance(30) ? #","wait":true"# : "" }

    private func region(_ number: Int, _ variant: Int) -> String {
        // Regions with the same number and variant are always equal.
        let place = (number * 37 + variant * 11) % 12
        let rect = "[\(place % 4 * 250),\(place / 4 * 330),200,300]"
        let gestures = Self.gestures[(number + variant) % Self.gestures.count]
        return #"{"id":"\#(prefix)\#(number)","shape":{"rect":\#(rect)},"gestures":[\#(gestures)]}"#
    }
}
