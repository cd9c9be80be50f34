// SPDX-License-Identifier: MIT
#pragma once
#include <sys/types.h>

/// The name of a kind of hostile client; NULL behind the last.
const char *hostile_kind(int index);
/// Is one until standard input ends. The exit status: 64 when there is no such kind.
int be_hostile(const char *kind, const char *socket_path, uid_t as_user);
