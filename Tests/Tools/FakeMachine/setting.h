// SPDX-License-Identifier: MIT
// Settings for the tests' preloaded libraries: GESTURED_MACHINE=NAME=VALUE,NAME=VALUE… A value cannot contain a
// comma.
//   file=PATH, speed=N        machine.c
//   uinput=PATH, node=PATH    uinput.c
//   fault=CALL:N:WHAT, report=PATH, trace=1    Tests/Tools/FaultInjection/faults.c
//   turns=PATH                Tests/Benchmarks/turns.c
#ifndef SETTING_H
#define SETTING_H
#include <stdlib.h>
#include <string.h>

// The value of a setting; NULL if it is missing. The result is never freed.
static inline char *machine_setting(const char *name) {
    size_t length = strlen(name);
    const char *rest = getenv("GESTURED_MACHINE");
    while (rest) {
        if (!strncmp(rest, name, length) && rest[length] == '=') {
            const char *value = rest + length + 1;
            return strndup(value, strcspn(value, ","));
        }
        rest = strchr(rest, ',');
        if (rest) rest++;
    }
    return NULL;
}
#endif
