#include "state.h"

// The sandbox is an allow list: what is not put in here is not there. Scripts have a global table of their
// own, which looks into the sandbox; preludes have another one, with `host` beside it.

static void open_slots(lua_State *L) {
  for (int slot = SLOT_PRELUDE; slot <= SLOT_ORDER_OF; slot++) {
    lua_newtable(L);
    lua_rawseti(L, LUA_REGISTRYINDEX, slot);
  }
  // Those that must not keep alive what they know.
  for (int slot = SLOT_SERIALS; slot <= SLOT_ORDER_OF; slot++) {
    push_slot(L, slot);
    lua_createtable(L, 0, 1);
    lua_pushstring(L, slot == SLOT_SERIALS ? "k" : "v");
    lua_setfield(L, -2, "__mode");
    lua_setmetatable(L, -2);
    lua_pop(L, 1);
  }
  lua_pushboolean(L, 0);
  lua_rawseti(L, LUA_REGISTRYINDEX, SLOT_ORDER);
  // Lua makes this string when it cannot handle a failure of memory any more: it must be there by then.
  lua_pushliteral(L, "error in error handling");
  lua_rawseti(L, LUA_REGISTRYINDEX, SLOT_LITERAL);
}

/// Sets the table on top, made read-only, in the sandbox at 1.
static void add_library(lua_State *L, const char *name) {
  freeze(L, -1, name);
  lua_setfield(L, 1, name);
}

/// Methods of strings are those of our library, and their metatable is out of reach.
static void lock_strings(lua_State *L) {
  lua_pushliteral(L, "");
  lua_getmetatable(L, -1);
  lua_getfield(L, 1, "string");
  luaL_getmetafield(L, -1, "__index");
  lua_setfield(L, -3, "__index");
  lua_pop(L, 1);
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_pop(L, 2);
}

/// Pushes a table that looks into the one at 1.
static void push_globals(lua_State *L) {
  lua_newtable(L);
  lua_createtable(L, 0, 2);
  lua_pushvalue(L, 1);
  lua_setfield(L, -2, "__index");
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_setmetatable(L, -2);
  lua_pushvalue(L, -1);
  lua_setfield(L, -2, "_G");
}

/// Protected. Leaves the state ready for preludes.
int build_sandbox(lua_State *L) {
  lua_settop(L, 0);
  state_of(L)->instructions_left = UNLIMITED;
  open_slots(L);
  open_base(L);
  lua_pushvalue(L, 1);
  lua_rawseti(L, LUA_REGISTRYINDEX, SLOT_SANDBOX);
  open_strings(L), add_library(L, "string");
  open_tables(L), add_library(L, "table");
  open_math(L), add_library(L, "math");
  open_utf8(L), add_library(L, "utf8");
  open_coroutines(L), add_library(L, "coroutine");
  open_os(L), add_library(L, "os");
  lock_strings(L);

  push_globals(L);
  push_globals(L);
  open_host(L);
  lua_getfield(L, 4, "print");
  lua_setfield(L, 1, "print");
  lua_pushvalue(L, 1);
  lua_setfield(L, 4, "sandbox");
  lua_pushvalue(L, 2);
  lua_setfield(L, 4, "globals");
  push_slot(L, SLOT_PRELUDE);
  lua_setfield(L, 4, "prelude");
  lua_setfield(L, 3, "host");
  lua_rawseti(L, LUA_REGISTRYINDEX, SLOT_PRELUDE_GLOBALS);
  lua_rawseti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
  lua_settop(L, 0);
  lua_gc(L, LUA_GCCOLLECT);
  return 0;
}
