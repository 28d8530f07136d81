#include "state.h"

// The base library. What catches errors gives way to a spent budget; `load` takes text only.

// MARK: Errors

static int finish_call(lua_State *L, int status, lua_KContext skipped) {
  budget_check(L, status);
  if (status != LUA_OK && status != LUA_YIELD) {
    lua_pushboolean(L, 0);
    lua_pushvalue(L, -2);
    return 2;
  }
  return lua_gettop(L) - (int)skipped;
}

static int base_pcall(lua_State *L) {
  luaL_checkany(L, 1);
  lua_pushboolean(L, 1);
  lua_insert(L, 1);
  return finish_call(L, lua_pcallk(L, lua_gettop(L) - 2, LUA_MULTRET, 0, 0, finish_call), 0);
}

/// Stands before a script's message handler, which must not run once a budget is spent.
static int handle_message(lua_State *L) {
  if (state_of(L)->spent != VISITANT_LUA_BUDGET_NONE) return 1;
  lua_settop(L, 1);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, 1, 1);
  return 1;
}

static int base_xpcall(lua_State *L) {
  int count = lua_gettop(L);
  luaL_checktype(L, 2, LUA_TFUNCTION);
  lua_pushvalue(L, 2);
  lua_pushcclosure(L, handle_message, 1);
  lua_replace(L, 2);
  lua_pushboolean(L, 1);
  lua_pushvalue(L, 1);
  lua_rotate(L, 3, 2);
  return finish_call(L, lua_pcallk(L, count - 2, LUA_MULTRET, 2, 2, finish_call), 2);
}

// MARK: load

visitant_lua_text skip_front(visitant_lua_text source) {
  if (source.count >= 3 && memcmp(source.bytes, "\xef\xbb\xbf", 3) == 0) {
    source.bytes += 3;
    source.count -= 3;
  }
  if (source.count > 0 && source.bytes[0] == '#') {
    while (source.count > 0 && source.bytes[0] != '\n') {
      source.bytes++;
      source.count--;
    }
  }
  return source;
}

const char *refusal_of_bytecode(visitant_lua_text source) {
  if (source.count == 0 || source.bytes[0] != (uint8_t)LUA_SIGNATURE[0]) return NULL;
  return "this is compiled Lua (bytecode), which is never run: name the file of its text";
}

enum { CHUNK = 1, CHUNK_NAME, CHUNK_MODE, CHUNK_GLOBALS, CHUNK_PIECE };

static const char *read_piece(lua_State *L, void *nothing, size_t *count) {
  (void)nothing;
  luaL_checkstack(L, 2, "too many nested functions");
  lua_pushvalue(L, CHUNK);
  lua_call(L, 0, 1);
  if (lua_isnil(L, -1)) {
    lua_pop(L, 1);
    *count = 0;
    return NULL;
  }
  if (!lua_isstring(L, -1)) luaL_error(L, "reader function must return a string");
  lua_replace(L, CHUNK_PIECE);
  const char *piece = lua_tolstring(L, CHUNK_PIECE, count);
  charge(L, 1 + (int64_t)*count);
  return piece;
}

/// A chunk's name must not pass for that of a prelude or of C.
static const char *chunk_name(lua_State *L, const char *otherwise) {
  const char *name = luaL_optstring(L, CHUNK_NAME, otherwise);
  return name[0] == '=' && name[1] == '[' ? "=(load)" : name;
}

static int base_load(lua_State *L) {
  bool has_globals = !lua_isnone(L, CHUNK_GLOBALS);
  const char *mode = luaL_optstring(L, CHUNK_MODE, "t");
  size_t count;
  int status;
  const char *text = lua_tolstring(L, CHUNK, &count);
  const char *name = chunk_name(L, text != NULL ? text : "=(load)");
  if (text == NULL) luaL_checktype(L, CHUNK, LUA_TFUNCTION);
  lua_settop(L, CHUNK_PIECE);
  if (strchr(mode, 't') == NULL) {
    lua_pushnil(L);
    lua_pushliteral(L, "only text can be loaded");
    return 2;
  }
  if (text != NULL) {
    charge(L, 1 + (int64_t)count);
    status = luaL_loadbufferx(L, text, count, name, "t");
  } else {
    status = lua_load(L, read_piece, NULL, name, "t");
  }
  budget_check(L, status);
  if (status != LUA_OK) {
    lua_pushnil(L);
    lua_insert(L, -2);
    return 2;
  }
  if (has_globals) {
    lua_pushvalue(L, CHUNK_GLOBALS);
    if (!lua_setupvalue(L, -2, 1)) lua_pop(L, 1);
  }
  return 1;
}

// MARK: Tables

static int base_getmetatable(lua_State *L) {
  luaL_checkany(L, 1);
  if (is_array(L, 1) || !lua_getmetatable(L, 1)) {
    lua_pushnil(L);
    return 1;
  }
  luaL_getmetafield(L, 1, "__metatable");
  return 1;
}

static int base_setmetatable(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  luaL_argexpected(L, lua_isnil(L, 2) || lua_istable(L, 2), 2, "nil or table");
  if (luaL_getmetafield(L, 1, "__metatable") != LUA_TNIL) {
    return luaL_error(L, "cannot change a protected metatable");
  }
  if (lua_istable(L, 2)) {
    lua_pushliteral(L, "__gc");
    if (lua_rawget(L, 2) != LUA_TNIL) {
      return luaL_error(L, "'__gc' is not available: no budget could end a finalizer");
    }
  }
  lua_settop(L, 2);
  lua_setmetatable(L, 1);
  return 1;
}

static int base_rawset(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  luaL_checkany(L, 2);
  luaL_checkany(L, 3);
  lua_settop(L, 3);
  if (is_frozen(L, 1)) {
    lua_settable(L, 1);  // complains, with the table's name
    return 0;
  }
  lua_rawset(L, 1);
  return 1;
}

static int base_rawget(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  luaL_checkany(L, 2);
  lua_settop(L, 2);
  thaw(L, 1);
  lua_rawget(L, 1);
  return 1;
}

static int base_rawlen(lua_State *L) {
  luaL_argexpected(L, lua_istable(L, 1) || lua_type(L, 1) == LUA_TSTRING, 1, "table or string");
  thaw(L, 1);
  lua_pushinteger(L, (lua_Integer)lua_rawlen(L, 1));
  return 1;
}

// MARK: Text

static int base_tostring(lua_State *L) {
  luaL_checkany(L, 1);
  push_text(L, 1, NULL);
  return 1;
}

static _Atomic(lua_CFunction) original_tonumber;

static int base_tonumber(lua_State *L) { return run_charged(L, original_tonumber); }

static int base_collectgarbage(lua_State *L) {
  const char *what = luaL_optstring(L, 1, "collect");
  if (strcmp(what, "count") != 0) {
    return luaL_error(L, "collectgarbage: only \"count\" is available, memory is looked after");
  }
  lua_pushnumber(L, (lua_Number)state_of(L)->memory / 1024);
  return 1;
}

void open_base(lua_State *L) {
  static const char *const plain[] = {
    "assert", "error", "ipairs", "rawequal", "select", "tonumber", "type", NULL,
  };
  static const luaL_Reg functions[] = {
    {"collectgarbage", base_collectgarbage}, {"getmetatable", base_getmetatable}, {"load", base_load},
    {"next", ordered_next}, {"pairs", ordered_pairs}, {"pcall", base_pcall}, {"rawget", base_rawget},
    {"rawlen", base_rawlen}, {"rawset", base_rawset}, {"setmetatable", base_setmetatable},
    {"tonumber", base_tonumber}, {"tostring", base_tostring}, {"xpcall", base_xpcall}, {NULL, NULL},
  };
  open_some(L, luaopen_base, plain);
  lua_getfield(L, -1, "tonumber");
  original_tonumber = lua_tocfunction(L, -1);
  lua_pop(L, 1);
  luaL_setfuncs(L, functions, 0);
  lua_pushliteral(L, LUA_VERSION);
  lua_setfield(L, -2, "_VERSION");
}
