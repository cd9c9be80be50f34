// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureEngine
import Testing

@Suite("Layers")
struct LayerTests {
    /// Each layer that is present sets `gap` to a value that is 10 ms shorter than that of the layer below it.
    @Test(
        "the nearest layer with a key wins",
        arguments: [
            ([], 400), ([0], 290), ([0, 1], 280), ([0, 1, 2], 270), ([0, 1, 2, 3], 260), ([0, 1, 2, 3, 4], 250),
            ([1], 280),
            ([2], 270), ([3, 0], 260), ([4, 2], 250),
        ] as [([Int], Int64)])
    func nearest(layers: [Int], milliseconds: Int64) throws {
        func gap(_ layer: Int) -> String { layers.contains(layer) ? "gap = \"\(290 - 10 * layer)ms\"" : "" }
        let regions = try layout(
            """
            [defaults]
            tap = { \(gap(0)) }
            [[device]]
            id = "d"
            match = {}
            defaults = { tap = { \(gap(1)) } }
            [[region]]
            id = "parent"
            shape = "full"
            defaults = { tap = { \(gap(2)) } }
            [[region]]
            id = "child"
            parent = "parent"
            shape = "full"
            defaults = { tap = { \(gap(3)) } }
            [[region.gestures]]
            type = "double_tap"
            \(gap(4))
            """)
        guard case .tap(let tap) = try #require(regions.last?.gestures.first).settings else {
            Issue.record("no tap")
            return
        }
        #expect(tap.gap == .milliseconds(milliseconds))
        #expect(tap.count == 2)
    }

    @Test func keysOfOneTableComeFromDifferentLayers() throws {
        let regions = try layout(
            """
            [defaults]
            repeat = { delay = "1s", accelerate = 0.5 }
            leave = { outside = "9mm" }
            [[region]]
            id = "a"
            shape = "full"
            defaults = { repeat = { delay = "2s", interval = "200ms" } }
            gestures = [{ type = "repeat", interval = "300ms" }]
            [[region]]
            id = "b"
            parent = "a"
            shape = "full"
            defaults = { leave = { outside = "1mm" } }
            gestures = ["repeat"]
            """)
        var expected = RepeatSettings()
        expected.delay = .milliseconds(2000)
        expected.accelerate = 0.5
        expected.interval = .milliseconds(300)
        #expect(regions[0].gestures[0].settings == .repeat(expected))
        expected.interval = .milliseconds(200)
        #expect(regions[1].gestures[0].settings == .repeat(expected))
        #expect(regions.map { $0.leaveDistance } == [9, 1])
    }

    @Test func withoutAnyLayerTheBuiltInNumbersApply() throws {
        let region = try #require(
            try layout(
                """
                [[region]]
                id = "a"
                shape = "full"
                gestures = ["press", "tap", "double_tap", "two_finger_tap", "long_press", "repeat", "drag", "swipe", "pinch",
                  "rotate", "dial", { type = "chain", path = ["up"] }, { type = "stroke", points = [[0, 0], [1, 1]] }, { type = "pattern", steps = ["tap a"] }]
                """
            ).first)
        var single = TapSettings()
        single.gap = .milliseconds(400)
        var double = single
        double.count = 2
        var two = single
        two.fingers = 2
        var pattern = PatternSettings()
        pattern.steps = [.init(gesture: "tap", region: "a")]
        var chain = ChainSettings()
        chain.path = [.up]
        var stroke = StrokeSettings()
        stroke.templates = [StrokeTemplate([.zero, Point(x: 1, y: 1)])]
        #expect(
            region.gestures.map { $0.settings } == [
                .press(PressSettings()), .tap(single), .tap(double), .tap(two), .longPress(LongPressSettings()),
                .repeat(RepeatSettings()), .drag(DragSettings()), .swipe(SwipeSettings()), .pinch(PinchSettings()),
                .rotate(RotateSettings()), .dial(DialSettings()), .chain(chain), .stroke(stroke),
                .pattern(pattern),
            ])
        #expect(Set(region.gestures.map(\.settings.kind)) == Set(GestureKind.allCases))
        #expect(region.capture == .implicit)
        #expect(region.gestures.map { $0.name } == region.gestures.map { $0.word })
        #expect(region.leaveDistance == 4)
    }

    /// Writes the gestures as `[[region.gestures]]` tables.
    @Test func everyKeyOfEveryGestureIsApplied() throws {
        let text = """
            [[region]]
            id = "a"
            shape = "full"
            z = -3
            margin = "2mm"
            pass = true
            private = true
            capture = "follow"
            [[region.gestures]]
            type = "press"
            name = "p"
            fingers = 1
            progress = "100ms"
            taps = 1
            [[region.gestures]]
            type = "tap"
            fingers = 3
            count = 4
            wait = true
            slop = "1mm"
            max_time = "2ms"
            min_time = "1ms"
            group = "3ms"
            gap = "4ms"
            min_gap = "5ms"
            bounce_distance = "5.5mm"
            distance = "6mm"
            max_lift_spread = "6.5ms"
            inside = true
            [[region.gestures]]
            type = "long_press"
            fingers = 2
            taps = 2
            delay = "7ms"
            slop = "8mm"
            inside = true
            cancel_slop = "8.5mm"
            [[region.gestures]]
            type = "repeat"
            delay = "9ms"
            interval = "10ms"
            accelerate = 0.5
            min_interval = "11ms"
            max_duration = "12ms"
            [[region.gestures]]
            type = "drag"
            fingers = "2..4"
            min_fingers = 2
            taps = 3
            start = "0mm"
            axis = "vertical"
            from = "down"
            lock = true
            step = "24mm"
            zoom = true
            [[region.gestures]]
            type = "swipe"
            fingers = 3
            taps = 4
            directions = ["up_left", "down"]
            min_distance = "13mm"
            max_time = "14ms"
            min_velocity = "15mm/s"
            max_deviation = 16
            rest = "17ms"
            group = "18ms"
            when = "threshold"
            [[region.gestures]]
            type = "pinch"
            start = "19mm"
            min_span = "25mm"
            directions = ["in"]
            step = "26mm"
            exclusive = true
            [[region.gestures]]
            type = "rotate"
            start = 20.5
            directions = ["ccw"]
            step = 27
            after = ["pinch", "tap", "pinch"]
            unless = ["drag"]
            [[region.gestures]]
            type = "dial"
            center = "drawn"
            start = 160
            directions = ["cw"]
            step = 28
            min_radius = "29mm"
            [[region.gestures]]
            type = "chain"
            path = ["right", "up_left", "right"]
            min_segment = "28mm"
            max_time = "29ms"
            when = "threshold"
            [[region.gestures]]
            type = "stroke"
            points = [[0, 0], [2, 3]]
            min_score = 0.6
            rotation = 28
            closed = false
            min_length = "29mm"
            [[region.gestures]]
            type = "pattern"
            steps = ["tap a", "long_press a", "p a"]
            max_gap = "21ms"
            timeout = "22ms"
            attempts = 23
            lockout = "0s"
            leased = true
            """
        let region = try #require(try layout(text).first)
        #expect((region.z, region.margin, region.pass, region.isPrivate) == (-3, 2, true, true))
        var tap = TapSettings()
        (tap.fingers, tap.count, tap.wait, tap.slop, tap.distance) = (3, 4, true, 1, 6)
        (tap.maxTime, tap.minTime, tap.group) = (.milliseconds(2), .milliseconds(1), .milliseconds(3))
        (tap.gap, tap.minGap, tap.bounceDistance) = (.milliseconds(4), .milliseconds(5), 5.5)
        (tap.maxLiftSpread, tap.staysInside) = (Interval(microseconds: 6500), true)
        var long = LongPressSettings()
        (long.fingers, long.taps, long.delay, long.slop) = (2, 2, .milliseconds(7), 8)
        (long.staysInside, long.cancelSlop) = (true, 8.5)
        var again = RepeatSettings()
        (again.delay, again.interval, again.accelerate) = (.milliseconds(9), .milliseconds(10), 0.5)
        (again.minInterval, again.maxDuration) = (.milliseconds(11), .milliseconds(12))
        var drag = DragSettings()
        (drag.fingerRange, drag.minFingers, drag.taps, drag.zoom) = (2...4, 2, 3, true)
        (drag.start, drag.axis, drag.from) = (0, .vertical, .down)
        (drag.isLocked, drag.step) = (true, 24)
        var swipe = SwipeSettings()
        (swipe.fingers, swipe.taps, swipe.directions, swipe.minDistance) = (3, 4, [.upLeft, .down], 13)
        (swipe.maxTime, swipe.minVelocity, swipe.maxDeviation) = (.milliseconds(14), 15, 16)
        (swipe.rest, swipe.group, swipe.when) = (.milliseconds(17), .milliseconds(18), .threshold)
        var pinch = PinchSettings()
        (pinch.start, pinch.minSpan, pinch.directions, pinch.step) = (19, 25, [.in], 26)
        var rotate = RotateSettings()
        (rotate.start, rotate.directions, rotate.step) = (20.5, [.counterclockwise], 27)
        var dial = DialSettings()
        (dial.center, dial.start, dial.directions) = (.drawn, 160, [.clockwise])
        (dial.step, dial.minRadius) = (28, 29)
        var chain = ChainSettings()
        (chain.path, chain.minSegment) = ([.right, .upLeft, .right], 28)
        (chain.maxTime, chain.when) = (.milliseconds(29), .threshold)
        var stroke = StrokeSettings()
        stroke.templates = [StrokeTemplate([.zero, Point(x: 2, y: 3)])]
        (stroke.minScore, stroke.rotation, stroke.closed, stroke.minLength) = (0.6, 28, false, 29)
        var pattern = PatternSettings()
        pattern.steps = ["tap", "long_press", "p"].map { .init(gesture: $0, region: "a") }
        (pattern.maxGap, pattern.timeout) = (.milliseconds(21), .milliseconds(22))
        (pattern.attempts, pattern.lockout, pattern.takesLeased) = (23, .zero, true)
        var press = PressSettings(progress: .milliseconds(100))
        (press.isSingle, press.taps) = (true, 1)
        #expect(
            region.gestures.map { $0.settings } == [
                .press(press), .tap(tap), .longPress(long), .repeat(again),
                .drag(drag), .swipe(swipe), .pinch(pinch), .rotate(rotate), .dial(dial), .chain(chain),
                .stroke(stroke), .pattern(pattern),
            ])
        #expect(Set(region.gestures.map(\.settings.kind)) == Set(GestureKind.allCases))
        for settings in region.gestures.map(\.settings) {
            let row = settings.kind.row
            // The only key that a tap cannot have beside `wait`.
            let missing = row.keys.filter { $0.get(settings) == $0.get(row.standard) }.map(\.name)
            #expect(missing == (row.kind == .tap ? ["when"] : []), "\(row.word)")
        }
        #expect(region.gestures.first?.name == "p")
        #expect(region.capture == .follow)
        #expect(region.gestures.map { $0.exclusive } == (0..<12).map { $0 == 6 })
        #expect(region.gestures.map { $0.after } == (0..<12).map { $0 == 7 ? ["pinch", "tap"] : [] })
        #expect(region.gestures.map { $0.unless } == (0..<12).map { $0 == 7 ? ["drag"] : [] })
    }

    @Test func childrenOfAPrivateRegionArePrivate() throws {
        let text = """
            [[region]]
            id = "a"
            shape = "full"
            private = true
            [[region]]
            id = "b"
            parent = "a"
            shape = "full"
            [[region]]
            id = "c"
            shape = "full"
            """
        #expect(try layout(text).map { $0.isPrivate } == [true, true, false])
        #expect(ConfigurationReader.read(text).configuration?.privateRegionIDs == ["a", "b"])
    }
}
