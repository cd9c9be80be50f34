// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "CLinux.h"
