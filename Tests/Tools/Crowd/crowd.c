// SPDX-License-Identifier: MIT
// crowd: many well-behaved, hanging and hostile clients of the daemon, for tests and benchmarks.
#define _GNU_SOURCE
#include "connection.h"
#include "hostile.h"
#include "readers.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int usage(void) {
    printf("usage: crowd hostile KIND SOCKET [UID]     run a hostile client until stdin ends; prints \"ACTED N\" after each bout\n"
           "       crowd streams SOCKET READING HUNG   run clients that read and clients that do not, until stdin ends;\n"
           "                                           prints \"READY\", then reads commands: tally | clear | take | renew\n"
           "If root runs it, the clients belong to many users. Kinds:\n");
    for (int i = 0; hostile_kind(i); i++) printf("  %s\n", hostile_kind(i));
    return 64;
}

int main(int count, char **arguments) {
    signal(SIGPIPE, SIG_IGN);
    setvbuf(stdout, NULL, _IOLBF, 0);
    int status = 64;
    if (count == 5 && !strcmp(arguments[1], "streams"))
        status = read_streams(arguments[2], atoi(arguments[3]), atoi(arguments[4]));
    if ((count == 4 || count == 5) && !strcmp(arguments[1], "hostile")) {
        bool is_other = count == 5 && may_change_user();
        status = be_hostile(arguments[2], arguments[3], is_other ? (uid_t)atoi(arguments[4]) : same_user);
    }
    return status == 64 ? usage() : status;
}
