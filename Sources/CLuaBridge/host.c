#include "state.h"

// What preludes see as `host`, and scripts as `print`.

/// Raises the message on top with the position of the nearest frame of a script in front.
static int raise_from_script(lua_State *L) {
  place where;
  if (find_place(L, &where)) {
    lua_pushfstring(L, "%s:%d: %s", where.source, where.line, lua_tostring(L, -1));
  }
  return lua_error(L);
}

// MARK: Asking

static int answer(lua_State *L, int status, lua_KContext context) {
  (void)status, (void)context;
  set_mark(L, MARK_WAITS, false);
  lua_settop(L, 0);
  return decode_values(L, state_of(L)->input);
}

/// The function that keeps the coroutine from waiting: one written in C, that called back.
static const char *find_blocker(lua_State *L, lua_Debug *frame) {
  for (int level = 1; level < 100 && lua_getstack(L, level, frame); level++) {
    if (!lua_getinfo(L, "Sn", frame) || frame->what[0] != 'C' || frame->name == NULL) continue;
    if (strstr(frame->name, "pcall") == NULL) return frame->name;
  }
  return "table.sort, string.gsub or another function that calls back";
}

static int refuse_to_wait(lua_State *L) {
  const char *what = lua_type(L, 1) == LUA_TSTRING ? lua_tostring(L, 1) : "the script";
  place where;
  lua_Debug frame;
  const char *blocker = find_blocker(L, &frame);
  if (find_place(L, &where)) {
    lua_pushfstring(L, "%s:%d: %s cannot wait inside %s", where.source, where.line, what, blocker);
  } else {
    lua_pushfstring(L, "%s cannot wait inside %s", what, blocker);
  }
  return lua_error(L);
}

static int host_ask(lua_State *L) {
  visitant_lua *lua = state_of(L);
  if (lua->blocked || !lua_isyieldable(L)) return refuse_to_wait(L);
  lua->out.count = 0;
  encode_values(L, 1, "argument", &lua->out);
  find_place(L, &lua->asked_at);
  return coroutine_wait(L, answer);
}

static int host_note(lua_State *L) {
  visitant_lua *lua = state_of(L);
  lua->out.count = 0;
  encode_values(L, 1, "argument", &lua->out);
  lua->note_bytes_this_turn += lua->out.count;
  _Static_assert(NOTES_A_TURN == 10000 && NOTE_BYTES_A_TURN == 1 << 20, "the limits stand in the texts");
  const char *limit = NULL;
  if (++lua->notes_this_turn > NOTES_A_TURN) limit = "10,000";
  if (lua->note_bytes_this_turn > NOTE_BYTES_A_TURN) limit = "1 MiB of";
  if (limit != NULL) {
    lua_pushfstring(L, "the budget of %s logs, checks and measures a turn is spent", limit);
    return raise_from_script(L);
  }
  bool noted = buffer_reserve(&lua->notes, lua->out.count + 1);
  if (!noted) return luaL_error(L, "not enough memory");
  buffer_put(&lua->notes, lua->out.bytes, lua->out.count);
  buffer_put(&lua->notes, "", 1);
  return 0;
}

static int host_print(lua_State *L) {
  int count = lua_gettop(L);
  luaL_Buffer text;
  luaL_checkstack(L, 8, NULL);
  lua_pushcfunction(L, host_note);
  lua_pushliteral(L, "log");
  luaL_buffinit(L, &text);
  for (int i = 1; i <= count; i++) {
    if (i > 1) luaL_addchar(&text, '\t');
    push_text(L, i, NULL);
    luaL_addvalue(&text);
  }
  luaL_pushresult(&text);
  lua_call(L, 2, 0);
  return 0;
}

static int host_now(lua_State *L) {
  lua_pushnumber(L, state_of(L)->now);
  return 1;
}

// MARK: Functions and positions

static int host_keep(lua_State *L) {
  luaL_checktype(L, 1, LUA_TFUNCTION);
  lua_settop(L, 1);
  push_slot(L, SLOT_REFERENCES);
  lua_insert(L, 1);
  lua_pushinteger(L, luaL_ref(L, 1));
  return 1;
}

static int host_kept(lua_State *L) {
  push_slot(L, SLOT_REFERENCES);
  lua_rawgeti(L, -1, luaL_checkinteger(L, 1));
  if (lua_isfunction(L, -1)) return 1;
  lua_pushnil(L);
  return 1;
}

static int host_release(lua_State *L) {
  host_kept(L);
  if (lua_isnil(L, -1)) return 0;
  push_slot(L, SLOT_REFERENCES);
  luaL_unref(L, -1, (int)lua_tointeger(L, 1));
  return 0;
}

static int host_position(lua_State *L) {
  place where;
  if (!find_place(L, &where)) return 0;
  lua_pushfstring(L, "%s:%d", where.source, where.line);
  lua_pushstring(L, where.source);
  lua_pushinteger(L, where.line);
  return 3;
}

static int host_error(lua_State *L) {
  luaL_checkstring(L, 1);
  lua_settop(L, 1);
  return raise_from_script(L);
}

/// Where a function of a script begins: its source and its line; nothing for other functions.
static int host_origin(lua_State *L) {
  lua_Debug function;
  luaL_checktype(L, 1, LUA_TFUNCTION);
  lua_settop(L, 1);
  if (!lua_getinfo(L, ">S", &function) || function.source[0] != '@') return 0;
  lua_pushstring(L, function.source + 1);
  lua_pushinteger(L, function.linedefined);
  return 2;
}

/// Compiles a text over the scripts' globals: a function, or nil and what is wrong with it.
static int host_load(lua_State *L) {
  visitant_lua_text source;
  source.bytes = (const uint8_t *)luaL_checklstring(L, 1, &source.count);
  lua_pushfstring(L, "@%s", luaL_checkstring(L, 2));
  source = skip_front(source);
  charge(L, 1 + (int64_t)source.count);
  const char *refusal = refusal_of_bytecode(source);
  if (refusal != NULL) {
    lua_pushnil(L);
    lua_pushfstring(L, "%s: %s", lua_tostring(L, 2), refusal);
    return 2;
  }
  int status = luaL_loadbufferx(L, (const char *)source.bytes, source.count, lua_tostring(L, -1), "t");
  budget_check(L, status);
  if (status == LUA_OK) return 1;
  lua_pushnil(L);
  lua_insert(L, -2);
  return 2;
}

// MARK: Tables

static int host_freeze(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  freeze(L, 1, luaL_optstring(L, 2, NULL));
  lua_settop(L, 1);
  return 1;
}

static int host_array(lua_State *L) {
  if (lua_isnoneornil(L, 1)) {
    lua_settop(L, 0);
    lua_newtable(L);
  }
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  if (is_array(L, 1)) return 1;
  if (lua_getmetatable(L, 1)) return luaL_error(L, "array: a table with a metatable is no plain list");
  mark_array(L, 1);
  return 1;
}

static int host_json_encode(lua_State *L) {
  visitant_lua *lua = state_of(L);
  luaL_checkany(L, 1);
  lua->out.count = 0;
  encode_value(L, 1, TEXT, luaL_optstring(L, 2, "value"), &lua->out);
  lua_pushlstring(L, (const char *)lua->out.bytes, lua->out.count);
  return 1;
}

static int host_json_decode(lua_State *L) {
  visitant_lua_text text;
  text.bytes = (const uint8_t *)luaL_checklstring(L, 1, &text.count);
  decode_value(L, text);
  return 1;
}

// MARK: Digests

static int push_hex(lua_State *L, const uint8_t digest[32]) {
  char text[64];
  for (int i = 0; i < 64; i++) text[i] = "0123456789abcdef"[digest[i / 2] >> (i % 2 == 0 ? 4 : 0) & 15];
  lua_pushlstring(L, text, sizeof text);
  return 1;
}

static int host_sha256(lua_State *L) {
  size_t count;
  uint8_t digest[32];
  const char *bytes = luaL_checklstring(L, 1, &count);
  charge(L, 64 + (int64_t)count);
  sha256((const uint8_t *)bytes, count, digest);
  return push_hex(L, digest);
}

static int host_hmac_sha256(lua_State *L) {
  size_t key_count, count;
  uint8_t digest[32];
  const char *key = luaL_checklstring(L, 1, &key_count);
  const char *bytes = luaL_checklstring(L, 2, &count);
  charge(L, 128 + (int64_t)(count + key_count));
  hmac_sha256((const uint8_t *)key, key_count, (const uint8_t *)bytes, count, digest);
  return push_hex(L, digest);
}

static int host_base64_encode(lua_State *L) {
  size_t count;
  luaL_Buffer text;
  const char *bytes = luaL_checklstring(L, 1, &count);
  charge(L, 1 + (int64_t)(count / 4));
  char *to = luaL_buffinitsize(L, &text, (count + 2) / 3 * 4);
  luaL_pushresultsize(&text, base64_encode((const uint8_t *)bytes, count, to));
  return 1;
}

static int host_base64_decode(lua_State *L) {
  size_t count, written;
  luaL_Buffer bytes;
  const char *text = luaL_checklstring(L, 1, &count);
  charge(L, 1 + (int64_t)(count / 4));
  uint8_t *to = (uint8_t *)luaL_buffinitsize(L, &bytes, count + 1);
  if (!base64_decode(text, count, to, &written)) return luaL_error(L, "the text is no Base64");
  luaL_pushresultsize(&bytes, written);
  return 1;
}

/// A random UUID (version 4) of the run's generator.
static int host_uuid(lua_State *L) {
  visitant_lua *lua = state_of(L);
  uint64_t high = (random_next(lua) & ~(uint64_t)0xf000) | 0x4000;
  uint64_t low = (random_next(lua) >> 2) | (uint64_t)1 << 63;
  char text[40];
  snprintf(
      text, sizeof text, "%08x-%04x-%04x-%04x-%012llx", (unsigned)(high >> 32),
      (unsigned)(high >> 16 & 0xffff), (unsigned)(high & 0xffff), (unsigned)(low >> 48),
      (unsigned long long)(low & 0xffffffffffff));
  lua_pushstring(L, text);
  return 1;
}

void open_host(lua_State *L) {
  static const luaL_Reg functions[] = {
    {"array", host_array}, {"ask", host_ask}, {"base64_decode", host_base64_decode},
    {"base64_encode", host_base64_encode}, {"error", host_error}, {"freeze", host_freeze},
    {"hmac_sha256", host_hmac_sha256}, {"json_decode", host_json_decode}, {"json_encode", host_json_encode},
    {"keep", host_keep}, {"kept", host_kept}, {"load", host_load}, {"note", host_note}, {"now", host_now},
    {"origin", host_origin}, {"position", host_position}, {"print", host_print}, {"random", math_random},
    {"release", host_release}, {"sha256", host_sha256}, {"uuid", host_uuid}, {NULL, NULL},
  };
  luaL_newlib(L, functions);
}
