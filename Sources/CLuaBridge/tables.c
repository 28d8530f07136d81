#include <limits.h>

#include "state.h"

// The table library. Each function pays for the places it is going to touch before it touches them, so that a
// `__len` which lies about a table's size is as harmless as a large table.

static lua_Integer length_of(lua_State *L, int table) {
  luaL_checktype(L, table, LUA_TTABLE);
  return luaL_len(L, table);
}

static int table_insert(lua_State *L) {
  lua_Integer end = length_of(L, 1) + 1;
  int count = lua_gettop(L);
  if (count == 2) {
    lua_seti(L, 1, end);
    return 0;
  }
  if (count != 3) return luaL_error(L, "wrong number of arguments to 'insert'");
  lua_Integer place = luaL_checkinteger(L, 2);
  luaL_argcheck(L, (lua_Unsigned)place - 1u < (lua_Unsigned)end, 2, "position out of bounds");
  charge(L, end - place);
  for (lua_Integer i = end; i > place; i--) {
    lua_geti(L, 1, i - 1);
    lua_seti(L, 1, i);
  }
  lua_seti(L, 1, place);
  return 0;
}

static int table_remove(lua_State *L) {
  lua_Integer size = length_of(L, 1);
  lua_Integer place = luaL_optinteger(L, 2, size);
  if (place != size) {
    luaL_argcheck(L, (lua_Unsigned)place - 1u <= (lua_Unsigned)size, 2, "position out of bounds");
  }
  lua_geti(L, 1, place);
  if (place < size) charge(L, size - place);
  for (; place < size; place++) {
    lua_geti(L, 1, place + 1);
    lua_seti(L, 1, place);
  }
  lua_pushnil(L);
  lua_seti(L, 1, place);
  return 1;
}

static void add_field(lua_State *L, luaL_Buffer *to, lua_Integer i) {
  lua_geti(L, 1, i);
  if (!lua_isstring(L, -1)) {
    const char *kind = luaL_typename(L, -1);
    luaL_error(L, "invalid value (%s) at index %I in table for 'concat'", kind, (LUAI_UACINT)i);
  }
  luaL_addvalue(to);
}

static int table_concat(lua_State *L) {
  lua_Integer size = length_of(L, 1);
  size_t count;
  const char *separator = luaL_optlstring(L, 2, "", &count);
  lua_Integer i = luaL_optinteger(L, 3, 1);
  lua_Integer last = luaL_optinteger(L, 4, size);
  luaL_Buffer to;
  luaL_buffinit(L, &to);
  for (; i <= last; i++) {
    charge(L, 1 + (int64_t)(count / 16));
    add_field(L, &to, i);
    if (i == last) break;  // the next one may not be a number
    luaL_addlstring(&to, separator, count);
  }
  luaL_pushresult(&to);
  return 1;
}

static int table_pack(lua_State *L) {
  int count = lua_gettop(L);
  lua_createtable(L, count, 1);
  lua_insert(L, 1);
  for (int i = count; i >= 1; i--) lua_seti(L, 1, i);
  lua_pushinteger(L, count);
  lua_setfield(L, 1, "n");
  return 1;
}

static int table_unpack(lua_State *L) {
  lua_Integer first = luaL_optinteger(L, 2, 1);
  lua_Integer last = lua_isnoneornil(L, 3) ? luaL_len(L, 1) : luaL_checkinteger(L, 3);
  if (first > last) return 0;
  lua_Unsigned count = (lua_Unsigned)last - (lua_Unsigned)first;
  if (count >= INT_MAX || !lua_checkstack(L, (int)++count)) {
    budget_check(L, LUA_OK);
    return luaL_error(L, "too many results to unpack");
  }
  charge(L, (int64_t)count);
  for (; first < last; first++) lua_geti(L, 1, first);
  lua_geti(L, 1, last);
  return (int)count;
}

static int table_move(lua_State *L) {
  lua_Integer from = luaL_checkinteger(L, 2), end = luaL_checkinteger(L, 3), to = luaL_checkinteger(L, 4);
  int target = lua_isnoneornil(L, 5) ? 1 : 5;
  luaL_checktype(L, 1, LUA_TTABLE);
  luaL_checktype(L, target, LUA_TTABLE);
  if (end >= from) {
    luaL_argcheck(L, from > 0 || end < LUA_MAXINTEGER + from, 3, "too many elements to move");
    lua_Integer count = end - from + 1;
    luaL_argcheck(L, to <= LUA_MAXINTEGER - count + 1, 4, "destination wrap around");
    charge(L, count);
    bool forwards = to > end || to <= from || (target != 1 && !lua_compare(L, 1, target, LUA_OPEQ));
    for (lua_Integer i = 0; i < count; i++) {
      lua_Integer step = forwards ? i : count - 1 - i;
      lua_geti(L, 1, from + step);
      lua_seti(L, target, to + step);
    }
  }
  lua_pushvalue(L, target);
  return 1;
}

// MARK: sort

// A merge sort: equal members stay in order, and a comparison that contradicts itself does no harm. The
// members go to a list at 3, runs are merged into one at 4, and back.

enum { SORTED = 3, MERGED = 4 };

/// Whether the member at `later` must come before the one at `earlier`.
static bool comes_first(lua_State *L, lua_Integer later, lua_Integer earlier) {
  charge(L, 4);
  bool less;
  if (lua_isnil(L, 2)) {
    lua_rawgeti(L, SORTED, later);
    lua_rawgeti(L, SORTED, earlier);
    less = lua_compare(L, -2, -1, LUA_OPLT);
    lua_pop(L, 2);
  } else {
    lua_pushvalue(L, 2);
    lua_rawgeti(L, SORTED, later);
    lua_rawgeti(L, SORTED, earlier);
    lua_call(L, 2, 1);
    less = lua_toboolean(L, -1);
    lua_pop(L, 1);
  }
  return less;
}

static void merge(lua_State *L, lua_Integer low, lua_Integer middle, lua_Integer high) {
  lua_Integer left = low, right = middle;
  for (lua_Integer i = low; i < high; i++) {
    bool takes_right = right < high && (left >= middle || comes_first(L, right, left));
    lua_rawgeti(L, SORTED, takes_right ? right++ : left++);
    lua_rawseti(L, MERGED, i);
  }
}

static int table_sort(lua_State *L) {
  lua_Integer count = length_of(L, 1);
  if (!lua_isnoneornil(L, 2)) luaL_checktype(L, 2, LUA_TFUNCTION);
  lua_settop(L, 2);
  if (count < 2) return 0;
  luaL_argcheck(L, count < INT_MAX, 1, "array too big");
  charge(L, count * 2);
  lua_createtable(L, (int)count, 0);
  lua_createtable(L, (int)count, 0);
  for (lua_Integer i = 1; i <= count; i++) {
    lua_geti(L, 1, i);
    lua_rawseti(L, SORTED, i);
  }
  for (lua_Integer run = 1; run < count; run *= 2) {
    for (lua_Integer low = 1; low <= count; low += 2 * run) {
      lua_Integer middle = low + run <= count + 1 ? low + run : count + 1;
      lua_Integer high = low + 2 * run <= count + 1 ? low + 2 * run : count + 1;
      merge(L, low, middle, high);
    }
    lua_insert(L, SORTED);  // the two change places
  }
  for (lua_Integer i = 1; i <= count; i++) {
    lua_rawgeti(L, SORTED, i);
    lua_seti(L, 1, i);
  }
  return 0;
}

void open_tables(lua_State *L) {
  static const luaL_Reg functions[] = {
    {"concat", table_concat}, {"insert", table_insert}, {"move", table_move}, {"pack", table_pack},
    {"remove", table_remove}, {"sort", table_sort}, {"unpack", table_unpack}, {NULL, NULL},
  };
  luaL_newlib(L, functions);
}
