// SPDX-License-Identifier: MIT
// Counts all allocations and all calls of send in the program that links this. It replaces malloc and related
// functions.
#pragma once
#include <stdint.h>

/// The number of allocations in this thread; a call of realloc is counted as one.
uint64_t allocation_count(void);
/// The number of calls of send in this thread.
uint64_t send_count(void);
