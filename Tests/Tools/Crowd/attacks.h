// SPDX-License-Identifier: MIT
// The requests that cost the daemon the most for their size; each function acts once. Those that lease regions need
// the right to; without it they are refused.
#pragma once

/// Sends costly subscriptions over connections that hang up before the answer, while regions change.
void subscribes_and_hangs_up(void);
/// Sends requests with long replies over connections that hang up before the reply.
void asks_and_hangs_up(void);
/// Subscribes to 64 globs on each connection, which the daemon matches with every region; then the regions change.
void subscribes_to_64_globs(void);
/// Leases 16 times 125 regions that all end together.
void ends_2000_leases(void);
/// Defines regions whose shapes are nested as deeply as the length of a request permits.
void defines_deeply(void);
/// Defines patterns of patterns, each of which waits for all earlier ones in its region; then one region changes.
void defines_patterns(void);
