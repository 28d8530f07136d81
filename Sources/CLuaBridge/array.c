#include "state.h"

// A list of JSON carries a metatable that is nothing but a mark: with it an empty table is written as `[]`.
// All lists share it and C sets it without asking, so scripts never see it: one that could put `__gc` there
// would run finalizers, in which Lua counts no instructions.

void mark_array(lua_State *L, int index) {
  index = lua_absindex(L, index);
  push_slot(L, SLOT_ARRAY);
  lua_setmetatable(L, index);
}

bool is_array(lua_State *L, int index) {
  if (!lua_getmetatable(L, index)) return false;
  push_slot(L, SLOT_ARRAY);
  bool marked = lua_rawequal(L, -1, -2);
  lua_pop(L, 2);
  return marked;
}
