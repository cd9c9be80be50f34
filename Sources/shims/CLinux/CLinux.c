// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "CLinux.h"
#include <sys/ioctl.h>
#include <langinfo.h>
#include <locale.h>
#include <arpa/inet.h>
#include <limits.h>
#include <linux/fb.h>
#include <linux/inet_diag.h>
#include <linux/kd.h>
#include <linux/magic.h>
#include <linux/netlink.h>
#include <linux/openat2.h>
#include <linux/sock_diag.h>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <wchar.h>

/// Closes an open descriptor, keeps errno, and returns -1.
static int close_quietly(int fd) {
    int code = errno;
    if (fd >= 0) close(fd);
    errno = code;
    return -1;
}

int linux_open_standard_streams(void) {
    // A new descriptor has the lowest free number.
    int fd;
    do fd = open("/dev/null", O_RDWR);
    while (fd >= 0 && fd <= 2);
    return fd < 0 ? -1 : close(fd);
}

int linux_timer_arm(int fd, int64_t at_us) {
    struct itimerspec when = {
        .it_value = {.tv_sec = (time_t)(at_us / 1000000), .tv_nsec = (long)(at_us % 1000000) * 1000}};
    return timerfd_settime(fd, TFD_TIMER_ABSTIME, &when, NULL);
}

int linux_folder_watch(const char *folder) {
    int fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (fd < 0) return fd;
    return inotify_add_watch(fd, folder, IN_CREATE | IN_DELETE | IN_ONLYDIR) < 0 ? close_quietly(fd) : fd;
}

int linux_folder_changes(int fd) {
    _Alignas(struct inotify_event) char buffer[4096];
    int is_watched = 1;
    ssize_t count;
    while ((count = read(fd, buffer, sizeof buffer)) > 0 || (count < 0 && errno == EINTR)) {
        for (ssize_t at = 0; at < count;) {
            const struct inotify_event *event = (const void *)(buffer + at);
            if (event->mask & IN_IGNORED) is_watched = 0;
            at += (ssize_t)(sizeof *event + event->len);
        }
    }
    return is_watched;
}

bool linux_readable_until(int fd, int64_t at_us) {
    struct pollfd question = {.fd = fd, .events = POLLIN};
    while (1) {
        int64_t left = at_us - linux_clock_us(CLOCK_MONOTONIC);
        if (left < 0) left = 0;
        struct timespec time = {left / 1000000, left % 1000000 * 1000};
        if (ppoll(&question, 1, &time, NULL) > 0) return true;
        if (left == 0) return false;
    }
}

int linux_wake_timer_create(void) {
    int fd = timerfd_create(CLOCK_REALTIME, TFD_NONBLOCK | TFD_CLOEXEC);
    return fd >= 0 && linux_wake_timer_reset(fd) < 0 ? close_quietly(fd) : fd;
}

int linux_wake_timer_reset(int fd) {
    // The timer is armed for a time that is never reached, because only its cancellation after a clock change
    // matters.
    uint64_t expirations;
    if (read(fd, &expirations, sizeof expirations) < 0 && errno != EAGAIN && errno != ECANCELED && errno != EINTR)
        return -1;
    struct itimerspec when = {.it_value = {.tv_sec = sizeof(time_t) > 4 ? (time_t)0x100000000 : 0x7fffffff}};
    return timerfd_settime(fd, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &when, NULL);
}

int linux_epoll_control(int epoll, int op, int fd, uint32_t events, uint64_t token) {
    struct epoll_event event = {.events = events, .data = {.u64 = token}};
    return epoll_ctl(epoll, op, fd, &event);
}

static int block(sigset_t *set, const int *signals, int count) {
    sigemptyset(set);
    for (int i = 0; i < count; i++)
        if (sigaddset(set, signals[i]) < 0) return -1;
    int failed = pthread_sigmask(SIG_BLOCK, set, NULL);
    if (!failed) return 0;
    errno = failed;
    return -1;
}

int linux_signals_block(const int *signals, int count) {
    sigset_t set;
    return block(&set, signals, count);
}

int linux_signals_open(const int *signals, int count) {
    sigset_t set;
    if (block(&set, signals, count) < 0) return -1;
    return signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
}

int linux_signals_wait(const int *signals, int count) {
    sigset_t set;
    if (block(&set, signals, count) < 0) return 0;
    int signal;
    do signal = sigwaitinfo(&set, NULL);
    while (signal < 0 && errno == EINTR);
    return signal < 0 ? 0 : signal;
}

int linux_signals_next(int fd) {
    struct signalfd_siginfo info;
    for (;;) {
        ssize_t count = read(fd, &info, sizeof info);
        if (count == sizeof info) return (int)info.ssi_signo;
        if (count < 0 && errno == EINTR) continue;
        return count < 0 && errno != EAGAIN ? -1 : 0;
    }
}

static int make_address(struct sockaddr_un *address, socklen_t *size, const char *path, size_t length) {
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    // A path needs room for its terminating zero, but an abstract name has none.
    size_t room = sizeof address->sun_path - (length > 0 && path[0] == '@' ? 0 : 1);
    if (length == 0 || length > room) {
        errno = length == 0 ? EINVAL : ENAMETOOLONG;
        return -1;
    }
    memcpy(address->sun_path, path, length);
    *size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length + 1);
    if (path[0] == '@') {
        address->sun_path[0] = 0;
        *size -= 1;
    }
    return 0;
}

int linux_unix_connect(int fd, const char *path, size_t length) {
    struct sockaddr_un address;
    socklen_t size;
    if (make_address(&address, &size, path, length) < 0) return -1;
    return connect(fd, (struct sockaddr *)&address, size);
}

int linux_unix_bind(int fd, const char *path, size_t length) {
    struct sockaddr_un address;
    socklen_t size;
    if (make_address(&address, &size, path, length) < 0) return -1;
    return bind(fd, (struct sockaddr *)&address, size);
}

int linux_accept(int fd) {
    int connection = accept4(fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (connection < 0) return -1;
    int on = 1;
    // Urgent bytes are kept inline. Otherwise, recv(2) would skip an urgent byte and drop the descriptors
    // attached to it.
    (void)setsockopt(connection, SOL_SOCKET, SO_OOBINLINE, &on, sizeof on);
    (void)linux_refuse_descriptors(connection);
    return connection;
}

#ifndef SO_PASSRIGHTS
#define SO_PASSRIGHTS 83
#endif

int linux_refuse_descriptors(int fd) {
    int off = 0;
    return setsockopt(fd, SOL_SOCKET, SO_PASSRIGHTS, &off, sizeof off);
}

ssize_t linux_receive_plain(int fd, void *bytes, size_t count) {
    struct iovec vector = {bytes, count};
    struct msghdr message = {.msg_iov = &vector, .msg_iovlen = 1};
    // A peek takes its own references to attached descriptors, so it never drops the last reference. Because there
    // is no buffer for the descriptors, the kernel sets MSG_CTRUNC. A peek does not go beyond the first bytes with
    // descriptors.
    ssize_t there = recvmsg(fd, &message, MSG_PEEK | MSG_DONTWAIT);
    if (there <= 0) return there;
    if (message.msg_flags & MSG_CTRUNC) {
        errno = EBADMSG;
        return -1;
    }
    return recv(fd, bytes, (size_t)there, MSG_DONTWAIT);
}

int linux_peer_credentials(int fd, struct linux_peer *peer) {
    struct ucred credentials;
    socklen_t size = sizeof credentials;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &credentials, &size) < 0) return -1;
    peer->pid = credentials.pid;
    peer->uid = credentials.uid;
    peer->gid = credentials.gid;
    return 0;
}

ssize_t linux_peer_groups(int fd, uint32_t *groups, size_t capacity) {
    socklen_t size = (socklen_t)(capacity * sizeof *groups);
    if (getsockopt(fd, SOL_SOCKET, SO_PEERGROUPS, groups, &size) < 0) return -1;
    return (ssize_t)(size / sizeof *groups);
}

/// A numeric address of one of the two families.
struct internet {
    union {
        struct sockaddr any;
        struct sockaddr_in four;
        struct sockaddr_in6 six;
    };
    socklen_t size;
};

static int read_internet(struct internet *address, const char *host, uint16_t port) {
    memset(address, 0, sizeof *address);
    if (inet_pton(AF_INET6, host, &address->six.sin6_addr) == 1) {
        address->six.sin6_family = AF_INET6;
        address->six.sin6_port = htons(port);
        address->size = sizeof address->six;
        return 0;
    }
    memset(address, 0, sizeof *address);
    if (inet_pton(AF_INET, host, &address->four.sin_addr) != 1) {
        errno = EADDRNOTAVAIL;
        return -1;
    }
    address->four.sin_family = AF_INET;
    address->four.sin_port = htons(port);
    address->size = sizeof address->four;
    return 0;
}

int linux_listen_internet(const char *host, uint16_t port) {
    struct internet address;
    if (read_internet(&address, host, port) < 0) return -1;
    int fd = socket(address.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    // A restarted program must be able to bind the port even while old connections linger.
    int yes = 1;
    if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) < 0 ||
        bind(fd, &address.any, address.size) < 0 || listen(fd, 128) < 0)
        return close_quietly(fd);
    return fd;
}

int linux_connect_internet(const char *host, uint16_t port, int milliseconds) {
    struct internet address;
    if (read_internet(&address, host, port) < 0) return -1;
    int fd = socket(address.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct timeval limit = {.tv_sec = milliseconds / 1000, .tv_usec = milliseconds % 1000 * 1000};
    if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit) < 0 ||
        setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit) < 0 ||
        connect(fd, &address.any, address.size) < 0)
        return close_quietly(fd);
    return fd;
}

int linux_listener_family(int fd) {
    int domain = 0, type = 0, listening = 0;
    socklen_t size = sizeof(int);
    if (getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &size) < 0) return 0;
    if (getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) < 0) return 0;
    if (getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listening, &size) < 0) return 0;
    return type == SOCK_STREAM && listening ? domain : 0;
}

/// Fills in the address and port of one end of a connection. Returns 0, or -1 if the address is not
/// an Internet address.
static int socket_end(const struct sockaddr *address, __be32 place[4], __be16 *port) {
    if (address->sa_family == AF_INET) {
        const struct sockaddr_in *inet = (const struct sockaddr_in *)address;
        memcpy(place, &inet->sin_addr, sizeof inet->sin_addr);
        *port = inet->sin_port;
        return 0;
    }
    if (address->sa_family != AF_INET6) return -1;
    const struct sockaddr_in6 *inet = (const struct sockaddr_in6 *)address;
    memcpy(place, &inet->sin6_addr, sizeof inet->sin6_addr);
    *port = inet->sin6_port;
    return 0;
}

int linux_connection_user(const struct sockaddr *local, const struct sockaddr *peer, uid_t *user) {
    struct {
        struct nlmsghdr head;
        struct inet_diag_req_v2 ask;
    } request = {
        .head = {.nlmsg_len = sizeof request, .nlmsg_type = SOCK_DIAG_BY_FAMILY, .nlmsg_flags = NLM_F_REQUEST},
        .ask = {.sdiag_family = (__u8)peer->sa_family, .sdiag_protocol = IPPROTO_TCP, .idiag_states = ~0u}};
    struct inet_diag_sockid *id = &request.ask.id;
    id->idiag_cookie[0] = id->idiag_cookie[1] = INET_DIAG_NOCOOKIE;
    // The request describes the socket at the other end. Its own address is therefore `peer`.
    if (local->sa_family != peer->sa_family || socket_end(peer, id->idiag_src, &id->idiag_sport) < 0 ||
        socket_end(local, id->idiag_dst, &id->idiag_dport) < 0) {
        errno = EAFNOSUPPORT;
        return -1;
    }
    int fd = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
    if (fd < 0) return -1;
    union {
        struct nlmsghdr head;
        char bytes[1024];
    } answer;
    ssize_t count = send(fd, &request, sizeof request, 0);
    if (count >= 0) count = recv(fd, &answer, sizeof answer, 0);
    close_quietly(fd);
    if (count >= 0) errno = ENOENT;
    if (count < (ssize_t)NLMSG_LENGTH(sizeof(struct inet_diag_msg)) || answer.head.nlmsg_type != SOCK_DIAG_BY_FAMILY)
        return -1;
    const struct inet_diag_msg *found = NLMSG_DATA(&answer.head);
    // A socket that is no longer open in any process has no owner, and the kernel reports root for
    // it.
    if (found->idiag_state != TCP_ESTABLISHED || found->idiag_inode == 0) return -1;
    *user = found->idiag_uid;
    return 0;
}

int linux_open_below(const char *folder, const char *path) {
    int fd = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    while (fd >= 0) {
        size_t length = strcspn(path, "/");
        char name[NAME_MAX + 1];
        int next = -1;
        errno = ENOENT;
        if (length > 0 && length <= NAME_MAX) {
            memcpy(name, path, length);
            name[length] = 0;
            // The file is opened without blocking, because it may be a FIFO.
            int kind = path[length] ? O_PATH | O_DIRECTORY : O_RDONLY | O_NONBLOCK;
            if (strcmp(name, ".") && strcmp(name, "..")) next = openat(fd, name, kind | O_NOFOLLOW | O_CLOEXEC);
        }
        close_quietly(fd);
        if (!path[length]) return next;
        path += length + 1;
        fd = next;
    }
    return -1;
}

int linux_unread_charge(int fd) {
    int charge = 0;
    return ioctl(fd, SIOCOUTQ, &charge) < 0 ? -1 : charge;
}

int linux_file_kind(const char *path, uid_t *owner) {
    struct stat found;
    if (lstat(path, &found) < 0) return -1;
    *owner = found.st_uid;
    return (int)(found.st_mode & S_IFMT);
}

/// Reads the target of a symbolic link that root or this user owns. Returns the length of the target, 0 if
/// `name` is not a link, or -1 with errno, which is ELOOP for a link of another user.
static ssize_t target_of_link(int folder, const char *name, char target[PATH_MAX]) {
    // Because of this descriptor, owner and target are read from the same link, even if another
    // process replaces it in the meantime.
    int link = openat(folder, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    if (link < 0) return -1;
    struct stat found;
    ssize_t length = -1;
    if (fstat(link, &found) == 0) {
        if (!S_ISLNK(found.st_mode)) length = 0;
        else if (found.st_uid != 0 && found.st_uid != geteuid()) errno = ELOOP;
        else length = readlinkat(link, "", target, PATH_MAX);
    }
    close_quietly(link);
    return length;
}

/// Whether links in this folder may be links of proc(5), such as /proc/self/fd/1. These refer to files rather
/// than to paths.
static int is_of_proc(int folder) {
    struct statfs found;
    return fstatfs(folder, &found) == 0 && found.f_type == PROC_SUPER_MAGIC;
}

int linux_open_folder_of(const char *path, char *name) {
    char rest[PATH_MAX], target[PATH_MAX];
    const char *next = rest;
    int folder = -1;
    errno = ENAMETOOLONG;
    if (strlen(path) < sizeof rest) folder = open(*strcpy(rest, path) == '/' ? "/" : ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    for (int links = 0; folder >= 0;) {
        next += strspn(next, "/");
        size_t length = strcspn(next, "/");
        errno = ENAMETOOLONG;
        if (length > NAME_MAX) break;
        memcpy(name, next, length);
        name[length] = 0;
        if (!length && *rest) strcpy(name, ".");
        next += length;
        int is_last = !next[strspn(next, "/")];
        ssize_t size = target_of_link(folder, name, target);
        if (size < 0 && !(is_last && *name && errno == ENOENT)) break;
        int is_of_process = size > 0 && is_of_proc(folder), step;
        if (size > 0 && !is_of_process) {
            errno = ELOOP;
            if (++links > 40 || (size_t)size + strlen(next) >= sizeof rest) break;
            memmove(rest + size, next, strlen(next) + 1);
            next = memcpy(rest, target, (size_t)size);
            if (*rest != '/') continue;
            step = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
        } else if (is_last) {
            return folder;
        } else {
            step = openat(folder, name, O_PATH | O_DIRECTORY | O_CLOEXEC | (is_of_process ? 0 : O_NOFOLLOW));
        }
        close_quietly(folder);
        folder = step;
    }
    return close_quietly(folder);
}

int linux_open_found(int folder, const char *name, int flags, mode_t permissions) {
    int fd = openat(folder, name, flags | O_NOFOLLOW | O_CLOEXEC, permissions);
    if (fd >= 0 || errno != ELOOP || !is_of_proc(folder)) return fd;
    return openat(folder, name, flags | O_CLOEXEC, permissions);
}

int linux_open_through_links_of_root(const char *path) {
    char name[NAME_MAX + 1];
    int folder = linux_open_folder_of(path, name);
    if (folder < 0) return -1;
    int fd = linux_open_found(folder, name, O_RDONLY | O_NONBLOCK, 0);
    close_quietly(folder);
    return fd;
}

int linux_open_in_root(int root, const char *path, int flags) {
    struct open_how how = {
        .flags = (uint64_t)(uint32_t)(flags | O_CLOEXEC), .resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS};
    // The call fails with EAGAIN if a concurrent rename has kept the kernel from verifying that a
    // `..` stays within the root.
    for (int tries = 0; tries < 100; tries++) {
        long fd = syscall(SYS_openat2, root, path, &how, sizeof how);
        if (fd >= 0 || errno != EAGAIN) return (int)fd;
    }
    return -1;
}

int linux_is_pipe_of_another(int fd) {
    struct stat found;
    struct statfs files;
    return fstat(fd, &found) == 0 && S_ISFIFO(found.st_mode) && found.st_uid != geteuid() &&
           fstatfs(fd, &files) == 0 && files.f_type != PIPEFS_MAGIC;
}

ssize_t linux_write_log(int fd, const void *bytes, size_t count) {
    // journald's stream is a socket. For other files (terminals, pipes, regular files), send(2)
    // fails.
    ssize_t result = send(fd, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (result >= 0 || errno != ENOTSOCK) return result;
    struct pollfd ready = {.fd = fd, .events = POLLOUT};
    if (poll(&ready, 1, 0) != 1 || !(ready.revents & POLLOUT)) {
        errno = EAGAIN;
        return -1;
    }
    return write(fd, bytes, count);
}

int linux_is_file(int fd, uint64_t device, uint64_t inode) {
    struct stat found;
    return fstat(fd, &found) == 0 && found.st_dev == device && found.st_ino == inode;
}

int64_t linux_regular_size(int fd) {
    struct stat found;
    while (fstat(fd, &found) < 0) {
        if (errno != EINTR) return -1;
    }
    return S_ISREG(found.st_mode) ? (int64_t)found.st_size : -2;
}

const char *linux_next_name(DIR *directory) {
    struct dirent *entry;
    do {
        errno = 0;
        entry = readdir(directory);
    } while (!entry && errno == EINTR);
    return entry ? entry->d_name : NULL;
}

char **linux_environment(void) { return environ; }

static int limit(int what, uint64_t most, uint64_t hard) {
    struct rlimit limit = {.rlim_cur = most, .rlim_max = hard};
    // prlimit(2) is used, because the seccomp filter of a service may forbid setrlimit(2).
    return prlimit(0, what, &limit, NULL);
}

/// Sets the limits of this process, which is about to execute another program. Returns 0, or -1
/// with errno.
static int limit_process(const struct linux_start *start) {
    // If memory is short, the kernel first kills the process with the highest score. Without /proc, the score cannot
    // be set, and the kernel kills the largest process.
    int score = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (score >= 0) {
        (void)!write(score, "1000", 4);
        close(score);
    }
    // Lowers the priority, if that is allowed.
    (void)!nice(10);
    // If the process ignores SIGXCPU, it is killed at the hard limit.
    if (limit(RLIMIT_DATA, start->memory, start->memory) < 0 || limit(RLIMIT_STACK, 8 << 20, 8 << 20) < 0 ||
        limit(RLIMIT_CPU, start->seconds, start->seconds + 1) < 0 || limit(RLIMIT_CORE, 0, 0) < 0)
        return -1;
    if (syscall(SYS_close_range, 3u, ~0u, 0u) == 0) return 0;
    for (int64_t fd = linux_descriptor_limit(); fd > 2; fd--) close((int)fd);
    return 0;
}

int linux_spawn(
    pid_t *child, const char *program, char *const *words, char *const *environment, const struct linux_start *start) {
    // The child writes this variable in the memory of this process. This process continues once the child
    // has executed the program or failed.
    volatile int code = 0;
    pid_t parent = getpid();
    pid_t process = vfork();
    if (process == 0) {
        for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
        sigset_t none;
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, NULL);
        if (setpgid(0, 0) == 0 && prctl(PR_SET_PDEATHSIG, SIGTERM) == 0 &&
            (start->input < 0 || dup2(start->input, STDIN_FILENO) >= 0) &&
            (start->output < 0 || dup2(start->output, STDOUT_FILENO) >= 0) &&
            (start->memory == 0 || limit_process(start) == 0) && getppid() == parent)
            execvpe(program, words, environment);
        code = errno;
        _exit(127);
    }
    if (process < 0) return errno;
    if (code != 0) while (waitpid(process, NULL, 0) < 0 && errno == EINTR) {}
    *child = process;
    return code;
}

int64_t linux_writable_memory(void) {
    // This does not use stdio, because stdio allocates memory.
    char text[256];
    int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (fd < 0) return -1;
    ssize_t count = read(fd, text, sizeof text - 1);
    close(fd);
    long long pages = -1;
    if (count <= 0) return -1;
    text[count] = 0;
    if (sscanf(text, "%*d %*d %*d %*d %*d %lld", &pages) != 1 || pages < 0) return -1;
    return (int64_t)pages * sysconf(_SC_PAGESIZE);
}

int linux_limit_writable_memory(uint64_t bytes) {
    struct rlimit limit;
    if (prlimit(0, RLIMIT_DATA, NULL, &limit) < 0) return -1;
    limit.rlim_cur = bytes < limit.rlim_max ? bytes : limit.rlim_max;
    return prlimit(0, RLIMIT_DATA, &limit, NULL);
}

int linux_process_descriptor(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0); }

int linux_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int linux_memory_file(void) { return memfd_create("job", MFD_CLOEXEC); }

int linux_columns(uint32_t scalar) {
    static locale_t utf8 = (locale_t)0;
    if (!utf8) utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    if (!utf8) return 1;
    locale_t before = uselocale(utf8);
    int columns = wcwidth((wchar_t)scalar);
    uselocale(before);
    return columns;
}

int linux_is_utf8(void) {
    locale_t chosen = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
    if (!chosen) return 1;
    const char *set = nl_langinfo_l(CODESET, chosen);
    int is_utf8 = strcmp(set, "UTF-8") == 0;
    freelocale(chosen);
    return is_utf8 || (!getenv("LC_ALL") && !getenv("LC_CTYPE") && !getenv("LANG"));
}

int linux_terminal_size(int fd, uint16_t *columns, uint16_t *rows) {
    struct winsize size;
    if (ioctl(fd, TIOCGWINSZ, &size) < 0) return -1;
    *columns = size.ws_col;
    *rows = size.ws_row;
    return 0;
}

int linux_console_cells_of(int fd, struct linux_console_cells *cells) {
    struct console_font_op font = {.op = KD_FONT_OP_GET, .width = 64, .height = 128, .charcount = 512};
    if (ioctl(fd, KDFONTOP, &font) < 0) return -1;
    *cells = (struct linux_console_cells){.width = font.width, .height = font.height};
    int display = open("/dev/fb0", O_RDONLY | O_CLOEXEC);
    if (display < 0) return 0;
    struct fb_var_screeninfo screen;
    if (!ioctl(display, FBIOGET_VSCREENINFO, &screen)) {
        cells->display_width = screen.xres;
        cells->display_height = screen.yres;
    }
    close(display);
    return 0;
}

ssize_t linux_send_descriptor(int fd, const void *bytes, size_t count, int descriptor) {
    union {
        char bytes[CMSG_SPACE(sizeof descriptor)];
        struct cmsghdr header;
    } control = {0};
    struct iovec part = {.iov_base = (void *)(uintptr_t)bytes, .iov_len = count};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
    control.header.cmsg_len = CMSG_LEN(sizeof descriptor);
    control.header.cmsg_level = SOL_SOCKET;
    control.header.cmsg_type = SCM_RIGHTS;
    memcpy(CMSG_DATA(&control.header), &descriptor, sizeof descriptor);
    return sendmsg(fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
}
