// SPDX-License-Identifier: MIT
import ContactTracking
import GestureConfiguration
import GestureEngine
import GesturePipeline
import GestureProtocol
import GestureServer
import TouchInput

/// The devices that udev has reported, and how the configuration treats each of them.
final class Devices {
    var attached: [AttachedDevice] = []
    /// Devices that the current configuration does not use and that are therefore not opened.
    var unopened: [DiscoveredDevice] = []
    private let store: ConfigurationStore

    init(_ store: ConfigurationStore) { self.store = store }

    /// The open panels.
    var panels: [Panel] { attached.compactMap { $0.panel } }

    /// The open panels in the form that a thread needs to lay out regions.
    var openPanels: [OpenPanel] {
        attached.compactMap { device in
            guard device.panel != nil else { return nil }
            return OpenPanel(
                path: device.discovered.systemPath, description: device.description,
                fallbackName: device.fallbackName)
        }
    }

    /// The panel with a name, or the first panel if the name is `nil`.
    func panel(_ name: String?) throws(RequestError) -> Panel {
        let panels = panels
        guard let name else {
            if let first = panels.first { return first }
            throw RequestError(.notFound, "no panel is ready; see gesturectl devices")
        }
        if let panel = panels.first(where: { $0.pipeline.setup.device == name }) { return panel }
        throw RequestError(
            .notFound, "no panel \"\(name)\" is ready",
            suggestion: Spelling.nearest(to: name, among: panels.map { $0.pipeline.setup.device }))
    }

    /// The key under which something is kept for a panel: the id of its `[[device]]`, or else its identity. If several
    /// panels have the same identity, it is the name on the wire.
    func key(of panel: Panel) -> String {
        let setup = panel.pipeline.setup
        let key = store.current.outputKey(of: setup.description, named: setup.device)
        let isShared = panels.contains { $0 !== panel && $0.pipeline.setup.description.identity == key }
        return isShared ? setup.device : key
    }

    func device(at systemPath: String) -> AttachedDevice? {
        attached.first { $0.discovered.systemPath == systemPath }
    }

    /// Whether to open a device: one with touch input, or one named by a `[[device]]`.
    func isCandidate(_ description: DeviceDescription) -> Bool {
        if store.current.rule(for: description)?.match.isSpecific == true { return true }
        return [DeviceKind.touchscreen, .touchpad, .tablet].contains { $0.isSet(in: description.udev) }
    }

    /// Decides how the configuration treats an opened device.
    ///
    /// If one `[[device]]` matches several devices, the first device is given its name. The names of the others consist
    /// of that name and their own, so that clients can distinguish them.
    ///
    /// - Parameters:
    ///   - prepared: the decisions made by a thread, which may include the one for this device.
    ///   - keepsName: whether an open panel keeps its name, even if another panel that matches the same `[[device]]` has
    ///     been removed since.
    func decision(
        for device: AttachedDevice, _ prepared: PreparedPanels? = nil, keepsName: Bool = false
    ) -> PanelDecision {
        let made = prepared?.decision(
            for: device.discovered.systemPath, device.description, with: store.current.runtime)
        let decision = made ?? PanelDecision(device.description, store.current, fallbackName: device.fallbackName)
        guard case .ready(var setup) = decision else { return decision }
        let name = setup.device
        let isTaken = attached.contains { $0 !== device && $0.panel?.pipeline.setup.device == name }
        let kept = keepsName ? device.panel?.pipeline.setup.device : nil
        let own = kept ?? (isTaken ? "\(name)@\(device.fallbackName)" : name)
        guard own != name else { return .ready(setup) }
        let changes = [own, name].map { store.current.outputChange(for: device.description, named: $0) }
        if changes[0] != changes[1],
            case .ready(let other) = PanelDecision(
                device.description, store.current, fallbackName: device.fallbackName, outputOf: own)
        {
            setup = other
        }
        setup.device = own
        let path = device.description.udev["ID_PATH"] ?? "?"
        setup.warnings.append(
            "another panel is already named \"\(name)\", so this one is named \"\(setup.device)\"; a separate "
                + "[[device]] with match = { path = \"\(path)\" } tells them apart")
        return .ready(setup)
    }

    /// Numbers the gestures of all panels. The panels' lines and the server use these numbers.
    func numberSubjects() -> SubjectList {
        var parts: [(first: Int, device: String, index: SubjectIndex)] = []
        var count = 0
        for panel in panels {
            panel.pipeline.subjectBase = count + 1
            parts.append((count, panel.pipeline.setup.device, panel.pipeline.subjectIndex))
            count = panel.pipeline.subjectBase + panel.pipeline.subjectIndex.count
        }
        return SubjectList(count: count) { number in
            guard let part = parts.last(where: { $0.first <= number }), number > part.first else {
                return Subject(panel: parts.first { $0.first == number }?.device ?? "")
            }
            let (region, gesture) = part.index[number - part.first - 1]
            return Subject(
                device: part.device, region: region.name, gesture: gesture.word, name: gesture.name,
                isPrivate: region.isPrivate)
        }
    }
}
