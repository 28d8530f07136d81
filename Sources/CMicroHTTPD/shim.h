#ifndef VISITANT_CMICROHTTPD_SHIM_H
#define VISITANT_CMICROHTTPD_SHIM_H

#include <microhttpd.h>
#include <stddef.h>
#include <string.h>

// libmicrohttpd's start and its questions are variadic.

/// Starts a daemon with no thread and no listening socket: connections are given to it, and its epoll
/// descriptor is watched by the caller, who runs it. Every callback gets `context`.
static inline struct MHD_Daemon *visitant_mhd_start(
    size_t memory_limit, unsigned int idle_seconds, unsigned int connection_limit,
    void *(*uri)(void *context, const char *uri, struct MHD_Connection *connection),
    MHD_AccessHandlerCallback request, MHD_RequestCompletedCallback completed,
    MHD_NotifyConnectionCallback connection, void *context) {
  return MHD_start_daemon(
      MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_NO_LISTEN_SOCKET, 0, NULL, NULL, request, context,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory_limit, MHD_OPTION_CONNECTION_TIMEOUT, idle_seconds,
      MHD_OPTION_CONNECTION_LIMIT, connection_limit, MHD_OPTION_URI_LOG_CALLBACK, uri, context,
      MHD_OPTION_NOTIFY_COMPLETED, completed, context, MHD_OPTION_NOTIFY_CONNECTION, connection, context,
      MHD_OPTION_END);
}

/// The descriptor that is readable when the daemon has something to do; -1 when there is none.
static inline int visitant_mhd_epoll(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
  return info == NULL ? -1 : info->epoll_fd;
}

/// Hides a request's query from libmicrohttpd, once it has been read. `uri` is the connection's own buffer,
/// lent to the callback for the request's line.
///
/// The library would make a record of each parameter in the connection's memory, and when that is full its
/// answer that says so is lost: the connection hangs. Nobody here asks for them.
static inline void visitant_mhd_hide_query(const char *uri) {
  char *query = strchr((char *)uri, '?');
  if (query != NULL) query[1] = '\0';
}

/// A connection's descriptor; -1 when it has none any more.
static inline int visitant_mhd_descriptor(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info == NULL ? -1 : info->connect_fd;
}

/// What a body's reader returns to have the connection closed in the middle.
static inline ssize_t visitant_mhd_cut(void) { return MHD_CONTENT_READER_END_WITH_ERROR; }

#endif
