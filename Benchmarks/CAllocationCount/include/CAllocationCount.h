// SPDX-License-Identifier: MIT
// Counts every allocation of the program that links this, and every send: it defines malloc and its relatives.
#pragma once
#include <stdint.h>

/// Allocations of this thread so far; a realloc is one.
uint64_t allocation_count(void);
/// Calls of send of this thread so far.
uint64_t send_count(void);
