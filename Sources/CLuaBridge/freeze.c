#include "state.h"

// A read-only table is an empty one whose metatable leads to what it held. Only `rawset` could write behind
// it, and ours does not.

static const char frozen_key;

static int refuse_change(lua_State *L) {
  const char *name = lua_tostring(L, lua_upvalueindex(1));
  size_t count;
  lua_settop(L, 2);
  const char *key = push_text(L, 2, &count);
  if (name == NULL) return luaL_error(L, "'%s' cannot be set: the table is read-only", key);
  return luaL_error(L, "'%s.%s' cannot be set: '%s' is read-only", name, key, name);
}

static int length_behind(lua_State *L) {
  thaw(L, 1);
  lua_pushinteger(L, luaL_len(L, 1));
  return 1;
}

/// Moves what the table at `from` holds to the one at `to`.
static void move_contents(lua_State *L, int from, int to) {
  lua_pushnil(L);
  while (lua_next(L, from)) {
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_rawset(L, to);
    lua_pushvalue(L, -1);
    lua_pushnil(L);
    lua_rawset(L, from);  // clearing what was just visited is allowed in a traversal
  }
}

/// Copies the fields of the metatable at `from`, so that `__tostring` and its like stay.
static void copy_fields(lua_State *L, int from, int to) {
  lua_pushnil(L);
  while (lua_next(L, from)) {
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_rawset(L, to);
  }
}

void freeze(lua_State *L, int index, const char *name) {
  index = lua_absindex(L, index);
  if (is_frozen(L, index)) return;
  luaL_checkstack(L, 10, NULL);
  lua_newtable(L);
  int behind = lua_gettop(L);
  move_contents(L, index, behind);
  lua_createtable(L, 0, 5);
  int metatable = lua_gettop(L);
  if (lua_getmetatable(L, index)) {
    copy_fields(L, metatable + 1, metatable);
    lua_setmetatable(L, behind);
  }
  lua_pushvalue(L, behind);
  lua_setfield(L, metatable, "__index");
  lua_pushstring(L, name);
  lua_pushcclosure(L, refuse_change, 1);
  lua_setfield(L, metatable, "__newindex");
  lua_pushcfunction(L, length_behind);
  lua_setfield(L, metatable, "__len");
  lua_pushboolean(L, 0);
  lua_setfield(L, metatable, "__metatable");
  lua_pushvalue(L, behind);
  lua_rawsetp(L, metatable, &frozen_key);
  lua_setmetatable(L, index);
  lua_settop(L, behind - 1);
}

bool is_frozen(lua_State *L, int index) {
  if (!lua_getmetatable(L, index)) return false;
  bool frozen = lua_rawgetp(L, -1, &frozen_key) != LUA_TNIL;
  lua_pop(L, 2);
  return frozen;
}

bool thaw(lua_State *L, int index) {
  index = lua_absindex(L, index);
  luaL_checkstack(L, 4, NULL);
  if (!lua_istable(L, index) || !lua_getmetatable(L, index)) return false;
  if (lua_rawgetp(L, -1, &frozen_key) == LUA_TNIL) {
    lua_pop(L, 2);
    return false;
  }
  lua_replace(L, index);
  lua_pop(L, 1);
  return true;
}
