// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "CLinux.h"
#include <sched.h>
#include <semaphore.h>

/// The state for closing one descriptor. It is shared by the helper and the thread that drops the
/// last reference.
struct last_holder {
    int fd;
    sem_t ready, released;
    pid_t thread;
};

/// Runs in the thread that drops the last reference. Holds the descriptor in a descriptor table of
/// its own, and drops it by exiting.
static void *hold_until_exit(void *argument) {
    struct last_holder *holder = argument;
    holder->thread = gettid();
    // If this fails, the helper drops the last reference, and has to wait like any caller of
    // close(2).
    if (unshare(CLONE_FILES) == 0) {
        // The thread's references to all other files are dropped first. Before Linux 5.9, which lacks close_range(2),
        // these files stay open until the thread exits.
        if (holder->fd > 0) (void)close_range(0, (unsigned)holder->fd - 1, 0);
        (void)close_range((unsigned)holder->fd + 1, ~0u, 0);
    }
    sem_post(&holder->ready);
    while (sem_wait(&holder->released) < 0) {}
    return NULL;
}

static int start_small_thread(pthread_t *thread, void *(*body)(void *), void *argument) {
    pthread_attr_t attributes;
    int code = pthread_attr_init(&attributes);
    if (code != 0) return code;
    pthread_attr_setstacksize(&attributes, 64 * 1024);
    code = pthread_create(thread, &attributes, body, argument);
    pthread_attr_destroy(&attributes);
    return code;
}

/// Closes `fd` without lingering. Sockets linger in close(2), but not when a thread exits (PF_EXITING). This
/// does not depend on their protocol, or on how many queues of other sockets hold them. Returns after the file
/// of the descriptor has been released.
static void close_by_exit(int fd) {
    struct last_holder holder = {.fd = fd};
    pthread_t thread;
    sem_init(&holder.ready, 0, 0);
    sem_init(&holder.released, 0, 0);
    if (start_small_thread(&thread, hold_until_exit, &holder) == 0) {
        while (sem_wait(&holder.ready) < 0) {}
        close(fd);
        sem_post(&holder.released);
        pthread_join(thread, NULL);
        // The thread can be joined before it has dropped its descriptors. It no longer exists after
        // it has dropped them.
        struct timespec pause = {.tv_nsec = 50000};
        while (tgkill(getpid(), holder.thread, 0) == 0) {
            nanosleep(&pause, NULL);
            if (pause.tv_nsec < 100000000) pause.tv_nsec *= 2;
        }
    } else {
        close(fd);
    }
    sem_destroy(&holder.ready);
    sem_destroy(&holder.released);
}

static void *close_what_comes(void *argument) {
    int requests = (int)(intptr_t)argument;
    struct linux_closing next;
    for (;;) {
        ssize_t count = recv(requests, &next, sizeof next, 0);
        if (count < 0 && errno == EINTR) continue;
        if (count != sizeof next) break;
        close_by_exit(next.fd);
        while (send(requests, &next, sizeof next, MSG_NOSIGNAL) < 0 && errno == EINTR) {}
    }
    close(requests);
    return NULL;
}

int linux_closer_start(void) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0) return -1;
    pthread_t thread;
    int code = linux_set_non_blocking(ends[0]) < 0 ? errno : 0;
    if (code == 0) code = start_small_thread(&thread, close_what_comes, (void *)(intptr_t)ends[1]);
    if (code == 0) {
        pthread_detach(thread);
        return ends[0];
    }
    close(ends[0]);
    close(ends[1]);
    errno = code;
    return -1;
}
