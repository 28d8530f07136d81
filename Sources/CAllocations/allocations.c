#include "CAllocations.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>

// The C library's own, under the names it keeps for programs that bring a malloc of theirs.
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static _Atomic uint64_t given;

uint64_t visitant_allocations(void) { return atomic_load_explicit(&given, memory_order_relaxed); }

static void count(void) { atomic_fetch_add_explicit(&given, 1, memory_order_relaxed); }

void *malloc(size_t size) {
  count();
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  count();
  return __libc_calloc(number, size);
}

void *realloc(void *block, size_t size) {
  count();
  return __libc_realloc(block, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  count();
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
  count();
  *block = __libc_memalign(alignment, size);
  return *block == NULL ? ENOMEM : 0;
}
