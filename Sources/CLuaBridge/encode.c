#include <ctype.h>
#include <math.h>
#include <stdlib.h>

#include "state.h"

// Lua values as JSON. Keys are written in the order of their bytes, so that equal tables give equal texts.
// Tables are read without their metamethods, hence no script runs in here.

enum {
  /// Holes are filled with null up to this many for each member.
  HOLES_A_MEMBER = 4,
  BYTES_A_STEP = 16,
};

/// A step of the path to the value that is being written.
typedef struct {
  const char *key;
  size_t count;
  lua_Integer index;
} path_step;

typedef struct {
  lua_State *L;
  encoding how;
  const char *label;
  buffer *to;
  size_t began;
  int depth;
  path_step path[NESTING_LIMIT];
  const void *tables[NESTING_LIMIT];
} encoder;

static void write_value(encoder *e, int index);

// MARK: Complaints

static bool is_plain(const char *key, size_t count) {
  if (count == 0 || (key[0] >= '0' && key[0] <= '9')) return false;
  for (size_t i = 0; i < count; i++) {
    if (key[i] != '_' && !isalnum((unsigned char)key[i])) return false;
  }
  return true;
}

static void complain(encoder *e, const char *what) {
  lua_State *L = e->L;
  luaL_Buffer text;
  luaL_checkstack(L, 8, NULL);
  luaL_buffinit(L, &text);
  luaL_addstring(&text, e->label);
  for (int i = 0; i < e->depth; i++) {
    const path_step *step = &e->path[i];
    char number[32];
    if (step->key == NULL) {
      snprintf(number, sizeof number, "[%lld]", (long long)step->index);
      luaL_addstring(&text, number);
    } else if (is_plain(step->key, step->count)) {
      luaL_addchar(&text, '.');
      luaL_addlstring(&text, step->key, step->count);
    } else {
      luaL_addstring(&text, "[\"");
      luaL_addlstring(&text, step->key, step->count < 40 ? step->count : 40);
      luaL_addstring(&text, "\"]");
    }
  }
  luaL_addstring(&text, ": ");
  luaL_addstring(&text, what);
  luaL_pushresult(&text);
  lua_error(L);
}

static const char *verb(const encoder *e) {
  switch (e->how) {
    case CROSSES:
    case REPORTED: return "cannot be handed over";
    case KEPT: return "cannot be kept";
    case TEXT: return "cannot be written as JSON";
  }
  return "";
}

static void refuse(encoder *e, const char *what) {
  char text[128];
  snprintf(text, sizeof text, "%s %s", what, verb(e));
  complain(e, text);
}

// MARK: Scalars

static void put(encoder *e, const void *bytes, size_t count) {
  size_t limit = (size_t)state_of(e->L)->limits.memory;
  if (e->to->count - e->began + count > limit) complain(e, "the text would be larger than the memory budget");
  charge(e->L, 1 + (int64_t)(count / BYTES_A_STEP));
  if (!buffer_put(e->to, bytes, count)) luaL_error(e->L, "not enough memory");
}

static void put_word(encoder *e, const char *word) { put(e, word, strlen(word)); }

/// The length of the UTF-8 sequence at the front, or 0 when there is none.
static size_t sequence_length(const uint8_t *s, size_t count) {
  uint8_t c = s[0];
  if (c < 0x80) return 1;
  size_t length = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : 2;
  if (c < 0xc2 || c > 0xf4 || length > count) return 0;
  for (size_t i = 1; i < length; i++) {
    if ((s[i] & 0xc0) != 0x80) return 0;
  }
  if (c == 0xe0 && s[1] < 0xa0) return 0;  // too long a form
  if (c == 0xed && s[1] > 0x9f) return 0;  // half of a surrogate pair
  if (c == 0xf0 && s[1] < 0x90) return 0;
  if (c == 0xf4 && s[1] > 0x8f) return 0;  // beyond U+10FFFF
  return length;
}

static const char *short_escape(uint8_t c) {
  switch (c) {
    case '"': return "\\\"";
    case '\\': return "\\\\";
    case '\n': return "\\n";
    case '\r': return "\\r";
    case '\t': return "\\t";
    case '\b': return "\\b";
    case '\f': return "\\f";
    default: return NULL;
  }
}

static void write_string(encoder *e, const char *text, size_t count) {
  const uint8_t *s = (const uint8_t *)text;
  put(e, "\"", 1);
  size_t plain = 0;  // where the bytes begin that are not yet written
  for (size_t i = 0; i < count;) {
    size_t length = sequence_length(s + i, count - i);
    bool special = length == 0 || s[i] < 0x20 || s[i] == '"' || s[i] == '\\';
    if (!special) {
      i += length;
      continue;
    }
    put(e, s + plain, i - plain);
    char escape[8];
    const char *brief = short_escape(s[i]);
    if (length == 0) {
      put(e, "\xef\xbf\xbd", 3);
    } else if (brief != NULL) {
      put_word(e, brief);
    } else {
      snprintf(escape, sizeof escape, "\\u%04x", s[i]);
      put_word(e, escape);
    }
    plain = ++i;
  }
  put(e, s + plain, count - plain);
  put(e, "\"", 1);
}

static void write_number(encoder *e, int index) {
  char text[40];
  if (lua_isinteger(e->L, index)) {
    snprintf(text, sizeof text, "%lld", (long long)lua_tointeger(e->L, index));
    put_word(e, text);
    return;
  }
  lua_Number number = lua_tonumber(e->L, index);
  if (!isfinite(number)) refuse(e, isnan(number) ? "a number that is none (nan)" : "an infinite number");
  for (int digits = 15; digits <= 17; digits++) {
    snprintf(text, sizeof text, "%.*g", digits, number);
    if (strtod(text, NULL) == number) break;
  }
  if (strpbrk(text, ".e") == NULL) strcat(text, ".0");
  put_word(e, text);
}

static void write_function(encoder *e, int index) {
  lua_State *L = e->L;
  if (e->how != CROSSES || e->depth > FUNCTION_NESTING_LIMIT) refuse(e, "a function");
  push_slot(L, SLOT_REFERENCES);
  lua_pushvalue(L, index);
  int id = luaL_ref(L, -2);
  lua_pop(L, 1);
  char text[40];
  snprintf(text, sizeof text, "{\"" FUNCTION_KEY "\":%d}", id);
  put_word(e, text);
}

// MARK: Tables

/// What kinds of keys a table has.
typedef struct {
  int64_t strings, integers;
  lua_Integer largest;
} census;

static census count_keys(encoder *e, int table) {
  lua_State *L = e->L;
  census c = {0};
  lua_pushnil(L);
  while (lua_next(L, table)) {
    lua_pop(L, 1);
    if (lua_type(L, -1) == LUA_TSTRING) {
      c.strings++;
    } else if (lua_isinteger(L, -1) && lua_tointeger(L, -1) > 0) {
      lua_Integer key = lua_tointeger(L, -1);
      c.integers++;
      if (key > c.largest) c.largest = key;
    } else {
      refuse(e, "a table with a key that is neither a string nor a place in a list");
    }
  }
  charge(L, c.strings + c.integers);
  if (c.strings > 0 && c.integers > 0) refuse(e, "a table that is a list and has named members too");
  if (c.largest > c.integers) {
    if (e->how == KEPT) refuse(e, "a list with holes");
    if (c.largest / HOLES_A_MEMBER > c.integers) refuse(e, "a list with that many holes");
  }
  return c;
}

static void write_list(encoder *e, int table, lua_Integer count) {
  put(e, "[", 1);
  for (lua_Integer i = 1; i <= count; i++) {
    if (i > 1) put(e, ",", 1);
    e->path[e->depth - 1] = (path_step){.index = i};
    lua_rawgeti(e->L, table, i);
    write_value(e, lua_gettop(e->L));
    lua_pop(e->L, 1);
  }
  put(e, "]", 1);
}

typedef struct {
  const char *text;
  size_t count;
} name;

static int compare_names(const void *a, const void *b) {
  const name *x = a, *y = b;
  int order = memcmp(x->text, y->text, x->count < y->count ? x->count : y->count);
  return order != 0 ? order : (x->count > y->count) - (x->count < y->count);
}

static void write_object(encoder *e, int table, size_t count) {
  lua_State *L = e->L;
  buffer *scratch = &state_of(L)->scratch;
  size_t base = scratch->count;
  if (!buffer_reserve(scratch, (count + 1) * sizeof(name))) luaL_error(L, "not enough memory");
  scratch->count += count * sizeof(name);
  name *names = (name *)(void *)(scratch->bytes + base);
  size_t n = 0;
  lua_pushnil(L);
  while (n < count && lua_next(L, table)) {
    lua_pop(L, 1);
    names[n].text = lua_tolstring(L, -1, &names[n].count);
    n++;
  }
  if (n == count) lua_pop(L, 1);
  qsort(names, n, sizeof(name), compare_names);
  put(e, "{", 1);
  for (size_t i = 0; i < n; i++) {
    name key = ((name *)(void *)(scratch->bytes + base))[i];  // members move the scratch
    if (i > 0) put(e, ",", 1);
    e->path[e->depth - 1] = (path_step){.key = key.text, .count = key.count};
    bool is_functions = key.count == strlen(FUNCTION_KEY) && memcmp(key.text, FUNCTION_KEY, key.count) == 0;
    if (e->how == CROSSES && is_functions) refuse(e, "a key \"" FUNCTION_KEY "\"");
    write_string(e, key.text, key.count);
    put(e, ":", 1);
    lua_pushlstring(L, key.text, key.count);
    lua_rawget(L, table);
    write_value(e, lua_gettop(L));
    lua_pop(L, 1);
  }
  put(e, "}", 1);
  scratch->count = base;
}

/// Replaces a weak table on top by a copy: a collection must not take its keys away while they are written.
static void strengthen(lua_State *L) {
  int weak = lua_gettop(L);
  if (luaL_getmetafield(L, weak, "__mode") == LUA_TNIL) return;
  lua_newtable(L);
  lua_replace(L, weak + 1);
  lua_pushnil(L);
  while (lua_next(L, weak)) {
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_rawset(L, weak + 1);
  }
  lua_replace(L, weak);
}

static void write_table(encoder *e, int index) {
  lua_State *L = e->L;
  luaL_checkstack(L, 12, NULL);
  lua_pushvalue(L, index);
  thaw(L, -1);
  int table = lua_gettop(L);
  const void *identity = lua_topointer(L, table);
  for (int i = 0; i < e->depth; i++) {
    if (e->tables[i] == identity) refuse(e, "a table inside itself");
  }
  if (e->depth == NESTING_LIMIT) {
    e->depth = 4;  // the rest of the path says nothing
    refuse(e, "a table nested over 100 deep");
  }
  strengthen(L);
  census c = count_keys(e, table);
  e->tables[e->depth++] = identity;
  if (c.integers > 0 || (c.strings == 0 && is_array(L, table))) {
    write_list(e, table, c.largest);
  } else {
    write_object(e, table, (size_t)c.strings);
  }
  e->depth--;
  lua_pop(L, 1);
}

static void write_value(encoder *e, int index) {
  lua_State *L = e->L;
  if (e->how == REPORTED && lua_type(L, index) > LUA_TTABLE) return put_word(e, "null");
  switch (lua_type(L, index)) {
    case LUA_TNONE:
    case LUA_TNIL:
      return put_word(e, "null");
    case LUA_TBOOLEAN:
      return put_word(e, lua_toboolean(L, index) ? "true" : "false");
    case LUA_TNUMBER:
      return write_number(e, index);
    case LUA_TSTRING: {
      size_t count;
      const char *text = lua_tolstring(L, index, &count);
      return write_string(e, text, count);
    }
    case LUA_TTABLE:
      return write_table(e, index);
    case LUA_TFUNCTION:
      return write_function(e, index);
    case LUA_TTHREAD:
      return refuse(e, "a coroutine");
    default:
      return refuse(e, "such a value");
  }
}

// MARK: Doors

void encode_value(lua_State *L, int index, encoding how, const char *label, buffer *to) {
  encoder e;
  e.L = L;
  e.how = how;
  e.label = label;
  e.to = to;
  e.began = to->count;
  e.depth = 0;
  buffer_reset(&state_of(L)->scratch);
  write_value(&e, lua_absindex(L, index));
}

void encode_values(lua_State *L, int first, const char *label, buffer *to) {
  encoder e;
  e.L = L;
  e.how = CROSSES;
  e.label = label;
  e.to = to;
  e.began = to->count;
  e.depth = 0;
  buffer_reset(&state_of(L)->scratch);
  luaL_checkstack(L, 8, NULL);
  int last = lua_gettop(L);
  put(&e, "[", 1);
  for (int i = first; i <= last; i++) {
    if (i > first) put(&e, ",", 1);
    char numbered[64];
    snprintf(numbered, sizeof numbered, "%s %d", label, i - first + 1);
    e.label = numbered;
    write_value(&e, i);
  }
  e.label = label;
  put(&e, "]", 1);
}
