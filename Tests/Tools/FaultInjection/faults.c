// SPDX-License-Identifier: MIT
// faults: a preloaded library that makes one system call of a program fail. It must be loaded before umockdev's library.
// It counts only calls of the program and its libraries, not those that umockdev makes on their behalf.
//   LD_PRELOAD=faults.so:libumockdev-preload.so.0
// Settings (Tests/Tools/FakeMachine/setting.h):
//   fault=CALL:N:WHAT   call number N (from 1) of CALL fails with WHAT: the name of an errno, or "short" (only half of the
//                       bytes); N+: all later calls fail too
//   report=FILE         two numbers of 64 bits: the number of failed calls, and the number of all calls
//   trace=1             prints a stack trace on standard error
// CALL is one of the names below: openat counts as open, fstatat as stat, and so on.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <poll.h>
#include <pwd.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>
#include "../FakeMachine/setting.h"

enum { SHORT = -1, MAX_OBJECTS = 16 };

static const struct { const char *name; int code; } codes[] = {
    {"short", SHORT}, {"EINTR", EINTR}, {"EAGAIN", EAGAIN}, {"EIO", EIO}, {"ENODEV", ENODEV}, {"EMFILE", EMFILE},
    {"ENOMEM", ENOMEM}, {"ENOBUFS", ENOBUFS}, {"EACCES", EACCES}, {"ENOENT", ENOENT}, {"EPERM", EPERM},
};

static char chosen[32];  // the call that fails; empty: none
static uint64_t first;
static bool and_all_after, traces;
static int code;
static uint64_t nobody[2];
static uint64_t *report = nobody;  // failed, calls
// Objects whose calls are not counted: system libraries, umockdev and this library.
static struct { uintptr_t start, end; } servants[MAX_OBJECTS];
static int servant_count;

static int note_servant(struct dl_phdr_info *object, size_t size, void *context) {
    (void)size, (void)context;
    static const char *const names[] = {"umockdev", "libc.so", "ld-linux", "/faults", "libclang_rt", "vdso"};
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++) {
        if (!strstr(object->dlpi_name, names[n])) continue;
        for (int i = 0; i < object->dlpi_phnum && servant_count < MAX_OBJECTS; i++) {
            const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
            if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X)) continue;
            servants[servant_count].start = object->dlpi_addr + segment->p_vaddr;
            servants[servant_count].end = object->dlpi_addr + segment->p_vaddr + segment->p_memsz;
            servant_count++;
        }
        break;
    }
    return 0;
}

__attribute__((constructor)) static void begin(void) {
    char what[16] = "", plus[2] = "";
    unsigned long long number = 0;
    const char *order = machine_setting("fault"), *path = machine_setting("report");
    if (!order) return;
    char call[32];
    if (sscanf(order, "%31[a-z0-9_]:%llu%1[+]:%15s", call, &number, plus, what) != 4 &&
        sscanf(order, "%31[a-z0-9_]:%llu:%15s", call, &number, what) != 3) {
        dprintf(2, "faults: \"%s\" is not CALL:N:WHAT\n", order);
        _exit(64);
    }
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++)
        if (!strcmp(codes[i].name, what)) code = codes[i].code;
    if (!code) {
        dprintf(2, "faults: unknown errno \"%s\"\n", what);
        _exit(64);
    }
    first = number;
    and_all_after = plus[0] == '+';
    traces = machine_setting("trace") != NULL;
    int fd = path ? (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CREAT | O_CLOEXEC, 0600) : -1;
    if (fd >= 0) {
        if (syscall(SYS_ftruncate, fd, sizeof nobody) == 0) {
            void *shared = mmap(NULL, sizeof nobody, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
            if (shared != MAP_FAILED) report = shared;
        }
        syscall(SYS_close, fd);
    }
    dl_iterate_phdr(note_servant, NULL);
    strcpy(chosen, call);
}

/// Returns how this call from `caller` must fail: an errno, SHORT, or 0 if it must not fail.
static int fault(const char *call, const void *caller) {
    if (!chosen[0] || strcmp(call, chosen)) return 0;
    for (int i = 0; i < servant_count; i++)
        if ((uintptr_t)caller >= servants[i].start && (uintptr_t)caller < servants[i].end) return 0;
    uint64_t number = __atomic_add_fetch(&report[1], 1, __ATOMIC_RELAXED);
    if (and_all_after ? number < first : number != first) return 0;
    __atomic_add_fetch(&report[0], 1, __ATOMIC_RELAXED);
    if (traces) {
        void *frames[40];
        int count = backtrace(frames, 40);
        dprintf(2, "faults: %s number %llu fails\n", call, (unsigned long long)number);
        backtrace_symbols_fd(frames, count, 2);
    }
    return code;
}

/// Whether Linux never makes this call fail in the chosen way, so that it is not counted: a regular file can be read at any
/// time, without EAGAIN. A write to one stands for a write to a pipe, because only the tests keep the log in a file.
static bool is_impossible(const char *call, int fd) {
    struct stat found;
    return code == EAGAIN && !strcmp(call, "read") && syscall(SYS_fstat, fd, &found) == 0 && S_ISREG(found.st_mode);
}

#define REAL(name) \
    static __typeof__(name) *real; \
    if (!real) real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

// A call that can only fail as a whole, so "short" has no effect.
#define FAILING(type, failed, call, name, parameters, arguments) \
    type name parameters { \
        REAL(name); \
        int what = fault(call, __builtin_return_address(0)); \
        if (what > 0) { \
            errno = what; \
            return failed; \
        } \
        return real arguments; \
    }

// A call that transfers `size` bytes of the descriptor `fd`, of which "short" transfers half.
#define MOVING(type, call, name, parameters, arguments, size) \
    type name parameters { \
        REAL(name); \
        int what = is_impossible(call, fd) ? 0 : fault(call, __builtin_return_address(0)); \
        if (what > 0) { \
            errno = what; \
            return (type)-1; \
        } \
        if (what == SHORT && size > 1) size = size / 2; \
        return real arguments; \
    }

MOVING(ssize_t, "read", read, (int fd, void *bytes, size_t size), (fd, bytes, size), size)
MOVING(ssize_t, "write", write, (int fd, const void *bytes, size_t size), (fd, bytes, size), size)
MOVING(ssize_t, "recv", recv, (int fd, void *bytes, size_t size, int flags), (fd, bytes, size, flags), size)
MOVING(ssize_t, "send", send, (int fd, const void *bytes, size_t size, int flags), (fd, bytes, size, flags), size)
FAILING(ssize_t, -1, "recvmsg", recvmsg, (int fd, struct msghdr *message, int flags), (fd, message, flags))
FAILING(ssize_t, -1, "sendmsg", sendmsg, (int fd, const struct msghdr *message, int flags), (fd, message, flags))

FAILING(int, -1, "socket", socket, (int domain, int type, int protocol), (domain, type, protocol))
FAILING(int, -1, "bind", bind, (int fd, __CONST_SOCKADDR_ARG address, socklen_t size), (fd, address, size))
FAILING(int, -1, "listen", listen, (int fd, int backlog), (fd, backlog))
FAILING(int, -1, "connect", connect, (int fd, __CONST_SOCKADDR_ARG address, socklen_t size), (fd, address, size))
FAILING(int, -1, "accept4", accept4, (int fd, __SOCKADDR_ARG address, socklen_t *size, int flags), (fd, address, size, flags))
FAILING(int, -1, "getsockopt", getsockopt, (int fd, int level, int option, void *value, socklen_t *size), (fd, level, option, value, size))
FAILING(int, -1, "setsockopt", setsockopt, (int fd, int level, int option, const void *value, socklen_t size), (fd, level, option, value, size))
FAILING(int, -1, "getsockname", getsockname, (int fd, __SOCKADDR_ARG address, socklen_t *size), (fd, address, size))

FAILING(int, -1, "epoll_create1", epoll_create1, (int flags), (flags))
FAILING(int, -1, "epoll_ctl", epoll_ctl, (int epoll, int operation, int fd, struct epoll_event *event), (epoll, operation, fd, event))
FAILING(int, -1, "epoll_wait", epoll_wait, (int epoll, struct epoll_event *events, int most, int timeout), (epoll, events, most, timeout))
FAILING(int, -1, "timerfd_create", timerfd_create, (clockid_t clock, int flags), (clock, flags))
FAILING(int, -1, "timerfd_settime", timerfd_settime, (int fd, int flags, const struct itimerspec *time, struct itimerspec *before), (fd, flags, time, before))
FAILING(int, -1, "signalfd", signalfd, (int fd, const sigset_t *signals, int flags), (fd, signals, flags))
FAILING(int, -1, "poll", poll, (struct pollfd *fds, nfds_t count, int timeout), (fds, count, timeout))
FAILING(int, -1, "ppoll", ppoll, (struct pollfd *fds, nfds_t count, const struct timespec *timeout, const sigset_t *signals), (fds, count, timeout, signals))

FAILING(DIR *, NULL, "opendir", opendir, (const char *path), (path))
FAILING(struct dirent *, NULL, "readdir", readdir, (DIR *folder), (folder))
FAILING(struct dirent64 *, NULL, "readdir", readdir64, (DIR *folder), (folder))
FAILING(FILE *, NULL, "fopen", fopen, (const char *path, const char *mode), (path, mode))
FAILING(FILE *, NULL, "fopen", fopen64, (const char *path, const char *mode), (path, mode))
FAILING(int, -1, "stat", stat, (const char *path, struct stat *found), (path, found))
FAILING(int, -1, "stat", stat64, (const char *path, struct stat64 *found), (path, found))
FAILING(int, -1, "stat", lstat, (const char *path, struct stat *found), (path, found))
FAILING(int, -1, "stat", lstat64, (const char *path, struct stat64 *found), (path, found))
FAILING(int, -1, "stat", fstat, (int fd, struct stat *found), (fd, found))
FAILING(int, -1, "stat", fstat64, (int fd, struct stat64 *found), (fd, found))
FAILING(int, -1, "stat", fstatat, (int folder, const char *path, struct stat *found, int flags), (folder, path, found, flags))
FAILING(int, -1, "stat", fstatat64, (int folder, const char *path, struct stat64 *found, int flags), (folder, path, found, flags))
FAILING(int, -1, "stat", statx, (int folder, const char *path, int flags, unsigned mask, struct statx *found), (folder, path, flags, mask, found))
FAILING(int, -1, "stat", statfs, (const char *path, struct statfs *found), (path, found))
FAILING(int, -1, "stat", statfs64, (const char *path, struct statfs64 *found), (path, found))
FAILING(int, -1, "stat", fstatfs64, (int fd, struct statfs64 *found), (fd, found))
FAILING(int, -1, "access", access, (const char *path, int mode), (path, mode))
FAILING(int, -1, "access", faccessat, (int folder, const char *path, int mode, int flags), (folder, path, mode, flags))
FAILING(ssize_t, -1, "readlink", readlink, (const char *path, char *target, size_t size), (path, target, size))
FAILING(ssize_t, -1, "readlink", readlinkat, (int folder, const char *path, char *target, size_t size), (folder, path, target, size))
FAILING(int, -1, "chmod", chmod, (const char *path, mode_t mode), (path, mode))
FAILING(int, -1, "unlink", unlink, (const char *path), (path))
FAILING(struct passwd *, NULL, "getpwnam", getpwnam, (const char *name), (name))

// Variadic calls have at most one additional argument.
#define VARIADIC(call, name, parameters, last, arguments) \
    int name parameters { \
        REAL(name); \
        va_list rest; \
        va_start(rest, last); \
        void *more = va_arg(rest, void *); \
        va_end(rest); \
        int what = fault(call, __builtin_return_address(0)); \
        if (what > 0) { \
            errno = what; \
            return -1; \
        } \
        return real arguments; \
    }

VARIADIC("open", open, (const char *path, int flags, ...), flags, (path, flags, (mode_t)(uintptr_t)more))
VARIADIC("open", open64, (const char *path, int flags, ...), flags, (path, flags, (mode_t)(uintptr_t)more))
VARIADIC("open", openat, (int folder, const char *path, int flags, ...), flags, (folder, path, flags, (mode_t)(uintptr_t)more))
VARIADIC("open", openat64, (int folder, const char *path, int flags, ...), flags, (folder, path, flags, (mode_t)(uintptr_t)more))
VARIADIC("fcntl", fcntl, (int fd, int command, ...), command, (fd, command, more))
VARIADIC("fcntl", fcntl64, (int fd, int command, ...), command, (fd, command, more))
VARIADIC("ioctl", ioctl, (int fd, unsigned long request, ...), request, (fd, request, more))

// Closes the descriptor in any case, as Linux does even if it returns EINTR or EIO.
int close(int fd) {
    REAL(close);
    int what = fault("close", __builtin_return_address(0));
    int result = real(fd);
    if (what > 0) {
        errno = what;
        return -1;
    }
    return result;
}
