// SPDX-License-Identifier: MIT
import LinuxSystem

/// A client of gestured, the gesture daemon.
///
/// ```swift
/// let client = GestureClient()
/// for try await event in client.events(.init(regions: ["ok"])) {
///     guard case .gesture(let gesture) = event, gesture.kind == .tap else { continue }
///     try await client.setScene("checkout")
/// }
/// ```
///
/// A client is one connection to the daemon. It is made when it is needed, and again when it was lost.
/// What was seen to begin is seen to end: by the daemon's `end` or `cancel`, or by a `cancel` that the
/// client adds when it has lost the daemon (`.disconnected`) or lines of it (`.lost`).
///
/// Requests may be made by any task while another listens. When the last reference is gone, also that
/// of the events, the client hangs up.
public final class GestureClient: Sendable {
    let link: Link

    /// Connects to nobody yet.
    /// - Parameters:
    ///   - path: the daemon's socket; `nil`: what `$GESTURED_SOCKET` says, or the place of the system's daemon.
    ///   - reconnects: `false`: events end with the connection, and throw when there is none.
    ///   - replyTimeout: for the answer to a request; a daemon that needs longer hangs.
    ///   - backoff: how long to wait before each try to connect again.
    public init(
        path: String? = nil, reconnects: Bool = true, replyTimeout: Duration = .seconds(5), backoff: Backoff = Backoff()
    ) {
        link = Link(
            path: path ?? Self.defaultPath, reconnects: reconnects, replyTimeout: replyTimeout, backoff: backoff)
    }

    deinit { link.close() }

    /// Events as they come, for ever: first `.hello` and `.state`. A second call ends the first.
    ///
    /// Throws `ClientError` when the daemon refuses the subscription, or trying again cannot help. Ends when
    /// the task is cancelled. Who does not iterate holds nobody up: the daemon drops lines, and says so.
    public func events(_ subscription: Subscription = Subscription()) -> Events {
        Events(client: self, turn: link.subscribe(subscription))
    }

    /// Hangs up; what was leased goes, events end. Using the client again connects again.
    public func close() { link.hangUp() }
}

extension GestureClient {
    /// What `$GESTURED_SOCKET` says, or the place of the system's daemon.
    public static var defaultPath: String {
        guard let path = Environment.value("GESTURED_SOCKET"), !path.isEmpty else {
            return "/run/gestured/gestured.sock"
        }
        return path
    }
}
