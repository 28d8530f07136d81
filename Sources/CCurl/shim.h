#ifndef VISITANT_CCURL_SHIM_H
#define VISITANT_CCURL_SHIM_H

#include <curl/curl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

// libcurl's setters are variadic: one wrapper for each kind of argument, so that a wrong kind does not
// compile.

static inline CURLcode visitant_curl_set_long(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode visitant_curl_set_size(CURL *easy, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode visitant_curl_set_string(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode visitant_curl_set_bytes(CURL *easy, CURLoption option, const void *value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode visitant_curl_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode visitant_curl_set_pointer(CURL *easy, CURLoption option, void *value) {
  return curl_easy_setopt(easy, option, value);
}

/// For the body's and the headers' callbacks.
static inline CURLcode visitant_curl_set_write_function(
    CURL *easy, CURLoption option, curl_write_callback function) {
  return curl_easy_setopt(easy, option, function);
}

static inline CURLcode visitant_curl_set_prerequest_function(CURL *easy, curl_prereq_callback function) {
  return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, function);
}

static inline CURLcode visitant_curl_set_open_socket_function(CURL *easy, curl_opensocket_callback function) {
  return curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, function);
}

static inline long visitant_curl_long_info(CURL *easy, CURLINFO info) {
  long value = 0;
  curl_easy_getinfo(easy, info, &value);
  return value;
}

static inline CURLMcode visitant_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

static inline CURLMcode visitant_curl_multi_set_socket_function(
    CURLM *multi, curl_socket_callback function, void *data) {
  curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, data);
  return curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, function);
}

static inline CURLMcode visitant_curl_multi_set_timer_function(
    CURLM *multi, curl_multi_timer_callback function, void *data) {
  curl_multi_setopt(multi, CURLMOPT_TIMERDATA, data);
  return curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, function);
}

/// The transfer that a message tells the end of; `NULL` for a message of another kind.
static inline CURL *visitant_curl_ended(const CURLMsg *message) {
  return message->msg == CURLMSG_DONE ? message->easy_handle : NULL;
}

static inline CURLcode visitant_curl_result(const CURLMsg *message) { return message->data.result; }

/// Opens a connection's socket, with keep-alive probes after and between `seconds` of silence.
static inline curl_socket_t visitant_curl_open_socket(
    const struct curl_sockaddr *address, int seconds, int probes) {
  int descriptor = socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
  if (descriptor < 0) return CURL_SOCKET_BAD;
  int on = 1;
  setsockopt(descriptor, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
  setsockopt(descriptor, IPPROTO_TCP, TCP_KEEPIDLE, &seconds, sizeof seconds);
  setsockopt(descriptor, IPPROTO_TCP, TCP_KEEPINTVL, &seconds, sizeof seconds);
  setsockopt(descriptor, IPPROTO_TCP, TCP_KEEPCNT, &probes, sizeof probes);
  return descriptor;
}

#endif
