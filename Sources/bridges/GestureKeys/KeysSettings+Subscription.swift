// SPDX-License-Identifier: MIT
package import GestureClient
import GestureProtocol

extension KeysSettings {
    /// The subscription to everything that may match a binding.
    ///
    /// Names and kinds are not selected, because a binding matches either, and a subscription would require both.
    package var subscription: GestureClient.Subscription {
        var subscription = GestureClient.Subscription(events: [.gesture, .device, .config])
        // A key that comes late may reach another program.
        subscription.maxAge = .milliseconds(500)
        if bindings.contains(where: { $0.action.followsUpdates }) { subscription.phases.insert(.update) }
        // A finger that lands in any region stops a wheel that runs on.
        guard !bindings.contains(where: { $0.action.hasMomentum }) else { return subscription }
        let regions = Set(bindings.flatMap { $0.regions ?? ["*"] })
        if !regions.contains("*"), regions.count <= ProtocolLimits.listEntries {
            subscription.regions = regions.sorted()
        }
        return subscription
    }
}
