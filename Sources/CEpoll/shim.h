#ifndef VISITANT_CEPOLL_SHIM_H
#define VISITANT_CEPOLL_SHIM_H

// What the Glibc module lacks: epoll, eventfd and a thread's name.

#include <pthread.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

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

/// Names the calling thread; at most 15 bytes are kept.
static inline void visitant_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }

#endif
