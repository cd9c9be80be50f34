// SPDX-License-Identifier: MIT
// The names of Unicode's scalars ("LATIN SMALL LETTER A") are 0.55 MB of Swift's standard library that
// nobody here asks for. A release is linked with --wrap=_swift_stdlib_getScalarName (see the Makefile): the
// question comes here, is answered with "has no name", and the tables are left out.
#include <stdint.h>

intptr_t __wrap__swift_stdlib_getScalarName(uint32_t scalar, uint8_t *buffer, intptr_t capacity);

intptr_t __wrap__swift_stdlib_getScalarName(uint32_t scalar, uint8_t *buffer, intptr_t capacity) {
    (void)scalar, (void)buffer, (void)capacity;
    return 0;
}
