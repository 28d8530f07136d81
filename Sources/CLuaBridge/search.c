#include "pattern.h"
#include "state.h"

// string.find, match, gmatch and gsub over our own matcher.

static void begin(
    lua_State *L, matcher *m, const char *subject, size_t count, const char *pattern, size_t pattern_count) {
  matcher_begin(m, subject, count, pattern, pattern_count, &state_of(L)->patterns_left);
}

/// Matches, or raises what is wrong with the pattern or the budget.
static const char *match_at(lua_State *L, matcher *m, const char *at, const char *pattern) {
  const char *end = matcher_match(m, at, pattern);
  if (end == NULL && matcher_failed(m)) {
    charge_patterns(L);
    luaL_error(L, "%s", m->error);
  }
  return end;
}

/// Pushes a capture; the first of none is the whole match.
static void push_capture(lua_State *L, const matcher *m, int index, const char *start, const char *end) {
  if (index >= m->captured) {
    if (index != 0) luaL_error(L, "invalid capture index %%%d", index + 1);
    lua_pushlstring(L, start, (size_t)(end - start));
    return;
  }
  const capture *c = &m->captures[index];
  if (c->length == CAPTURE_OPEN) luaL_error(L, "unfinished capture");
  if (c->length == CAPTURE_PLACE) {
    lua_pushinteger(L, c->start - m->subject + 1);
  } else {
    lua_pushlstring(L, c->start, (size_t)c->length);
  }
}

/// Pushes all captures; with `whole`, the match itself when there are none.
static int push_captures(lua_State *L, const matcher *m, bool whole, const char *start, const char *end) {
  int count = m->captured == 0 && whole ? 1 : m->captured;
  luaL_checkstack(L, count, "too many captures");
  for (int i = 0; i < count; i++) push_capture(L, m, i, start, end);
  return count;
}

/// Where to begin, counted from 0, from an argument that counts from 1 or backwards.
static size_t offset_argument(lua_State *L, int argument, size_t count) {
  lua_Integer place = luaL_optinteger(L, argument, 1);
  if (place > 0) return (size_t)place - 1;
  if (place == 0 || place < -(lua_Integer)count) return 0;
  return count - (size_t)(-place);
}

static int push_nil(lua_State *L) {
  lua_pushnil(L);
  return 1;
}

static int find_text(lua_State *L, const char *s, size_t count, size_t from, const char *p, size_t p_count) {
  const char *found = find_plain(s + from, count - from, p, p_count, &state_of(L)->patterns_left);
  charge_patterns(L);
  if (found == NULL) return push_nil(L);
  lua_pushinteger(L, found - s + 1);
  lua_pushinteger(L, found - s + (lua_Integer)p_count);
  return 2;
}

static int search(lua_State *L, bool finds) {
  size_t count, p_count;
  const char *s = luaL_checklstring(L, 1, &count);
  const char *p = luaL_checklstring(L, 2, &p_count);
  size_t from = offset_argument(L, 3, count);
  if (from > count) return push_nil(L);
  bool plain = finds && (lua_toboolean(L, 4) || !has_specials(p, p_count));
  if (plain) return find_text(L, s, count, from, p, p_count);
  matcher m;
  begin(L, &m, s, count, p, p_count);
  bool anchored = p_count > 0 && *p == '^';
  if (anchored) p++;
  const char *at = s + from;
  do {
    const char *end = match_at(L, &m, at, p);
    if (end == NULL) continue;
    if (!finds) return push_captures(L, &m, true, at, end);
    lua_pushinteger(L, at - s + 1);
    lua_pushinteger(L, end - s);
    return push_captures(L, &m, false, at, end) + 2;
  } while (at++ < m.subject_end && !anchored);
  return push_nil(L);
}

int string_find(lua_State *L) { return search(L, true); }

int string_match(lua_State *L) { return search(L, false); }

// MARK: gmatch

/// The iterator. Upvalues: subject, pattern, where to go on, where the last match ended (-1 before the
/// first).
static int next_match(lua_State *L) {
  size_t count, p_count;
  const char *s = lua_tolstring(L, lua_upvalueindex(1), &count);
  const char *p = lua_tolstring(L, lua_upvalueindex(2), &p_count);
  lua_Integer last = lua_tointeger(L, lua_upvalueindex(4));
  matcher m;
  begin(L, &m, s, count, p, p_count);
  lua_Integer from = lua_tointeger(L, lua_upvalueindex(3));
  for (; from <= (lua_Integer)count; from++) {
    const char *end = match_at(L, &m, s + from, p);
    if (end == NULL || end - s == last) continue;
    lua_pushinteger(L, end - s);
    lua_copy(L, -1, lua_upvalueindex(3));
    lua_replace(L, lua_upvalueindex(4));
    return push_captures(L, &m, true, s + from, end);
  }
  return 0;
}

int string_gmatch(lua_State *L) {
  size_t count;
  luaL_checklstring(L, 1, &count);
  luaL_checkstring(L, 2);
  size_t from = offset_argument(L, 3, count);
  lua_settop(L, 2);
  lua_pushinteger(L, from > count ? (lua_Integer)count + 1 : (lua_Integer)from);
  lua_pushinteger(L, -1);
  lua_pushcclosure(L, next_match, 4);
  return 1;
}

// MARK: gsub

static void add_template(
    lua_State *L, luaL_Buffer *to, const matcher *m, const char *start, const char *end) {
  size_t count;
  const char *t = lua_tolstring(L, 3, &count);
  charge(L, 1 + (int64_t)(count / 16));
  for (const char *t_end = t + count; t < t_end; t++) {
    if (*t != '%') {
      luaL_addchar(to, *t);
      continue;
    }
    t++;
    if (t < t_end && *t == '%') {
      luaL_addchar(to, '%');
    } else if (t < t_end && *t == '0') {
      luaL_addlstring(to, start, (size_t)(end - start));
    } else if (t < t_end && *t >= '1' && *t <= '9') {
      push_capture(L, m, *t - '1', start, end);
      luaL_tolstring(L, -1, NULL);
      lua_remove(L, -2);
      luaL_addvalue(to);
    } else {
      luaL_error(L, "invalid use of '%%' in replacement string");
    }
  }
}

/// Adds what the match becomes; whether that differs from what it was.
static bool add_replacement(
    lua_State *L, luaL_Buffer *to, const matcher *m, const char *start, const char *end) {
  switch (lua_type(L, 3)) {
    case LUA_TFUNCTION:
      lua_pushvalue(L, 3);
      lua_call(L, push_captures(L, m, true, start, end), 1);
      break;
    case LUA_TTABLE:
      push_capture(L, m, 0, start, end);
      lua_gettable(L, 3);
      break;
    default:
      add_template(L, to, m, start, end);
      return true;
  }
  if (!lua_toboolean(L, -1)) {
    lua_pop(L, 1);
    luaL_addlstring(to, start, (size_t)(end - start));
    return false;
  }
  if (!lua_isstring(L, -1)) luaL_error(L, "invalid replacement value (a %s)", luaL_typename(L, -1));
  luaL_addvalue(to);
  return true;
}

int string_gsub(lua_State *L) {
  size_t count, p_count;
  const char *s = luaL_checklstring(L, 1, &count);
  const char *p = luaL_checklstring(L, 2, &p_count);
  int kind = lua_type(L, 3);
  if (kind != LUA_TNUMBER && kind != LUA_TSTRING && kind != LUA_TFUNCTION && kind != LUA_TTABLE) {
    return luaL_typeerror(L, 3, "string/function/table");
  }
  lua_Integer most = luaL_optinteger(L, 4, (lua_Integer)count + 1);
  if (kind == LUA_TNUMBER) lua_tostring(L, 3);  // in place
  matcher m;
  begin(L, &m, s, count, p, p_count);
  bool anchored = p_count > 0 && *p == '^', changed = false;
  if (anchored) p++;
  const char *last = NULL;
  lua_Integer replaced = 0;
  luaL_Buffer to;
  luaL_buffinit(L, &to);
  while (replaced < most) {
    const char *end = match_at(L, &m, s, p);
    if (end != NULL && end != last) {
      replaced++;
      changed = add_replacement(L, &to, &m, s, end) || changed;
      s = last = end;
    } else if (s == m.subject_end) {
      break;
    } else {
      luaL_addchar(&to, *s);
      s++;
    }
    if (anchored) break;
  }
  luaL_addlstring(&to, s, (size_t)(m.subject_end - s));
  luaL_pushresult(&to);
  if (!changed) lua_pushvalue(L, 1);
  lua_pushinteger(L, replaced);
  return 2;
}
