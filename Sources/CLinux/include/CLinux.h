// SPDX-License-Identifier: MIT
// What Swift needs of Linux: headers that the Glibc module lacks, and functions for macros that
// do not import. Nothing else in the project includes a system header.
#pragma once
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <time.h>

static inline int linux_errno(void) { return errno; }
