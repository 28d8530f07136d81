#include <stdarg.h>
#include <stdlib.h>

#include "state.h"

enum { KEPT_CAPACITY = 4096 };

bool buffer_reserve(buffer *b, size_t more) {
  if (b->capacity - b->count >= more) return true;
  if (more > SIZE_MAX / 4 || b->count > SIZE_MAX / 4) return false;
  size_t capacity = b->capacity < 64 ? 64 : b->capacity;
  while (capacity - b->count < more) capacity *= 2;
  uint8_t *bytes = realloc(b->bytes, capacity);
  if (bytes == NULL) return false;
  b->bytes = bytes;
  b->capacity = capacity;
  return true;
}

bool buffer_put(buffer *b, const void *bytes, size_t count) {
  if (!buffer_reserve(b, count)) return false;
  if (count > 0) memcpy(b->bytes + b->count, bytes, count);
  b->count += count;
  return true;
}

void buffer_print(buffer *b, const char *format, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  int count = vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (count < 0) return;
  buffer_put(b, text, (size_t)count < sizeof text ? (size_t)count : sizeof text - 1);
}

void buffer_reset(buffer *b) {
  b->count = 0;
  if (b->capacity > KEPT_CAPACITY) buffer_free(b);
}

void buffer_free(buffer *b) {
  free(b->bytes);
  *b = (buffer){0};
}
