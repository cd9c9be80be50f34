// SPDX-License-Identifier: MIT
// Requests that are the most expensive for the daemon in relation to their size. Each function acts once. Without
// the right to lease regions, the daemon refuses the leases.
#pragma once

/// Sends expensive subscriptions over connections that hang up before the answer, while regions change.
void subscribes_and_hangs_up(void);
/// Sends requests with long replies over connections that hang up before the reply.
void asks_and_hangs_up(void);
/// Subscribes to 64 globs on each connection, which the daemon matches with every region. Then the regions change.
void subscribes_to_64_globs(void);
/// Leases 125 regions on each of 16 connections, and ends all leases at once.
void ends_2000_leases(void);
/// Defines regions with shapes that are nested as deeply as the maximum length of a request permits.
void defines_deeply(void);
/// Defines patterns that consist of patterns, each of which waits for all earlier ones in its region. Then one
/// region changes.
void defines_patterns(void);
