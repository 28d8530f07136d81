#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Lua's patterns, matched by a machine of ours that counts its comparisons and needs no Lua state.

enum {
  PATTERN_CAPTURES = 32,
  /// Lengths of captures that have none.
  CAPTURE_OPEN = -1,
  CAPTURE_PLACE = -2,
};

typedef struct {
  const char *start;
  ptrdiff_t length;
} capture;

typedef struct {
  const char *subject, *subject_end, *pattern_end;
  /// Comparisons left; below zero the search is over.
  int64_t *steps;
  /// Set once the pattern proves malformed.
  const char *error;
  char error_text[64];
  int depth;
  int captured;
  capture captures[PATTERN_CAPTURES];
} matcher;

void matcher_begin(
    matcher *m, const char *subject, size_t count, const char *pattern, size_t pattern_count, int64_t *steps);

/// Matches at `at` alone; the end of the match, or NULL: look at `error` and `steps` then.
const char *matcher_match(matcher *m, const char *at, const char *pattern);

/// Whether the search must not go on: malformed, or out of steps.
static inline bool matcher_failed(const matcher *m) { return m->error != NULL || *m->steps < 0; }

/// The first place of `wanted`, or NULL.
const char *find_plain(
    const char *subject, size_t count, const char *wanted, size_t wanted_count, int64_t *steps);
bool has_specials(const char *pattern, size_t count);
