// SPDX-License-Identifier: MIT
import CLinux
import ContactTracking
import Glibc
import LinuxSystem

/// Covers all outputs of a Wayland compositor with black windows, and draws a cross in the middle of one of them.
///
/// It speaks the protocol itself, so the tool needs no library of a compositor. Every object has a number, which is
/// assigned in the order of creation, and each interface numbers its requests and events from 0.
final class WaylandScreens {
    /// An output of the compositor.
    struct Screen: Hashable {
        /// The name, such as `HDMI-A-1`.
        var name = ""
        var rotation = OutputSettings.Rotation.none
        /// The sizes before the rotation; 0 if unknown.
        var pixels = OutputSettings.Size(width: 0, height: 0)
        var millimeters = OutputSettings.Size(width: 0, height: 0)
    }

    private struct Window {
        let output, surface, shellSurface, toplevel: UInt32
        var size = (width: 0, height: 0)
        var isConfigured = false
        var hasCross = false
        var buffer: UInt32?
    }

    /// The interfaces that are needed, with their versions. Version 4 of an output has a name.
    private static let versions: KeyValuePairs<String, UInt32> = [
        "wl_compositor": 4, "wl_shm": 1, "xdg_wm_base": 1, "wl_output": 4,
    ]
    private static let display: UInt32 = 1
    private static let registry: UInt32 = 2
    /// The greatest width and height that is drawn.
    private static let largestSide = 16_384
    /// The time in milliseconds for which the compositor may be silent.
    private static let patience: CInt = 5000

    private let socket: OwnedDescriptor
    private var unread: [UInt8] = []
    private var last: UInt32 = 2
    /// The objects of the interfaces.
    private var objects: [String: [UInt32]] = [:]
    private var outputs: [UInt32: Screen] = [:]
    private var windows: [Window] = []
    private var callback: UInt32 = 0

    /// Covers the outputs of the compositor that the environment names.
    /// - Throws: `ToolError` 69 if there is none, 70 if it lacks an interface.
    init() throws(ToolError) {
        let path = try Self.path()
        do throws(SystemError) {
            socket = try UnixSocket.connect(path: path, nonBlocking: true)
        } catch {
            throw ToolError(.unavailable, "\(path.safe): no compositor: \(error.reason)")
        }
        try send(Self.display, 1, [Self.registry])
        try synchronize()
        try synchronize()
        for (name, version) in Self.versions where objects[name] == nil {
            throw ToolError(
                .software, "the compositor has no \(name) of version \(version) or later; name the outputs by hand")
        }
        for (output, _) in outputs.sorted(by: { $0.value.name < $1.value.name }) { try cover(output) }
        while windows.contains(where: { !$0.isConfigured }) { try read(within: Self.patience) }
    }

    private static func path() throws(ToolError) -> String {
        let name = Environment.value("WAYLAND_DISPLAY") ?? ""
        if name.hasPrefix("/") { return name }
        guard let folder = Environment.value("XDG_RUNTIME_DIR"), !name.isEmpty else {
            throw ToolError(
                .unavailable,
                "WAYLAND_DISPLAY does not say which compositor has the screens; as root, run: "
                    + "WAYLAND_DISPLAY=/run/user/1000/wayland-1 gesturectl calibrate --screens")
        }
        return "\(folder)/\(name)"
    }

    /// The outputs, in the order of their names.
    var screens: [Screen] { windows.compactMap { outputs[$0.output] } }

    /// Draws the cross on one of `screens`, and on no other.
    func show(crossOn index: Int) throws(ToolError) {
        for each in windows.indices where windows[each].hasCross != (each == index) {
            windows[each].hasCross = each == index
            try draw(each)
        }
    }

    /// Answers what the compositor has sent.
    func dispatch() throws(ToolError) { while try read(within: 0) {} }

    // MARK: Windows

    private func cover(_ output: UInt32) throws(ToolError) {
        guard let compositor = objects["wl_compositor"]?.first, let shell = objects["xdg_wm_base"]?.first else {
            return
        }
        let surface = try make(compositor, 0)
        let shellSurface = try make(shell, 2, after: [surface])
        let toplevel = try make(shellSurface, 1)
        try send(toplevel, 11, [output])  // set_fullscreen
        try send(surface, 6)  // commit
        windows.append(Window(output: output, surface: surface, shellSurface: shellSurface, toplevel: toplevel))
    }

    private func draw(_ index: Int) throws(ToolError) {
        let (window, screen) = (windows[index], outputs[windows[index].output] ?? Screen())
        let turned = screen.rotation.isOnSide
        let side = (Int(screen.pixels.width), Int(screen.pixels.height))
        let width = window.size.width > 0 ? window.size.width : turned ? side.1 : side.0
        let height = window.size.height > 0 ? window.size.height : turned ? side.0 : side.1
        guard let shm = objects["wl_shm"]?.first, (1...Self.largestSide).contains(width),
            (1...Self.largestSide).contains(height)
        else { throw ToolError(.software, "the compositor says no size for \(screen.name)") }
        let file = linux_memory_file()
        guard file >= 0 else { throw ToolError(.software, "memfd_create: \(SystemError.last("memfd_create").reason)") }
        let picture = OwnedDescriptor(adopting: file)
        let pixels = Self.picture(width, height, hasCross: window.hasCross)
        if let error = pixels.withUnsafeBytes({ writeAll(Array($0), to: picture.rawValue) }) {
            throw ToolError(.software, "memfd_create: \(error.reason)")
        }
        let pool = try make(shm, 0, after: [UInt32(pixels.count * 4)], descriptor: picture.rawValue)
        let buffer = try make(pool, 0, after: [0, UInt32(width), UInt32(height), UInt32(width * 4), 1])
        try send(pool, 1)  // destroy
        try send(window.surface, 1, [buffer, 0, 0])  // attach
        try send(window.surface, 2, [0, 0, UInt32(width), UInt32(height)])  // damage
        try send(window.surface, 6)  // commit
        if let old = window.buffer { try send(old, 0) }  // destroy
        windows[index].buffer = buffer
    }

    /// A black picture, with or without a white cross in the middle.
    private static func picture(_ width: Int, _ height: Int, hasCross: Bool) -> [UInt32] {
        var pixels = [UInt32](repeating: 0xFF00_0000, count: width * height)
        let arm = hasCross ? min(width, height) / 6 : 0
        let half = min(arm, max(1, arm / 20))
        for (across, down) in [(arm, half), (half, arm)] {
            for y in height / 2 - down..<height / 2 + down {
                for x in width / 2 - across..<width / 2 + across { pixels[y * width + x] = 0xFFFF_FFFF }
            }
        }
        return pixels
    }

    // MARK: Messages

    private func send(
        _ object: UInt32, _ request: UInt32, _ words: [UInt32] = [], descriptor: CInt? = nil
    ) throws(ToolError) {
        let message = [object, UInt32(8 + 4 * words.count) << 16 | request] + words
        let count = message.withUnsafeBytes { bytes in
            descriptor.map { linux_send_descriptor(socket.rawValue, bytes.baseAddress, bytes.count, $0) }
                ?? linux_send(socket.rawValue, bytes.baseAddress, bytes.count)
        }
        guard count == message.count * 4 else { throw Self.lost }
    }

    /// Sends a request that creates an object.
    private func make(
        _ object: UInt32, _ request: UInt32, before: [UInt32] = [], after: [UInt32] = [], descriptor: CInt? = nil
    ) throws(ToolError) -> UInt32 {
        last += 1
        try send(object, request, before + [last] + after, descriptor: descriptor)
        return last
    }

    /// Reads until the compositor has answered all requests.
    private func synchronize() throws(ToolError) {
        callback = try make(Self.display, 0)
        while callback != 0 { try read(within: Self.patience) }
    }

    /// - Parameter milliseconds: how long to wait; 0: not at all.
    /// - Returns: whether there was anything to read.
    /// - Throws: `ToolError` 69 if the compositor has gone, or is silent for this time.
    @discardableResult private func read(within milliseconds: CInt) throws(ToolError) -> Bool {
        var entry = pollfd(fd: socket.rawValue, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, milliseconds) > 0 else {
            if milliseconds == 0 { return false }
            throw Self.lost
        }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = linux_receive(socket.rawValue, &bytes, bytes.count)
        guard count > 0 else { throw Self.lost }
        unread += bytes.prefix(count)
        while let event = WaylandEvent(takingFrom: &unread) { try take(event) }
        return true
    }

    private static let lost = ToolError(.unavailable, "the compositor has closed the connection, or does not answer")

    private func take(_ event: WaylandEvent) throws(ToolError) {
        var event = event
        switch (event.object, event.number) {
        case (Self.display, 0):
            _ = (event.word(), event.word())
            throw ToolError(.software, "the compositor: \(event.text().safe)")
        case (Self.registry, 0): try bind(event.word(), event.text(), event.word())
        case (callback, 0): callback = 0
        case (let object, 0) where objects["xdg_wm_base"]?.contains(object) == true:
            try send(object, 3, [event.word()])  // pong
        case (let object, _) where outputs[object] != nil: describe(object, &event)
        default: try configure(&event)
        }
    }

    private func bind(_ number: UInt32, _ interface: String, _ version: UInt32) throws(ToolError) {
        guard let wanted = Self.versions.first(where: { $0.key == interface })?.value, version >= wanted else { return }
        let text = Array(interface.utf8) + [UInt8](repeating: 0, count: 4 - interface.utf8.count % 4)
        let words = stride(from: 0, to: text.count, by: 4).map { start in
            text[start..<start + 4].withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
        }
        let before = [number, UInt32(interface.utf8.count + 1)] + words + [wanted]
        let object = try make(Self.registry, 0, before: before)
        objects[interface, default: []].append(object)
        if interface == "wl_output" { outputs[object] = Screen() }
    }

    private func describe(_ output: UInt32, _ event: inout WaylandEvent) {
        func size(_ event: inout WaylandEvent) -> OutputSettings.Size {
            let (width, height) = (event.word(), event.word())
            return .init(width: Double(width), height: Double(height))
        }
        switch event.number {
        case 0:  // geometry
            _ = (event.word(), event.word())
            outputs[output]?.millimeters = size(&event)
            _ = (event.word(), event.text(), event.text())
            let rotations = OutputSettings.Rotation.allCases
            outputs[output]?.rotation = rotations[min(Int(event.word()), rotations.count - 1)]
        case 1:  // a mode, perhaps the current one
            guard event.word() & 1 != 0 else { return }
            outputs[output]?.pixels = size(&event)
        case 4:  // The name is printed into lines of configurations.
            outputs[output]?.name = event.text().filter {
                $0.isASCII && ($0.isLetter || $0.isNumber || "._-:".contains($0))
            }
        default: break
        }
    }

    private func configure(_ event: inout WaylandEvent) throws(ToolError) {
        if let index = windows.firstIndex(where: { $0.toplevel == event.object }), event.number == 0 {
            windows[index].size = (Int(event.word()), Int(event.word()))
        } else if let index = windows.firstIndex(where: { $0.shellSurface == event.object }) {
            try send(event.object, 4, [event.word()])  // ack_configure
            windows[index].isConfigured = true
            try draw(index)
        }
    }
}

/// A message of the compositor. Arguments that are missing are read as 0 or as an empty text.
struct WaylandEvent: Hashable {
    let object: UInt32
    let number: UInt32
    private var words: ArraySlice<UInt32>

    /// - Returns: `nil` if the message is not complete, which takes nothing.
    init?(takingFrom bytes: inout [UInt8]) {
        func word(_ index: Int) -> UInt32 {
            bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self) }
        }
        guard bytes.count >= 8 else { return nil }
        object = word(0)
        number = word(1) & 0xFFFF
        // A length that cannot be is that of a message without arguments.
        let length = max(8, Int(word(1) >> 16))
        guard bytes.count >= length else { return nil }
        words = (2..<max(2, length / 4)).map(word)[...]
        bytes.removeFirst(length)
    }

    mutating func word() -> UInt32 { words.popFirst() ?? 0 }

    mutating func text() -> String {
        let length = Int(word())
        let part = words.prefix((length + 3) / 4)
        words = words.dropFirst(part.count)
        let bytes = part.flatMap { word in withUnsafeBytes(of: word) { Array($0) } }
        return String(decoding: bytes.prefix(max(0, length - 1)), as: UTF8.self)
    }
}
