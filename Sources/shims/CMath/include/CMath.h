// SPDX-License-Identifier: MIT
// The two libm functions that the engine needs, and nothing else of libc.
#pragma once
#include <math.h>

/// Returns the angle of (x, y) in radians, -pi to pi.
static inline double math_atan2(double y, double x) { return atan2(y, x); }

/// Returns the cosine of an angle in radians.
static inline double math_cos(double angle) { return cos(angle); }
