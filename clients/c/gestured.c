/* SPDX-License-Identifier: MIT */
/* The library libgestured. */
#define GESTURED_IMPLEMENTATION
#include "gestured.h"
