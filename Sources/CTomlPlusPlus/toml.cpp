// SPDX-License-Identifier: MIT
#include "CTomlPlusPlus.h"
