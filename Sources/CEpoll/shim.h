#ifndef VISITANT_CEPOLL_SHIM_H
#define VISITANT_CEPOLL_SHIM_H

// What the Glibc module lacks: epoll, eventfd, a thread's name, and the shapes of addresses.

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

// Declared by the headers only under a macro that would change other types, too.
int accept4(int, struct sockaddr *, socklen_t *, int);
int pthread_setname_np(pthread_t, const char *);

// EPOLL_* are enumerators and macros at once: plain constants for Swift.
static const uint32_t visitant_epoll_in = EPOLLIN;
static const uint32_t visitant_epoll_out = EPOLLOUT;
static const uint32_t visitant_epoll_rdhup = EPOLLRDHUP;
static const uint32_t visitant_epoll_hup = EPOLLHUP;
static const uint32_t visitant_epoll_err = EPOLLERR;

static inline int visitant_epoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

static inline int visitant_eventfd_create(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

/// Adds, changes or (with no events) removes a descriptor. `key` comes back with its events.
static inline int visitant_epoll_add(int epoll, int descriptor, uint32_t events, uint64_t key) {
  struct epoll_event event = {.events = events, .data = {.u64 = key}};
  return epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event);
}

static inline int visitant_epoll_change(int epoll, int descriptor, uint32_t events, uint64_t key) {
  struct epoll_event event = {.events = events, .data = {.u64 = key}};
  return epoll_ctl(epoll, EPOLL_CTL_MOD, descriptor, &event);
}

static inline int visitant_epoll_remove(int epoll, int descriptor) {
  struct epoll_event event = {0};
  return epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, &event);
}

/// An event is packed on this machine: read through functions.
static inline uint32_t visitant_epoll_events(const struct epoll_event *event) { return event->events; }
static inline uint64_t visitant_epoll_key(const struct epoll_event *event) { return event->data.u64; }

/// Takes the next connection, if there is one, without ever blocking.
static inline int visitant_accept(int listening, struct sockaddr *address, socklen_t *length) {
  return accept4(listening, address, length, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

/// Writes a numeric address of either family, and returns its length; 0 when it is none.
static inline socklen_t visitant_fill_address(struct sockaddr_storage *storage, const char *text, uint16_t port) {
  struct sockaddr_in *four = (struct sockaddr_in *)storage;
  if (inet_pton(AF_INET, text, &four->sin_addr) == 1) {
    four->sin_family = AF_INET;
    four->sin_port = htons(port);
    return sizeof *four;
  }
  struct sockaddr_in6 *six = (struct sockaddr_in6 *)storage;
  if (inet_pton(AF_INET6, text, &six->sin6_addr) == 1) {
    six->sin6_family = AF_INET6;
    six->sin6_port = htons(port);
    return sizeof *six;
  }
  return 0;
}

/// The port that a descriptor is bound to; -1 when it is none.
static inline int visitant_bound_port(int descriptor) {
  struct sockaddr_storage storage = {0};
  socklen_t length = sizeof storage;
  if (getsockname(descriptor, (struct sockaddr *)&storage, &length) != 0) return -1;
  // Both families keep it in the same place.
  return ntohs(((struct sockaddr_in *)&storage)->sin_port);
}

/// A descriptor that listens at an address; -1 when there is none, and `errno` says why.
static inline int visitant_listen(const struct sockaddr_storage *storage, socklen_t length, int backlog) {
  int descriptor = socket(storage->ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (descriptor < 0) return -1;
  int on = 1;
  setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (bind(descriptor, (const struct sockaddr *)storage, length) != 0 || listen(descriptor, backlog) != 0) {
    int cause = errno;
    close(descriptor);
    errno = cause;
    return -1;
  }
  return descriptor;
}

/// Names the calling thread; at most 15 bytes are kept.
static inline void visitant_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }

#endif
