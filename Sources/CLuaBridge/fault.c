#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>

#include "state.h"

// Who is to blame, and how it is said. A frame is a script's unless its source begins with "=[": so do those
// of C and of preludes.

enum {
  SEARCHED_LEVELS = 1000,
  TRACED_FRAMES = 16,
};

static bool is_script(const lua_Debug *frame) {
  return !(frame->source[0] == '=' && frame->source[1] == '[');
}

/// The name a chunk was loaded under, without the mark in front.
static const char *plain_name(const char *source) {
  return source[0] == '@' || source[0] == '=' ? source + 1 : source;
}

/// A name for people: of a chunk that is named by its text, what Lua shows of it.
static void copy_name(char *name, const lua_Debug *frame) {
  bool named = frame->source[0] == '@' || frame->source[0] == '=';
  snprintf(name, NAME_LIMIT, "%s", named ? plain_name(frame->source) : frame->short_src);
}

// Allocates nothing: the allocator calls it when it denies.
bool find_place(lua_State *L, place *where) {
  lua_Debug frame;
  where->line = 0;
  where->source[0] = 0;
  for (int level = 0; level < SEARCHED_LEVELS && lua_getstack(L, level, &frame); level++) {
    if (!lua_getinfo(L, "Sl", &frame) || !is_script(&frame) || frame.currentline <= 0) continue;
    copy_name(where->source, &frame);
    where->line = frame.currentline;
    return true;
  }
  return false;
}

// Allocates nothing of Lua's, like find_place.
static void trace_frame(buffer *to, const lua_Debug *frame) {
  char name[NAME_LIMIT];
  copy_name(name, frame);
  if (to->count > 0) buffer_put(to, "\n", 1);
  if (frame->currentline > 0) {
    buffer_print(to, "%s:%d: ", name, frame->currentline);
  } else {
    buffer_print(to, "%s: ", name);
  }
  if (frame->namewhat[0] != 0) {
    buffer_print(to, "in %s '%s'", frame->namewhat, frame->name);
  } else if (frame->what[0] == 'm') {
    buffer_print(to, "in the main chunk");
  } else {
    buffer_print(to, "in the function of line %d", frame->linedefined);
  }
}

void fault_trace(lua_State *L, buffer *to) {
  lua_Debug frame;
  int traced = 0;
  for (int level = 0; level < SEARCHED_LEVELS && lua_getstack(L, level, &frame); level++) {
    if (!lua_getinfo(L, "Snl", &frame) || !is_script(&frame)) continue;
    if (traced++ == TRACED_FRAMES) {
      buffer_print(to, "\n...");
      return;
    }
    trace_frame(to, &frame);
  }
}

// MARK: Budgets

static void print_count(buffer *to, int64_t count) {
  char digits[32];
  int length = snprintf(digits, sizeof digits, "%" PRId64, count);
  for (int i = 0; i < length; i++) {
    if (i > 0 && (length - i) % 3 == 0) buffer_put(to, ",", 1);
    buffer_put(to, digits + i, 1);
  }
}

static void print_bytes(buffer *to, int64_t bytes) {
  if (bytes % (1 << 20) == 0) {
    buffer_print(to, "%" PRId64 " MiB", bytes >> 20);
  } else if (bytes % (1 << 10) == 0) {
    buffer_print(to, "%" PRId64 " KiB", bytes >> 10);
  } else {
    buffer_print(to, "%" PRId64 " bytes", bytes);
  }
}

visitant_lua_failure fault_of_budget(visitant_lua *lua) {
  buffer *message = &lua->message;
  message->count = 0;
  switch (lua->spent) {
    case VISITANT_LUA_BUDGET_MEMORY:
      buffer_print(message, "the memory budget of ");
      print_bytes(message, lua->limits.memory);
      break;
    case VISITANT_LUA_BUDGET_PATTERNS:
      buffer_print(message, "the budget of ");
      print_count(message, lua->limits.pattern_steps);
      buffer_print(message, " pattern steps a turn");
      break;
    case VISITANT_LUA_BUDGET_INSTRUCTIONS:
    case VISITANT_LUA_BUDGET_NONE:
      buffer_print(message, "the budget of ");
      print_count(message, lua->limits.instructions);
      buffer_print(message, " instructions a turn");
      break;
  }
  buffer_print(message, " is spent");
  if (lua->spent_by_time) buffer_print(message, ": they took too long");
  if (lua->spent_by_depth) buffer_print(message, ": calls are nested too deep");
  return (visitant_lua_failure){
    .code = VISITANT_LUA_CODE_BUDGET,
    .budget = lua->spent,
    .message = buffer_text(message),
    .source = {(const uint8_t *)lua->spent_at.source, strlen(lua->spent_at.source)},
    .line = lua->spent_at.line,
    .traceback = buffer_text(&lua->traceback),
  };
}

// MARK: Errors

/// What is being described. It lives on the C stack of `fault_describe`, below the protected call.
typedef struct {
  place where;
  visitant_lua_code code;
} description;

/// Whether the front of a message is a chunk's name and not some words of the script's.
static bool is_name(const char *text, size_t length, const place *where) {
  if (text[0] == '[') return true;
  if (length == strlen(where->source) && memcmp(text, where->source, length) == 0) return true;
  if (memchr(text, ' ', length) != NULL) return false;
  return memchr(text, '.', length) != NULL || memchr(text, '/', length) != NULL;
}

/// Takes a position such as "bot.lua:12: " off the front of a message; a script's wins over the frames'.
static const char *skip_position(const char *text, size_t *count, place *where) {
  const char *end = text + *count;
  const char *colon = text[0] == '[' ? memchr(text, ']', *count) : text;
  if (colon == NULL) return text;
  for (; (colon = memchr(colon, ':', (size_t)(end - colon))) != NULL; colon++) {
    const char *digit = colon + 1;
    int line = 0;
    for (; digit < end && isdigit((unsigned char)*digit) && line < 100000000; digit++) {
      line = line * 10 + *digit - '0';
    }
    bool positioned = digit > colon + 1 && end - digit >= 2 && digit[0] == ':' && digit[1] == ' ';
    if (!positioned) continue;
    size_t length = (size_t)(colon - text);
    if (!is_name(text, length, where)) return text;
    bool preluded = text[0] == '[' && strncmp(text, "[string ", 8) != 0;
    // Lua shortens long names; the frame then knows better.
    bool known = where->line == line && length >= 3 && memcmp(text, "...", 3) == 0;
    if (preluded && where->line == 0) return text;
    if (!preluded && !known && length < NAME_LIMIT) {
      memcpy(where->source, text, length);
      where->source[length] = 0;
      where->line = line;
    }
    *count -= (size_t)(digit + 2 - text);
    return digit + 2;
  }
  return text;
}

static void put_one_line(buffer *to, const char *text, size_t count) {
  to->count = 0;
  if (!buffer_put(to, text, count)) return;
  for (size_t i = 0; i < to->count; i++) {
    if (to->bytes[i] < ' ' || to->bytes[i] == 0x7f) to->bytes[i] = ' ';
  }
}

/// Reads where a raised table says that it comes from.
static void read_place(lua_State *L, place *where) {
  lua_pushvalue(L, 2);
  thaw(L, -1);
  lua_pushstring(L, "source");
  lua_rawget(L, -2);
  lua_pushstring(L, "line");
  lua_rawget(L, -3);
  if (lua_type(L, -2) == LUA_TSTRING && lua_type(L, -1) == LUA_TNUMBER) {
    snprintf(where->source, NAME_LIMIT, "%s", lua_tostring(L, -2));
    where->line = (int)lua_tointeger(L, -1);
  }
  lua_settop(L, 2);
}

/// Protected. The first value is the description, the second is what was raised; scripts' metamethods may
/// run.
static int describe_text(lua_State *L) {
  description *d = lua_touserdata(L, 1);
  if (lua_type(L, 2) == LUA_TTABLE) {
    read_place(L, &d->where);
    bool named = luaL_getmetafield(L, 2, "__tostring") != LUA_TNIL;
    bool said = !named && (lua_getfield(L, 2, "message") == LUA_TSTRING ||
                           lua_getfield(L, 2, "code") == LUA_TSTRING);
    if (said) lua_replace(L, 2);
    lua_settop(L, 2);
  }
  size_t count;
  const char *text = push_text(L, 2, &count);
  for (const char *rest; (rest = skip_position(text, &count, &d->where)) != text;) text = rest;
  put_one_line(&state_of(L)->message, text, count);
  return 0;
}

/// Protected, as above.
static int describe_value(lua_State *L) {
  encode_value(L, 2, REPORTED, "the error", &state_of(L)->value);
  return 0;
}

/// Runs one of the two above over the value on top of the main coroutine, and leaves the value there.
static bool run_description(lua_State *L, lua_CFunction part, description *d) {
  lua_pushcfunction(L, part);
  lua_pushlightuserdata(L, d);
  lua_pushvalue(L, -3);
  if (lua_pcall(L, 2, 0, 0) == LUA_OK) return true;
  lua_pop(L, 1);
  return false;
}

static void describe(visitant_lua *lua, lua_State *from, description *d) {
  lua_State *L = lua->main;
  lua_State *before = lua->running;
  lua->running = L;
  if (from != L) lua_xmove(from, L, 1);
  if (lua_type(L, -1) == LUA_TTABLE) d->code = VISITANT_LUA_CODE_THROWN;
  if (!run_description(L, describe_text, d)) {
    const char *said = "an error value that cannot be shown was raised";
    put_one_line(&lua->message, said, strlen(said));
  }
  if (d->code == VISITANT_LUA_CODE_THROWN && !run_description(L, describe_value, d)) lua->value.count = 0;
  lua_pop(L, 1);
  lua->running = before;
}

visitant_lua_failure fault_describe(visitant_lua *lua, lua_State *from, int status, const char *name) {
  description d = {.code = status == LUA_ERRSYNTAX ? VISITANT_LUA_CODE_SYNTAX : VISITANT_LUA_CODE_RUNTIME};
  lua->message.count = lua->value.count = 0;
  find_place(from, &d.where);
  if (lua->spent == VISITANT_LUA_BUDGET_NONE) lua->traceback.count = 0;
  if (lua->traceback.count == 0) fault_trace(from, &lua->traceback);
  if (status == LUA_ERRMEM) budget_spend(lua, VISITANT_LUA_BUDGET_MEMORY);
  if (lua->spent != VISITANT_LUA_BUDGET_NONE) {
    // A script that is spent while it is compiled has no line yet, but it has a name; preludes stand in
    // brackets.
    bool unplaced = lua->spent_at.source[0] == 0 && name[0] != '[';
    if (unplaced) snprintf(lua->spent_at.source, NAME_LIMIT, "%s", name);
    return fault_of_budget(lua);
  }

  describe(lua, from, &d);
  if (lua->spent != VISITANT_LUA_BUDGET_NONE) return fault_of_budget(lua);
  if (status == LUA_ERRSYNTAX) snprintf(d.where.source, NAME_LIMIT, "%s", name);
  lua->spent_at = d.where;  // keeps the name for as long as the failure is looked at
  return (visitant_lua_failure){
    .code = d.code,
    .message = buffer_text(&lua->message),
    .source = {(const uint8_t *)lua->spent_at.source, strlen(lua->spent_at.source)},
    .line = d.where.line,
    .traceback = buffer_text(&lua->traceback),
    .value = buffer_text(&lua->value),
  };
}
