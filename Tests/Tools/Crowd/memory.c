// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "memory.h"
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <linux/unix_diag.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST = 1024 };

static uint32_t inodes[MOST];
static int expected;

void expect_peer_of(int fd) {
    struct stat status;
    if (expected < MOST && fstat(fd, &status) == 0) inodes[expected++] = status.st_ino;
}

/// The memory charged to a socket if its peer belongs to this process, otherwise 0.
static int64_t charge(struct nlmsghdr *message) {
    struct unix_diag_msg *socket = NLMSG_DATA(message);
    int64_t bytes = 0;
    bool is_peer = false;
    int left = message->nlmsg_len - NLMSG_LENGTH(sizeof *socket);
    for (struct rtattr *a = (struct rtattr *)(socket + 1); RTA_OK(a, left); a = RTA_NEXT(a, left)) {
        if (a->rta_type == UNIX_DIAG_PEER)
            for (int i = 0; i < expected; i++) is_peer = is_peer || *(uint32_t *)RTA_DATA(a) == inodes[i];
        if (a->rta_type == UNIX_DIAG_MEMINFO) bytes = ((uint32_t *)RTA_DATA(a))[SK_MEMINFO_WMEM_ALLOC];
    }
    return is_peer ? bytes : 0;
}

int64_t charged_to_peers(void) {
    int netlink = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
    struct {
        struct nlmsghdr header;
        struct unix_diag_req request;
    } question = {
        .header = {.nlmsg_len = sizeof question, .nlmsg_type = SOCK_DIAG_BY_FAMILY, .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP},
        .request = {.sdiag_family = AF_UNIX, .udiag_states = -1, .udiag_show = UDIAG_SHOW_PEER | UDIAG_SHOW_MEMINFO}};
    int64_t sum = 0;
    bool is_done = netlink < 0 || send(netlink, &question, sizeof question, 0) < 0;
    if (is_done) sum = -1;
    while (!is_done) {
        static char answer[65536];
        int left = recv(netlink, answer, sizeof answer, 0);
        if (left <= 0) break;
        for (struct nlmsghdr *m = (struct nlmsghdr *)answer; NLMSG_OK(m, (unsigned)left); m = NLMSG_NEXT(m, left)) {
            is_done = is_done || m->nlmsg_type == NLMSG_DONE || m->nlmsg_type == NLMSG_ERROR;
            if (m->nlmsg_type == NLMSG_ERROR) sum = -1;
            if (m->nlmsg_type == SOCK_DIAG_BY_FAMILY) sum += charge(m);
        }
    }
    if (netlink >= 0) close(netlink);
    return sum;
}
