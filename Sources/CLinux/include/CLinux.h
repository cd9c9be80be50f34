// SPDX-License-Identifier: MIT
// The system calls that the daemon needs: headers that the Glibc module lacks, and functions for macros that Swift
// does not import.
#pragma once
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <pwd.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <sys/un.h>
#include <time.h>

static inline int linux_errno(void) { return errno; }

// -- time ---------------------------------------------------------------------------------------

/// Microseconds of a clock (CLOCK_MONOTONIC, CLOCK_BOOTTIME, CLOCK_REALTIME).
static inline int64_t linux_clock_us(clockid_t clock) {
    struct timespec now = {0, 0};
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

/// Arms a timerfd once for an absolute time greater than zero.
int linux_timer_arm(int fd, int64_t at_us);
/// A non-blocking timerfd that becomes readable when the machine wakes up, or the wall clock is set; -1 with errno.
int linux_wake_timer_create(void);
/// Re-arms it. 0, or -1 with errno.
int linux_wake_timer_reset(int fd);

// -- epoll --------------------------------------------------------------------------------------

/// `op` is EPOLL_CTL_ADD, _MOD or _DEL; `token` comes back with the events.
int linux_epoll_control(int epoll, int op, int fd, uint32_t events, uint64_t token);
/// Of one entry that epoll_wait wrote: the structure is packed on x86_64 only.
static inline uint32_t linux_epoll_events(const struct epoll_event *event) { return event->events; }
static inline uint64_t linux_epoll_token(const struct epoll_event *event) { return event->data.u64; }

// -- signals ------------------------------------------------------------------------------------

/// Blocks the signals and returns a non-blocking signalfd for them, or -1.
int linux_signals_open(const int *signals, int count);
/// Blocks the signals. -1 with errno when one is no signal.
int linux_signals_block(const int *signals, int count);
/// The next signal that is pending, 0 when there is none, -1 with errno.
int linux_signals_next(int fd);
/// Waits for one of the signals, which are blocked; 0 when there is none of these.
int linux_signals_wait(const int *signals, int count);
/// A write to a closed connection becomes EPIPE instead of the end of the process.
static inline void linux_ignore_sigpipe(void) { signal(SIGPIPE, SIG_IGN); }

// -- sockets ------------------------------------------------------------------------------------

struct linux_peer { pid_t pid; uid_t uid; gid_t gid; };

/// A new AF_UNIX socket, close-on-exec; `type` is SOCK_STREAM or SOCK_DGRAM.
static inline int linux_unix_socket(int type, int non_blocking) {
    return socket(AF_UNIX, type | SOCK_CLOEXEC | (non_blocking ? SOCK_NONBLOCK : 0), 0);
}
/// Both take a path of `length` bytes; a leading '@' of a datagram address is the abstract
/// namespace. Fail with ENAMETOOLONG when it does not fit.
int linux_unix_connect(int fd, const char *path, size_t length);
int linux_unix_bind(int fd, const char *path, size_t length);
/// Takes one connection, non-blocking and close-on-exec, which refuses descriptors where the kernel can.
int linux_accept(int fd);
/// The kernel refuses to send descriptors (SCM_RIGHTS) to this socket, and to connections that it accepts. -1 before
/// Linux 6.16.
int linux_refuse_descriptors(int fd);
int linux_peer_credentials(int fd, struct linux_peer *peer);
/// The peer's supplementary groups, at most `capacity`: how many there are; -1 with ERANGE if they do not fit.
ssize_t linux_peer_groups(int fd, uint32_t *groups, size_t capacity);
/// A TCP socket that listens at an address of the loopback, in numbers, non-blocking; -1 with errno.
int linux_listen_internet(const char *host, uint16_t port);
/// A TCP connection to an address in numbers, whose calls wait at most so long; -1 with errno.
int linux_connect_internet(const char *host, uint16_t port, int milliseconds);
/// The address family of a stream socket that listens; 0 for anything else.
int linux_listener_family(int fd);
/// The user of the process at the other end of a TCP connection on this machine. 0, or -1 with errno: ENOENT when it has
/// closed its end, or a part of it.
/// - local, peer: the addresses of this end.
int linux_connection_user(const struct sockaddr *local, const struct sockaddr *peer, uid_t *user);
static inline int linux_set_close_on_exec(int fd) {
    int flags = fcntl(fd, F_GETFD);
    return flags < 0 ? -1 : fcntl(fd, F_SETFD, flags | FD_CLOEXEC);
}
static inline int linux_set_non_blocking(int fd) {
    int flags = fcntl(fd, F_GETFL);
    return flags < 0 ? -1 : fcntl(fd, F_SETFL, flags | O_NONBLOCK);
}
/// send(2) that never raises SIGPIPE and never blocks.
static inline ssize_t linux_send(int fd, const void *bytes, size_t count) {
    return send(fd, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT);
}
/// The same with a descriptor (SCM_RIGHTS).
ssize_t linux_send_descriptor(int fd, const void *bytes, size_t count, int descriptor);
static inline ssize_t linux_receive(int fd, void *bytes, size_t count) {
    return recv(fd, bytes, count, MSG_DONTWAIT);
}
/// Receives bytes that came without descriptors. -1 with EBADMSG when some come with the next bytes: these stay unread.
///
/// For sockets that `linux_accept` returned. recv(2) would drop such descriptors. If it dropped the last reference, it
/// would wait for as long as the file takes to close: a TCP socket with SO_LINGER takes as long as its sender likes.
ssize_t linux_receive_plain(int fd, void *bytes, size_t count);

/// A descriptor to close, and whose it is.
struct linux_closing { int32_t fd; uint32_t user; };
/// Starts a thread that closes each descriptor that it is sent as a `linux_closing`, one after the other, and sends it
/// back when that is done. Sockets that the descriptor's queue holds do not linger (SO_LINGER). Returns a non-blocking
/// socket to it, or -1; the thread ends when that is closed.
int linux_closer_start(void);

/// SO_SNDBUF; the kernel doubles it.
static inline int linux_set_send_buffer(int fd, int bytes) {
    return setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
}

/// The kernel memory taken by bytes that the other end has not read (SIOCOUTQ); falls with every buffer that it has
/// read completely. -1 if unknown.
int linux_unread_charge(int fd);

/// How many descriptors this process may have (RLIMIT_NOFILE); -1 if unknown.
static inline int64_t linux_descriptor_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) < 0) return -1;
    return limit.rlim_cur > INT32_MAX ? INT32_MAX : (int64_t)limit.rlim_cur;
}

/// Writes without blocking, whatever kind of file `fd` is; -1 when it was not taken.
ssize_t linux_write_log(int fd, const void *bytes, size_t count);

/// 1 when `fd` is the file that has these numbers, else 0.
int linux_is_file(int fd, uint64_t device, uint64_t inode);

/// How many characters a terminal has across and down; -1 when it is none.
int linux_terminal_size(int fd, uint16_t *columns, uint16_t *rows);
/// How many columns of a terminal a Unicode scalar takes: wcwidth(3) in UTF-8, whatever the process's locale is. -1 for
/// one that is not printed. For one thread at a time.
int linux_columns(uint32_t scalar);
/// The strings of this process's environment; a null pointer ends them.
char **linux_environment(void);
/// Describes a process to start.
struct linux_start {
    /// Its standard input and output; -1: this process's.
    int input, output;
    /// Bytes of memory that it may write to, besides 8 MiB of stack; 0: no limits, and the next one is not used.
    uint64_t memory;
    /// Seconds of the processor.
    uint64_t seconds;
};
/// Starts a program in a process group of its own, no signal blocked or ignored. It gets SIGTERM when this thread ends, even
/// by SIGKILL. With limits it gets no other descriptors than 0 to 2, leaves no core dump, and is the first that the kernel
/// ends when memory is short. Returns 0 or an errno.
/// - program: searched in PATH if it has no slash.
/// - words, environment: a null pointer ends each.
int linux_spawn(
    pid_t *child, const char *program, char *const *words, char *const *environment, const struct linux_start *start);
/// A descriptor that becomes readable when a child of this process has ended (pidfd_open); -1 with errno.
int linux_process_descriptor(pid_t process);
/// Both ends of a pipe, close-on-exec. 0, or -1 with errno.
int linux_pipe(int ends[2]);
/// An empty file in memory, close-on-exec; -1 with errno.
int linux_memory_file(void);

// -- memory -------------------------------------------------------------------------------------

/// Lets all threads allocate from one heap: what one has freed is there for the others. To be called before there are any.
static inline void linux_share_heap(void) { (void)mallopt(M_ARENA_MAX, 1); }
/// Maps each larger allocation by itself, so that it is given back to the kernel as soon as it is freed.
static inline void linux_map_large_memory(void) { (void)mallopt(M_MMAP_THRESHOLD, 131072); }
/// Bytes that this process has mapped and may write to, as RLIMIT_DATA counts them; -1 with errno.
int64_t linux_writable_memory(void);
/// Lets the kernel refuse memory beyond so many of these bytes; UINT64_MAX: as many as it may have. 0, or -1 with errno.
int linux_limit_writable_memory(uint64_t bytes);
/// Gives freed memory back to the kernel, of all threads.
static inline void linux_trim_memory(void) { (void)malloc_trim(0); }

// -- files --------------------------------------------------------------------------------------

/// Opens those of the descriptors 0 to 2 that are closed on /dev/null: else a socket would get such a number, and what is
/// meant for the log would be written to it. To be called before anything is opened. -1 with errno.
int linux_open_standard_streams(void);

/// The kind bits (S_IFMT) of what is at `path` without following a link; -1 with errno.
int linux_file_kind(const char *path, uid_t *owner);
static inline int linux_kind_socket(void) { return S_IFSOCK; }
static inline int linux_kind_link(void) { return S_IFLNK; }
/// open(2) is variadic, which Swift does not import without the Glibc module.
static inline int linux_open(const char *path, int flags) { return open(path, flags | O_CLOEXEC); }
/// openat(2) is variadic too.
static inline int linux_open_at(int folder, const char *name, int flags) {
    return openat(folder, name, flags | O_CLOEXEC);
}
/// Opens the folder of `path` (O_PATH), and writes its last name, which need not exist, to `name`. A symbolic link in any
/// part is followed only if root or this user owns it. -1 with errno, ELOOP for a link of somebody else.
/// - name: of NAME_MAX + 1 bytes.
int linux_open_folder_of(const char *path, char *name);
/// Opens what `linux_open_folder_of` has found. It follows no symbolic link but those of proc(5), such as /proc/self/fd/1.
int linux_open_found(int folder, const char *name, int flags, mode_t permissions);
/// Opens a file for reading, without waiting, for root: finds it as `linux_open_folder_of` does.
int linux_open_through_links_of_root(const char *path);
/// Opens a path as it is in a system whose root is this folder: absolute symbolic links and `..` stay below it, and no link
/// of proc(5) is followed. -1 with errno, ENOSYS before Linux 5.6.
int linux_open_in_root(int root, const char *path, int flags);
/// 1 when `fd` is a FIFO with a name, of another user, who may never write to it or read it; else 0.
int linux_is_pipe_of_another(int fd);
/// Opens a file for writing, made with these permissions or emptied; -1 with errno. Follows no symbolic link.
static inline int linux_create(const char *path, mode_t permissions) {
    return open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, permissions);
}
/// Opens a file below a folder for reading, through folders and no symbolic link. -1 with errno.
/// - path: names separated by single slashes; `.` and `..` are no names.
int linux_open_below(const char *folder, const char *path);
/// The size of the regular file behind `fd`; -2 when it is no regular file, -1 with errno.
int64_t linux_regular_size(int fd);
/// The next name in a directory, which is valid until the next call; null with errno 0 at its end.
const char *linux_next_name(DIR *directory);
