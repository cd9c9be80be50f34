// SPDX-License-Identifier: MIT
package import ContactTracking

extension DeviceDescription {
    /// Describes the device that replaces this panel for the application, with the same name, ids, properties and
    /// axes.
    ///
    /// The device has slots even if the panel has none, and a tool type if it must report palms. Its axes have no fuzz,
    /// because the kernel has already applied the fuzz of the panel, and applying it again would change the values.
    /// - Parameters:
    ///   - node: the node of the panel, such as `/dev/input/event4`.
    ///   - touchProtocol: the panel's protocol, as determined by `Admission`.
    package func twin(of node: String, _ touchProtocol: TouchProtocol, cancel: TouchCancel) -> DeviceDescription {
        var twin = self
        twin.phys = Self.twinPrefix + (node.split(separator: "/").last.map(String.init) ?? node)
        twin.keys.insert(Int(EventCode.btnTouch))
        let hasSlots = if case .slots = touchProtocol { true } else { false }
        twin.axes = axes.filter { code, _ in
            let code = UInt16(clamping: code)
            if [EventCode.absX, EventCode.absY, EventCode.absMTSlot].contains(code) { return true }
            // Without slots, only the values of axes that the daemon tracks are known. Other axes are omitted, because,
            // for example, a pressure of 0 in place of an unknown value would mean a lift.
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
    /// The axes of a contact that are not in the table, because only applications use them.
    package static let otherAxes: [UInt16] = TwinSlot.axisCodes.filter {
        var state = SlotState()
        return !state.set($0, 0)
    }
}
