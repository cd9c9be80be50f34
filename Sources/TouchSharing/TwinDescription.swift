// SPDX-License-Identifier: MIT
package import ContactTracking

extension DeviceDescription {
    /// Describes what the application finds in the place of this panel: a device with the same name, ids, properties and axes.
    ///
    /// It has slots, also where the panel has none, and a tool type if a palm is to be said. The axes have no fuzz: the
    /// kernel has applied the panel's already, and applying it again would change the values.
    /// - Parameters:
    ///   - node: the panel's, such as `/dev/input/event4`.
    ///   - touchProtocol: as `Admission` found it.
    package func twin(of node: String, _ touchProtocol: TouchProtocol, cancel: TouchCancel) -> DeviceDescription {
        var twin = self
        twin.phys = Self.twinPrefix + (node.split(separator: "/").last.map(String.init) ?? node)
        twin.keys.insert(Int(EventCode.btnTouch))
        let hasSlots = if case .slots = touchProtocol { true } else { false }
        twin.axes = axes.filter { code, _ in
            let code = UInt16(clamping: code)
            if [EventCode.absX, EventCode.absY, EventCode.absMTSlot].contains(code) { return true }
            // Of a panel without slots only what the daemon follows is known: a pressure of 0 would be a lift.
            return TwinSlot.axisCodes.contains(code) && (hasSlots || !SlotTable.otherAxes.contains(code))
        }
        if touchProtocol == .singleTouch {
            twin.axes[Int(EventCode.absMTPositionX)] = axis(EventCode.absX)
            twin.axes[Int(EventCode.absMTPositionY)] = axis(EventCode.absY)
        }
        if !hasSlots {
            twin.axes[Int(EventCode.absMTSlot)] = AxisRange(
                minimum: 0, maximum: Int32(clamping: touchProtocol.slotCount - 1))
        }
        if twin.axis(EventCode.absMTTrackingID) == nil {
            twin.axes[Int(EventCode.absMTTrackingID)] = AxisRange(minimum: 0, maximum: 0xffff)
        }
        if cancel == .palm {
            var tool = twin.axis(EventCode.absMTToolType) ?? AxisRange(minimum: 0, maximum: 0)
            tool.maximum = max(tool.maximum, EventCode.mtToolPalm)
            twin.axes[Int(EventCode.absMTToolType)] = tool
        }
        for code in twin.axes.keys { twin.axes[code]?.fuzz = 0 }
        return twin
    }
}

extension SlotTable {
    /// The axes of a contact that it does not hold: they matter only to applications.
    package static let otherAxes: [UInt16] = TwinSlot.axisCodes.filter {
        var state = SlotState()
        return !state.set($0, 0)
    }
}
