// SPDX-License-Identifier: MIT
#pragma once
#include <sys/types.h>

/// The name of a kind of hostile client; NULL after the last one.
const char *hostile_kind(int index);
/// Runs a client of this kind until standard input ends. Returns the exit status, which is 64 if the kind is
/// unknown.
int be_hostile(const char *kind, const char *socket_path, uid_t as_user);
