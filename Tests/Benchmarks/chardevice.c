// SPDX-License-Identifier: MIT
// Preloaded into `libinput debug-events` on the fake panel. libinput reads the device number of an open node, but the fake
// panel's node is a FIFO without one. This library returns 13:64, the number of event0.
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

int fstat64(int fd, struct stat64 *status) {
    int result = syscall(SYS_newfstatat, fd, "", status, AT_EMPTY_PATH);
    if (result == 0 && S_ISFIFO(status->st_mode)) {
        status->st_mode = S_IFCHR | 0600;
        status->st_rdev = makedev(13, 64);
    }
    return result;
}
