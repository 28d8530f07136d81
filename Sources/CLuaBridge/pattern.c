#include "pattern.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "CLuaBridge.h"

enum { DEEPEST = 200 };

static bool spend(matcher *m, int64_t steps) {
  *m->steps -= steps;
  return !matcher_failed(m);
}

static const char *malformed(matcher *m, const char *why) {
  if (m->error == NULL) m->error = why;
  return NULL;
}

static const char *malformed_index(matcher *m, int index) {
  snprintf(m->error_text, sizeof m->error_text, "invalid capture index %%%d", index);
  return malformed(m, m->error_text);
}

// MARK: Classes

static bool is_in_class(int c, int letter) {
  bool inside;
  switch (tolower(letter)) {
    case 'a': inside = isalpha(c) != 0; break;
    case 'c': inside = iscntrl(c) != 0; break;
    case 'd': inside = isdigit(c) != 0; break;
    case 'g': inside = isgraph(c) != 0; break;
    case 'l': inside = islower(c) != 0; break;
    case 'p': inside = ispunct(c) != 0; break;
    case 's': inside = isspace(c) != 0; break;
    case 'u': inside = isupper(c) != 0; break;
    case 'w': inside = isalnum(c) != 0; break;
    case 'x': inside = isxdigit(c) != 0; break;
    case 'z': inside = c == 0; break;  // of Lua 5.1, and still understood
    default: return letter == c;
  }
  return isupper(letter) ? !inside : inside;
}

/// The end of the item at `p`, which is a character, an escape or a set; NULL when it is malformed.
static const char *item_end(matcher *m, const char *p) {
  const char *end = m->pattern_end;
  char first = *p++;
  if (first == '%') {
    if (p == end) return malformed(m, "malformed pattern (ends with '%')");
    return p + 1;
  }
  if (first != '[') return p;
  if (p < end && *p == '^') p++;
  do {  // the first member may be a bracket
    if (p == end) return malformed(m, "malformed pattern (missing ']')");
    spend(m, 1);
    if (*p++ == '%' && p < end) p++;
  } while (p == end || *p != ']');
  return p + 1;
}

/// Whether the set from its '[' at `p` to its ']' at `last` has `c`.
static bool is_in_set(matcher *m, int c, const char *p, const char *last) {
  bool inside = true;
  p++;
  if (*p == '^') {
    inside = false;
    p++;
  }
  while (p < last) {
    spend(m, 1);
    if (*p == '%') {
      if (is_in_class(c, (unsigned char)p[1])) return inside;
      p += 2;
    } else if (p[1] == '-' && p + 2 < last) {
      if ((unsigned char)p[0] <= c && c <= (unsigned char)p[2]) return inside;
      p += 3;
    } else {
      if ((unsigned char)*p == c) return inside;
      p++;
    }
  }
  return !inside;
}

/// Whether the item from `p` to `end` takes the character at `s`.
static bool takes(matcher *m, const char *s, const char *p, const char *end) {
  if (s >= m->subject_end || !spend(m, 1)) return false;
  int c = (unsigned char)*s;
  switch (*p) {
    case '.': return true;
    case '%': return is_in_class(c, (unsigned char)p[1]);
    case '[': return is_in_set(m, c, p, end - 1);
    default: return (unsigned char)*p == c;
  }
}

// MARK: Items that are more than one character

static const char *match(matcher *m, const char *s, const char *p);

static const char *match_balance(matcher *m, const char *s, const char *p) {
  if (m->pattern_end - p < 4) return malformed(m, "malformed pattern (missing arguments to '%b')");
  if (s >= m->subject_end || *s != p[2]) return NULL;
  int64_t open = 1;
  while (++s < m->subject_end && spend(m, 1)) {
    if (*s == p[3]) {
      if (--open == 0) return s + 1;
    } else if (*s == p[2]) {
      open++;
    }
  }
  return NULL;
}

/// Whether `s` is at the border that "%f" with the set at `p` asks for; the ends of the subject count as
/// '\0'.
static bool is_frontier(matcher *m, const char *s, const char *p, const char *end) {
  int before = s == m->subject ? 0 : (unsigned char)s[-1];
  int after = s == m->subject_end ? 0 : (unsigned char)*s;
  return !is_in_set(m, before, p, end - 1) && is_in_set(m, after, p, end - 1);
}

static const char *match_reference(matcher *m, const char *s, int digit) {
  int index = digit - '1';
  if (index < 0 || index >= m->captured || m->captures[index].length == CAPTURE_OPEN) {
    return malformed_index(m, index + 1);
  }
  size_t count = (size_t)m->captures[index].length;
  if (!spend(m, 1)) return NULL;
  if ((size_t)(m->subject_end - s) < count) return NULL;
  if (!spend(m, (int64_t)count) || memcmp(m->captures[index].start, s, count) != 0) return NULL;
  return s + count;
}

static const char *open_capture(matcher *m, const char *s, const char *p, ptrdiff_t length) {
  if (m->captured == PATTERN_CAPTURES) return malformed(m, "too many captures");
  m->captures[m->captured++] = (capture){s, length};
  const char *end = match(m, s, p);
  if (end == NULL) m->captured--;
  return end;
}

static const char *close_capture(matcher *m, const char *s, const char *p) {
  int index = m->captured - 1;
  while (index >= 0 && m->captures[index].length != CAPTURE_OPEN) index--;
  if (index < 0) return malformed(m, "invalid pattern capture");
  m->captures[index].length = s - m->captures[index].start;
  const char *end = match(m, s, p);
  if (end == NULL) m->captures[index].length = CAPTURE_OPEN;
  return end;
}

// MARK: Repetition

/// As many as there are, then fewer, until the rest matches.
static const char *match_most(matcher *m, const char *s, const char *p, const char *end) {
  ptrdiff_t taken = 0;
  while (takes(m, s + taken, p, end)) taken++;
  for (; taken >= 0 && !matcher_failed(m); taken--) {
    const char *found = match(m, s + taken, end + 1);
    if (found != NULL) return found;
  }
  return NULL;
}

/// As few as the rest allows.
static const char *match_least(matcher *m, const char *s, const char *p, const char *end) {
  for (;; s++) {
    const char *found = match(m, s, end + 1);
    if (found != NULL || matcher_failed(m)) return found;
    if (!takes(m, s, p, end)) return NULL;
  }
}

// MARK: The machine

/// What came of an item that is no plain repetition.
typedef enum { GOES_ON, RETURNS, PLAIN } progress;

/// Handles '%b', '%f' and back references. Moves `*s` and `*p` on, or sets `*s` to NULL.
static progress match_escape(matcher *m, const char **s, const char **p) {
  const char *at = *p;
  if (at + 1 == m->pattern_end) return PLAIN;
  if (at[1] == 'b') {
    *s = match_balance(m, *s, at);
    *p = at + 4;
    return *s == NULL ? RETURNS : GOES_ON;
  }
  if (at[1] == 'f') {
    at += 2;
    const char *end = NULL;
    if (at == m->pattern_end || *at != '[') {
      malformed(m, "missing '[' after '%f' in pattern");
    } else {
      end = item_end(m, at);
    }
    if (end == NULL || !is_frontier(m, *s, at, end)) *s = NULL;
    *p = end;
    return *s == NULL ? RETURNS : GOES_ON;
  }
  if (isdigit((unsigned char)at[1])) {
    *s = match_reference(m, *s, (unsigned char)at[1]);
    *p = at + 2;
    return *s == NULL ? RETURNS : GOES_ON;
  }
  return PLAIN;
}

/// Handles what is not a single character with its repetition. With RETURNS, `*s` is the result.
static progress match_special(matcher *m, const char **s, const char **p) {
  const char *at = *p;
  switch (*at) {
    case '(': {
      bool place = at + 1 < m->pattern_end && at[1] == ')';
      *s = open_capture(m, *s, at + (place ? 2 : 1), place ? CAPTURE_PLACE : CAPTURE_OPEN);
      return RETURNS;
    }
    case ')':
      *s = close_capture(m, *s, at + 1);
      return RETURNS;
    case '$':
      if (at + 1 != m->pattern_end) return PLAIN;
      if (*s != m->subject_end) *s = NULL;
      return RETURNS;
    case '%':
      return match_escape(m, s, p);
    default:
      return PLAIN;
  }
}

/// Handles a single character with its repetition, as above.
static progress match_single(matcher *m, const char **s, const char **p) {
  const char *end = item_end(m, *p);
  char suffix = end != NULL && end < m->pattern_end ? *end : 0;
  if (end == NULL) {
    *s = NULL;
    return RETURNS;
  }
  bool taken = takes(m, *s, *p, end);
  if (!taken) {
    if (suffix != '*' && suffix != '-' && suffix != '?') *s = NULL;
    *p = end + 1;
    return *s == NULL ? RETURNS : GOES_ON;
  }
  if (suffix == '*' || suffix == '+') {
    *s = match_most(m, suffix == '+' ? *s + 1 : *s, *p, end);
    return RETURNS;
  }
  if (suffix == '-') {
    *s = match_least(m, *s, *p, end);
    return RETURNS;
  }
  if (suffix != '?') {
    *s += 1;
    *p = end;
    return GOES_ON;
  }
  const char *with = match(m, *s + 1, end + 1);
  if (with == NULL && !matcher_failed(m)) {
    *p = end + 1;
    return GOES_ON;
  }
  *s = with;
  return RETURNS;
}

static const char *match(matcher *m, const char *s, const char *p) {
  if (m->depth == DEEPEST) return malformed(m, "pattern too complex");
  m->depth++;
  progress went = GOES_ON;
  while (went == GOES_ON && p < m->pattern_end) {
    if (!spend(m, 1)) break;
    went = match_special(m, &s, &p);
    if (went == PLAIN) went = match_single(m, &s, &p);
  }
  m->depth--;
  return matcher_failed(m) ? NULL : s;
}

void matcher_begin(
    matcher *m, const char *subject, size_t count, const char *pattern, size_t pattern_count,
    int64_t *steps) {
  m->subject = subject;
  m->subject_end = subject + count;
  m->pattern_end = pattern + pattern_count;
  m->steps = steps;
  m->error = NULL;
  m->depth = 0;
  m->captured = 0;
}

const char *matcher_match(matcher *m, const char *at, const char *pattern) {
  m->depth = 0;
  m->captured = 0;
  return match(m, at, pattern);
}

// MARK: Checking without a subject

/// What is known of a pattern's captures while it is read.
typedef struct {
  int count;
  bool open[PATTERN_CAPTURES];
  const char *begins[PATTERN_CAPTURES];
} outline;

static int innermost_open(const outline *o) {
  int index = o->count - 1;
  while (index >= 0 && !o->open[index]) index--;
  return index;
}

/// Reads a parenthesis; the end of the item.
static const char *check_capture(matcher *m, outline *o, const char *p) {
  if (*p == ')') {
    int index = innermost_open(o);
    if (index < 0) return malformed(m, "invalid pattern capture");
    o->open[index] = false;
    return p + 1;
  }
  if (o->count == PATTERN_CAPTURES) return malformed(m, "too many captures");
  bool place = p + 1 < m->pattern_end && p[1] == ')';
  o->open[o->count] = !place;
  o->begins[o->count++] = p;
  return p + (place ? 2 : 1);
}

/// Reads '%b', '%f' or a back reference; the end of the item, or `p` for a plain escape.
static const char *check_escape(matcher *m, const outline *o, const char *p) {
  const char *end = m->pattern_end;
  if (p + 1 == end) return p;
  if (p[1] == 'b') {
    return end - p < 4 ? malformed(m, "malformed pattern (missing arguments to '%b')") : p + 4;
  }
  if (p[1] == 'f') {
    if (p + 2 == end || p[2] != '[') return malformed(m, "missing '[' after '%f' in pattern");
    return item_end(m, p + 2);
  }
  if (!isdigit((unsigned char)p[1])) return p;
  int index = p[1] - '1';
  bool known = index >= 0 && index < o->count && !o->open[index];
  return known ? p + 2 : malformed_index(m, index + 1);
}

/// Reads one item with its repetition; where the next one begins, or NULL.
static const char *check_item(matcher *m, outline *o, const char *p) {
  if (*p == '(' || *p == ')') return check_capture(m, o, p);
  if (*p == '%') {
    const char *end = check_escape(m, o, p);
    if (end != p) return end;
  }
  const char *end = item_end(m, p);
  bool repeats = end != NULL && end < m->pattern_end && *end != 0 && strchr("*+-?", *end) != NULL;
  return repeats ? end + 1 : end;
}

const char *visitant_lua_pattern_fault(visitant_lua_text pattern, size_t *at) {
  static _Thread_local matcher m;  // its error text outlives the call
  int64_t steps = INT64_MAX;
  const char *begin = (const char *)pattern.bytes;
  if (begin == NULL) return NULL;
  matcher_begin(&m, "", 0, begin, pattern.count, &steps);
  outline o = {.count = 0};
  const char *p = begin + (pattern.count > 0 && *begin == '^');
  while (p != NULL && p < m.pattern_end) {
    *at = (size_t)(p - begin);
    p = check_item(&m, &o, p);
  }
  int index = innermost_open(&o);
  if (m.error != NULL || index < 0) return m.error;
  *at = (size_t)(o.begins[index] - begin);
  return "unfinished capture";
}

// MARK: Plain search

bool has_specials(const char *pattern, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (pattern[i] != 0 && strchr("^$*+?.([%-", pattern[i]) != NULL) return true;
  }
  return false;
}

const char *find_plain(
    const char *subject, size_t count, const char *wanted, size_t wanted_count, int64_t *steps) {
  enum { BYTES_A_STEP = 16 };
  if (wanted_count == 0) return subject;
  const char *end = subject + count;
  while ((size_t)(end - subject) >= wanted_count) {
    size_t span = (size_t)(end - subject) - wanted_count + 1;
    const char *candidate = memchr(subject, wanted[0], span);
    *steps -= 1 + (int64_t)((candidate == NULL ? span : (size_t)(candidate - subject)) / BYTES_A_STEP);
    if (candidate == NULL || *steps < 0) return NULL;
    *steps -= (int64_t)(wanted_count / BYTES_A_STEP);
    if (memcmp(candidate, wanted, wanted_count) == 0) return candidate;
    subject = candidate + 1;
  }
  return NULL;
}

// MARK: The host's door

visitant_lua_pattern_outcome visitant_lua_pattern_find(
    visitant_lua_text pattern, visitant_lua_text subject, size_t from, int64_t *steps, size_t *start,
    size_t *end, const char **error) {
  static _Thread_local matcher m;  // its error text outlives the call
  const char *p = (const char *)pattern.bytes, *s = (const char *)subject.bytes;
  if (p == NULL) p = "";
  if (s == NULL) s = "";
  if (from > subject.count) return VISITANT_LUA_PATTERN_ABSENT;
  matcher_begin(&m, s, subject.count, p, pattern.count, steps);
  bool anchored = pattern.count > 0 && *p == '^';
  if (anchored) p++;
  for (const char *at = s + from; at <= m.subject_end; at++) {
    const char *found = matcher_match(&m, at, p);
    if (found != NULL) {
      *start = (size_t)(at - s);
      *end = (size_t)(found - s);
      return VISITANT_LUA_PATTERN_FOUND;
    }
    *error = m.error;
    if (m.error != NULL) return VISITANT_LUA_PATTERN_MALFORMED;
    if (*steps < 0) return VISITANT_LUA_PATTERN_SPENT;
    if (anchored) break;
  }
  return VISITANT_LUA_PATTERN_ABSENT;
}
