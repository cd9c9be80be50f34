// SPDX-License-Identifier: MIT The system calls that the daemon needs. Includes headers that the Glibc
// module lacks, and declares functions for macros that Swift does not import.
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
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
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

/// Returns the time of a clock (CLOCK_MONOTONIC, CLOCK_BOOTTIME, CLOCK_REALTIME) in microseconds.
static inline int64_t linux_clock_us(clockid_t clock) {
    struct timespec now = {0, 0};
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

/// Arms a timerfd to fire once at an absolute time, which must be greater than zero.
int linux_timer_arm(int fd, int64_t at_us);
/// Waits until a descriptor is readable, or until an absolute time of the monotonic clock. Returns whether it is readable.
bool linux_readable_until(int fd, int64_t at_us);
/// Creates a non-blocking timerfd that becomes readable when the machine wakes up or the wall clock is set.
/// Returns -1 with errno on error.
int linux_wake_timer_create(void);
/// Rearms a timer of `linux_wake_timer_create`. Returns 0, or -1 with errno.
int linux_wake_timer_reset(int fd);

// -- epoll --------------------------------------------------------------------------------------

/// Calls epoll_ctl(2). `op` is EPOLL_CTL_ADD, EPOLL_CTL_MOD or EPOLL_CTL_DEL. `token` is returned
/// with the events.
int linux_epoll_control(int epoll, int op, int fd, uint32_t events, uint64_t token);
/// Accessors for an entry written by epoll_wait(2). They are needed because the structure is packed
/// on x86_64 only.
static inline uint32_t linux_epoll_events(const struct epoll_event *event) { return event->events; }
static inline uint64_t linux_epoll_token(const struct epoll_event *event) { return event->data.u64; }

// -- folders ------------------------------------------------------------------------------------

/// Returns a non-blocking inotify descriptor that becomes readable when a file is added to the folder or removed from
/// it. Returns -1 with errno on error.
int linux_folder_watch(const char *folder);
/// Reads all reports of such a descriptor. Returns whether more may follow, which is 0 after the folder was removed.
int linux_folder_changes(int fd);

// -- signals ------------------------------------------------------------------------------------

/// Blocks the signals and returns a non-blocking signalfd for them, or -1.
int linux_signals_open(const int *signals, int count);
/// Blocks the signals. Returns -1 with errno if a number is not a signal.
int linux_signals_block(const int *signals, int count);
/// Returns the next pending signal, 0 if there is none, or -1 with errno.
int linux_signals_next(int fd);
/// Blocks the signals, waits for one of them, and returns its number, or 0 after an error.
int linux_signals_wait(const int *signals, int count);
/// Makes a write to a closed connection fail with EPIPE instead of terminating the process.
static inline void linux_ignore_sigpipe(void) { signal(SIGPIPE, SIG_IGN); }

// -- sockets ------------------------------------------------------------------------------------

struct linux_peer { pid_t pid; uid_t uid; gid_t gid; };

/// Creates an AF_UNIX socket that is close-on-exec. `type` is SOCK_STREAM or SOCK_DGRAM.
static inline int linux_unix_socket(int type, int non_blocking) {
    return socket(AF_UNIX, type | SOCK_CLOEXEC | (non_blocking ? SOCK_NONBLOCK : 0), 0);
}
/// Both functions take a path of `length` bytes. A leading '@' in the address of a datagram socket denotes the
/// abstract namespace. The functions fail with ENAMETOOLONG if the path does not fit.
int linux_unix_connect(int fd, const char *path, size_t length);
int linux_unix_bind(int fd, const char *path, size_t length);
/// Accepts one connection, which is non-blocking and close-on-exec. It refuses descriptors if the kernel supports
/// this.
int linux_accept(int fd);
/// Makes the kernel refuse descriptors (SCM_RIGHTS) that are sent to this socket and to connections that it
/// accepts. Returns -1 before Linux 6.16.
int linux_refuse_descriptors(int fd);
int linux_peer_credentials(int fd, struct linux_peer *peer);
/// Reads at most `capacity` supplementary groups of the peer, and returns their number. Returns -1 with ERANGE
/// if they do not fit.
ssize_t linux_peer_groups(int fd, uint32_t *groups, size_t capacity);
/// Creates a non-blocking TCP socket that listens at a numeric loopback address. Returns -1 with errno
/// on error.
int linux_listen_internet(const char *host, uint16_t port);
/// Connects to a numeric address over TCP. Each call on the socket waits for at most `milliseconds`.
/// Returns -1 with errno on error.
int linux_connect_internet(const char *host, uint16_t port, int milliseconds);
/// Returns the address family of a listening stream socket, or 0 for anything else.
int linux_listener_family(int fd);
/// Finds the user of the process at the other end of a TCP connection on this machine. Returns 0, or -1 with
/// errno, which is ENOENT if the process has closed its end of the connection or one direction of it.
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
/// Calls send(2) so that it never raises SIGPIPE and never blocks.
static inline ssize_t linux_send(int fd, const void *bytes, size_t count) {
    return send(fd, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT);
}
/// Sends bytes with a descriptor (SCM_RIGHTS). Like `linux_send`, it never raises SIGPIPE and never blocks.
ssize_t linux_send_descriptor(int fd, const void *bytes, size_t count, int descriptor);
static inline ssize_t linux_receive(int fd, void *bytes, size_t count) {
    return recv(fd, bytes, count, MSG_DONTWAIT);
}
/// Receives bytes that arrived without descriptors. If descriptors are attached to the next bytes, these
/// bytes stay unread, and it returns -1 with EBADMSG.
///
/// The socket must come from `linux_accept`. recv(2) would drop the descriptors. Dropping the last reference takes as
/// long as closing the file; for a TCP socket with SO_LINGER, the sender determines how long that is.
ssize_t linux_receive_plain(int fd, void *bytes, size_t count);

/// A descriptor to close, and the user to whom the connection belongs.
struct linux_closing { int32_t fd; uint32_t user; };
/// Starts a thread that receives descriptors as `linux_closing`. It closes them one after the other, and sends
/// each `linux_closing` back after the descriptor has been closed. Sockets in the queue of such a descriptor
/// do not linger (SO_LINGER). Returns a non-blocking socket that is connected to the thread, or -1. The thread
/// ends when that socket is closed.
int linux_closer_start(void);

/// Sets SO_SNDBUF, which the kernel doubles.
static inline int linux_set_send_buffer(int fd, int bytes) {
    return setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
}

/// Returns the amount of kernel memory taken by bytes that the other end has not read (SIOCOUTQ), or -1 if it
/// is unknown. It decreases with each buffer that the other end has read completely.
int linux_unread_charge(int fd);

/// Returns the maximum number of descriptors of this process (RLIMIT_NOFILE), or -1 if it is
/// unknown.
static inline int64_t linux_descriptor_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) < 0) return -1;
    return limit.rlim_cur > INT32_MAX ? INT32_MAX : (int64_t)limit.rlim_cur;
}

/// Writes without blocking, regardless of the kind of file. Returns -1 if the bytes were not
/// accepted.
ssize_t linux_write_log(int fd, const void *bytes, size_t count);

/// Returns 1 if `fd` refers to the file with these numbers, otherwise 0.
int linux_is_file(int fd, uint64_t device, uint64_t inode);

/// Determines the size of a terminal in characters. Returns -1 if `fd` is not a terminal.
int linux_terminal_size(int fd, uint16_t *columns, uint16_t *rows);
/// The pixels of a Linux text console.
struct linux_console_cells {
    /// The size of a character cell.
    uint32_t width, height;
    /// The size of the display; 0 if it is unknown.
    uint32_t display_width, display_height;
};
/// Determines the cells of a Linux text console and the size of its display, that of the first framebuffer. Returns -1
/// if `fd` is not such a console.
int linux_console_cells_of(int fd, struct linux_console_cells *cells);
/// Returns the number of terminal columns of a Unicode scalar, or -1 for a scalar that is not printable. This
/// is the result of wcwidth(3) for UTF-8, regardless of the process's locale. It is not thread-safe.
int linux_columns(uint32_t scalar);
/// Returns 0 if the user has chosen a locale with another character set than UTF-8, such as `C`, otherwise 1. As in
/// systemd, UTF-8 is assumed if no locale is chosen or if the chosen one is not installed.
int linux_is_utf8(void);
/// Returns the strings of this process's environment, terminated by a null pointer.
char **linux_environment(void);
/// The description of a process to start.
struct linux_start {
    /// The standard input and output of the process. -1 stands for the input or output of this
    /// process.
    int input, output;
    /// The maximum size of writable memory in bytes, in addition to 8 MiB of stack. 0 means that there are no
    /// limits; in that case, `seconds` is ignored.
    uint64_t memory;
    /// The limit on processor time in seconds.
    uint64_t seconds;
};
/// Starts a program in its own process group, with no signals blocked or ignored. The process receives
/// SIGTERM when this thread ends, even if it ends because of SIGKILL. With limits, the process inherits only
/// descriptors 0 to 2, writes no core dump, and is the first process that the kernel kills when memory is
/// short. Returns 0 or an errno.
/// - program: the program. It is searched for in PATH if it contains no slash.
/// - words, environment: arrays that are terminated by a null pointer.
int linux_spawn(
    pid_t *child, const char *program, char *const *words, char *const *environment, const struct linux_start *start);
/// Returns a descriptor that becomes readable when a child of this process has ended (pidfd_open), or -1 with
/// errno.
int linux_process_descriptor(pid_t process);
/// Creates a pipe that is close-on-exec. Returns 0, or -1 with errno.
int linux_pipe(int ends[2]);
/// Creates an empty file in memory that is close-on-exec. Returns -1 with errno on error.
int linux_memory_file(void);

// -- TLS ----------------------------------------------------------------------------------------

/// Makes it possible to look at what another library is about to read from its TLS connection (an `SSL` of OpenSSL).
/// Returns false if OpenSSL's functions are not found; the connection must then not be passed to the functions below.
bool tls_gate_install(void *ssl);
/// Copies bytes that can be read, at most those of one record, without reading them. Returns their number, 0 if there are
/// none at present, or -1 if the library must go on first: with the handshake, or because the connection has ended.
int tls_peek(void *ssl, void *buffer, int size);
/// The number of bytes of the current record that have not been read.
int tls_pending(const void *ssl);
/// While the gate is closed, this thread can read no further record of any connection with a gate.
void tls_gate_close(bool closed);

// -- memory -------------------------------------------------------------------------------------

/// Makes all threads allocate from one heap, so that memory freed by one thread is available to others. Call
/// this before any thread is started.
static inline void linux_share_heap(void) { (void)mallopt(M_ARENA_MAX, 1); }
/// Makes the allocator map each larger allocation separately, so that it is returned to the kernel as
/// soon as it is freed.
static inline void linux_map_large_memory(void) { (void)mallopt(M_MMAP_THRESHOLD, 131072); }
/// Returns the number of bytes that this process has mapped as writable, counted as for RLIMIT_DATA,
/// or -1 with errno.
int64_t linux_writable_memory(void);
/// Limits the number of bytes that this process can map as writable. UINT64_MAX sets the limit to the hard limit.
/// Returns 0, or -1 with errno.
int linux_limit_writable_memory(uint64_t bytes);
/// Returns freed memory of all threads to the kernel.
static inline void linux_trim_memory(void) { (void)malloc_trim(0); }

// -- files --------------------------------------------------------------------------------------

/// Opens /dev/null for each of the descriptors 0 to 2 that is closed. Otherwise, a socket could be assigned such a
/// number and receive text that is meant for the log. Call this before anything is opened. Returns -1 with errno on
/// error.
int linux_open_standard_streams(void);

/// Returns the type bits (S_IFMT) of the file at `path` without following a link, or -1 with errno.
int linux_file_kind(const char *path, uid_t *owner);
static inline int linux_kind_socket(void) { return S_IFSOCK; }
static inline int linux_kind_link(void) { return S_IFLNK; }
/// Calls open(2), which Swift cannot import without the Glibc module because it is variadic.
static inline int linux_open(const char *path, int flags) { return open(path, flags | O_CLOEXEC); }
/// Calls openat(2), which is variadic too.
static inline int linux_open_at(int folder, const char *name, int flags) {
    return openat(folder, name, flags | O_CLOEXEC);
}
/// Opens the folder of `path` (O_PATH), and writes the last part of the path to `name`. A file with that name need
/// not exist. A symbolic link in any part is followed only if root or this user owns it. Returns -1 with errno on
/// error, which is ELOOP for a link of another user.
/// - name: a buffer of NAME_MAX + 1 bytes.
int linux_open_folder_of(const char *path, char *name);
/// Opens a file that `linux_open_folder_of` has found. Follows no symbolic links except those of proc(5),
/// such as /proc/self/fd/1.
int linux_open_found(int folder, const char *name, int flags, mode_t permissions);
/// Opens a file for reading, without blocking, in a process that runs as root. The path is resolved as by
/// `linux_open_folder_of`.
int linux_open_through_links_of_root(const char *path);
/// Opens a path as if this folder were the root of the file system. Absolute symbolic links and `..` cannot
/// leave the folder, and links of proc(5) are not followed. Returns -1 with errno on error, which is ENOSYS
/// before Linux 5.6.
int linux_open_in_root(int root, const char *path, int flags);
/// Returns 1 if `fd` is a named FIFO of another user, otherwise 0. That user may never open the other end.
int linux_is_pipe_of_another(int fd);
/// Opens a file for writing. Creates it with these permissions, or truncates it if it exists. Does not
/// follow a symbolic link. Returns -1 with errno on error.
static inline int linux_create(const char *path, mode_t permissions) {
    return open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, permissions);
}
/// Opens a file inside a folder for reading. The path must not contain symbolic links. Returns -1 with
/// errno on error.
/// - path: names separated by single slashes, without `.` and `..`.
int linux_open_below(const char *folder, const char *path);
/// Returns the size of the regular file to which `fd` refers, -2 if it is not a regular file, or -1
/// with errno.
int64_t linux_regular_size(int fd);
/// Returns the next name in a directory, which is valid until the next call. At the end, returns
/// null with errno 0.
const char *linux_next_name(DIR *directory);
