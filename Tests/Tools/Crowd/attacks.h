// SPDX-License-Identifier: MIT
// One act each of the kinds that cost the daemon the most for what they send. Those that lease regions need the
// right to; without it they are refused.
#pragma once

/// Costly subscriptions over connections that hang up before they are answered, while regions change.
void subscribes_and_hangs_up(void);
/// Requests with long replies over connections that hang up before they get them.
void asks_and_hangs_up(void);
/// 64 globs for each connection, which the daemon matches with every region; then the regions change.
void subscribes_to_64_globs(void);
/// 16 times 125 leased regions that end at once.
void ends_2000_leases(void);
/// Regions whose shapes are nested as deeply as a request can be long.
void defines_deeply(void);
/// Patterns of patterns, each of which waits for all before it in its region; then one region changes.
void defines_patterns(void);
