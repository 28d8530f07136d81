#include "state.h"

/// Numbers an object when it is first shown. Addresses would differ from run to run, and a bot that is
/// resumed from its journal must say what it said.
static uint32_t serial_of(lua_State *L, int index) {
  push_slot(L, SLOT_SERIALS);
  lua_pushvalue(L, index);
  lua_rawget(L, -2);
  uint32_t serial = (uint32_t)lua_tointeger(L, -1);
  if (serial == 0) {
    serial = ++state_of(L)->last_serial;
    lua_pushvalue(L, index);
    lua_pushinteger(L, serial);
    lua_rawset(L, -4);
  }
  lua_pop(L, 2);
  return serial;
}

const char *push_text(lua_State *L, int index, size_t *count) {
  index = lua_absindex(L, index);
  luaL_checkstack(L, 8, NULL);
  if (luaL_callmeta(L, index, "__tostring")) {
    if (!lua_isstring(L, -1)) luaL_error(L, "'__tostring' must return a string");
    return lua_tolstring(L, -1, count);
  }
  switch (lua_type(L, index)) {
    case LUA_TNIL:
    case LUA_TBOOLEAN:
    case LUA_TNUMBER:
    case LUA_TSTRING:
      return luaL_tolstring(L, index, count);
    default:
      break;
  }
  uint32_t serial = serial_of(L, index);
  int named = luaL_getmetafield(L, index, "__name");
  const char *kind = named == LUA_TSTRING ? lua_tostring(L, -1) : luaL_typename(L, index);
  lua_pushfstring(L, "%s: %d", kind, (int)serial);
  if (named != LUA_TNIL) lua_remove(L, -2);
  return lua_tolstring(L, -1, count);
}
