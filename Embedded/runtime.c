// SPDX-License-Identifier: MIT
// What the Embedded standard library calls and its toolchain does not bring for Linux.
#include <ctype.h>
#include <stdlib.h>

const char *_swift_stdlib_strtod_clocale(const char *text, double *result);

// Double(String): the end of what was read, or nothing. The programs never leave the locale "C".
const char *_swift_stdlib_strtod_clocale(const char *text, double *result) {
    if (isspace((unsigned char)*text)) return NULL;
    char *end;
    *result = strtod(text, &end);
    return end;
}
