#include <stdlib.h>

#include "state.h"

// Tables are traversed in an order that is the same in every run: numbers upwards, then strings by their
// bytes, then the rest by the order of their creation. Lua's own order of strings follows a seed drawn anew
// for each state, that of objects their addresses, and a bot that loops over a table while it talks could not
// be resumed from its journal.

typedef enum { NUMBER, STRING, BOOLEAN, OTHER } rank;

typedef struct {
  rank rank;
  bool whole;
  union {
    lua_Integer integer;
    lua_Number number;
    const char *text;
    const void *object;
  };
  /// The length of a text; how many objects have been made since an object, as far as that was looked up.
  size_t count;
  int position;
} key;

static key key_at(lua_State *L, int index) {
  key k = {.rank = OTHER};
  switch (lua_type(L, index)) {
    case LUA_TNUMBER:
      k.rank = NUMBER;
      k.whole = lua_isinteger(L, index);
      if (k.whole) {
        k.integer = lua_tointeger(L, index);
      } else {
        k.number = lua_tonumber(L, index);
      }
      break;
    case LUA_TSTRING:
      k.rank = STRING;
      k.text = lua_tolstring(L, index, &k.count);
      break;
    case LUA_TBOOLEAN:
      k.rank = BOOLEAN;
      k.integer = lua_toboolean(L, index);
      break;
    default:
      k.object = lua_topointer(L, index);
      break;
  }
  return k;
}

static int compare_numbers(const key *a, const key *b) {
  if (a->whole && b->whole) return (a->integer > b->integer) - (a->integer < b->integer);
  lua_Number x = a->whole ? (lua_Number)a->integer : a->number;
  lua_Number y = b->whole ? (lua_Number)b->integer : b->number;
  if (x == y) return (int)b->whole - (int)a->whole;
  return (x > y) - (x < y);
}

static int compare(const key *a, const key *b) {
  if (a->rank != b->rank) return a->rank < b->rank ? -1 : 1;
  switch (a->rank) {
    case NUMBER:
      return compare_numbers(a, b);
    case STRING: {
      int order = memcmp(a->text, b->text, a->count < b->count ? a->count : b->count);
      return order != 0 ? order : (a->count > b->count) - (a->count < b->count);
    }
    case BOOLEAN:
      return (int)(a->integer - b->integer);
    case OTHER:
      if (a->count != b->count) return a->count > b->count ? -1 : 1;
      return ((uintptr_t)a->object > (uintptr_t)b->object) - ((uintptr_t)a->object < (uintptr_t)b->object);
  }
  return 0;
}

static int compare_keys(const void *a, const void *b) { return compare(a, b); }

static int compare_objects(const void *object, const void *k) {
  uintptr_t x = (uintptr_t)object, y = (uintptr_t)((const key *)k)->object;
  return (x > y) - (x < y);
}

/// Finds out the age of the objects among the keys, which are sorted.
///
/// Lua links what it collects in a list, the newest in front, by the first word of each object: that has been
/// so in every version, and nothing of ours moves an object in it. Functions of C without upvalues are not in
/// the list; they are looked upon as the newest, and follow each other as they lie in the program.
static void find_ages(lua_State *L, key *keys, int n) {
  while (n > 0 && keys->rank != OTHER) keys++, n--;
  if (n < 2) return;
  lua_newtable(L);
  const void *object = lua_topointer(L, -1);
  size_t made_since = 0;
  for (int left = n; left > 0 && object != NULL; memcpy(&object, object, sizeof object)) {
    key *found = bsearch(object, keys, (size_t)n, sizeof(key), compare_objects);
    made_since++;
    if (found == NULL) continue;
    found->count = made_since;
    left--;
  }
  lua_pop(L, 1);
  qsort(keys, (size_t)n, sizeof(key), compare_keys);
  charge(L, (int64_t)made_since);
}

/// Whether Lua's own traversal of the table is in order already; counts its keys.
static bool is_in_order(lua_State *L, int table, int *count) {
  key last = {0};
  bool ordered = true;
  *count = 0;
  lua_pushnil(L);
  while (lua_next(L, table)) {
    lua_pop(L, 1);
    key k = key_at(L, -1);
    if (*count > 0 && (k.rank == OTHER || compare(&last, &k) >= 0)) ordered = false;
    last = k;
    ++*count;
  }
  charge(L, *count / 4);
  return ordered;
}

/// Pushes a list of the table's keys in order.
static void push_keys(lua_State *L, int table, int count) {
  visitant_lua *lua = state_of(L);
  lua_createtable(L, count, 0);
  int found = lua_gettop(L), n = 0;
  charge(L, count);
  buffer_reset(&lua->scratch);
  if (!buffer_reserve(&lua->scratch, ((size_t)count + 1) * sizeof(key))) luaL_error(L, "not enough memory");
  key *keys = (key *)(void *)lua->scratch.bytes;
  lua_pushnil(L);
  while (lua_next(L, table)) {
    lua_pop(L, 1);
    keys[n] = key_at(L, -1);
    keys[n].position = n + 1;
    lua_pushvalue(L, -1);
    lua_rawseti(L, found, ++n);
  }
  qsort(keys, (size_t)n, sizeof(key), compare_keys);
  find_ages(L, keys, n);
  lua_createtable(L, n, 0);
  for (int i = 0; i < n; i++) {
    lua_rawgeti(L, found, keys[i].position);
    lua_rawseti(L, -2, i + 1);
  }
  lua_remove(L, found);
  buffer_reset(&lua->scratch);
}

/// Pushes the first key from `*place` on that still has a value, and the value; or nothing, and returns
/// false.
static bool push_from(lua_State *L, int table, int keys, lua_Integer *place) {
  for (;; ++*place) {
    if (lua_rawgeti(L, keys, *place) == LUA_TNIL) {
      lua_pop(L, 1);
      return false;
    }
    lua_pushvalue(L, -1);
    if (lua_rawget(L, table) != LUA_TNIL) return true;
    lua_pop(L, 2);
  }
}

// MARK: pairs

/// The iterator over a list of keys. Upvalues: the table, the list, the place in it.
static int step(lua_State *L) {
  lua_Integer place = lua_tointeger(L, lua_upvalueindex(3));
  lua_settop(L, 0);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_pushvalue(L, lua_upvalueindex(2));
  bool found = push_from(L, 1, 2, &place);
  lua_pushinteger(L, place + 1);
  lua_copy(L, -1, lua_upvalueindex(3));
  lua_pop(L, 1);
  if (found) return 2;
  lua_pushnil(L);
  return 1;
}

static int raw_step(lua_State *L) {
  lua_settop(L, 2);
  if (lua_next(L, 1)) return 2;
  lua_pushnil(L);
  return 1;
}

static int after_pairs(lua_State *L, int status, lua_KContext context) {
  (void)L, (void)status, (void)context;
  return 3;
}

int ordered_pairs(lua_State *L) {
  luaL_checkany(L, 1);
  lua_settop(L, 1);
  if (!thaw(L, 1) && luaL_getmetafield(L, 1, "__pairs") != LUA_TNIL) {
    lua_pushvalue(L, 1);
    lua_callk(L, 1, 3, 0, after_pairs);
    return 3;
  }
  luaL_checktype(L, 1, LUA_TTABLE);
  int count;
  if (is_in_order(L, 1, &count)) {
    lua_pushcfunction(L, raw_step);
  } else {
    lua_pushvalue(L, 1);
    push_keys(L, 1, count);
    lua_pushinteger(L, 1);
    lua_pushcclosure(L, step, 3);
  }
  lua_pushvalue(L, 1);
  lua_pushnil(L);
  return 3;
}

// MARK: next

static void push_order(lua_State *L);

/// Pushes the least key of the table and its value.
static int first(lua_State *L) {
  key least = {0};
  int count = 0;
  lua_settop(L, 1);
  lua_pushnil(L);  // 2: the least
  lua_pushnil(L);
  while (lua_next(L, 1)) {
    lua_pop(L, 1);
    key k = key_at(L, -1);
    if (count++ == 0 || compare(&k, &least) < 0) {
      least = k;
      lua_copy(L, -1, 2);
    }
  }
  charge(L, count / 4);
  if (count == 0) return 1;
  if (count > 1 && least.rank == OTHER) {
    lua_settop(L, 1);
    push_order(L);
    lua_rawgeti(L, 2, 1);
    lua_replace(L, 2);
  }
  lua_pushvalue(L, 2);
  lua_rawget(L, 1);
  return 2;
}

/// Pushes the list of keys that the last call made, when it was for the table at 1, else a new one.
static void push_order(lua_State *L) {
  push_slot(L, SLOT_ORDER_OF);
  lua_rawgeti(L, -1, 1);
  bool same = lua_rawequal(L, -1, 1);
  lua_pop(L, 1);
  push_slot(L, SLOT_ORDER);
  if (same && lua_istable(L, -1)) {
    lua_remove(L, -2);
    return;
  }
  lua_pop(L, 1);
  int count;
  is_in_order(L, 1, &count);
  push_keys(L, 1, count);
  lua_pushvalue(L, 1);
  lua_rawseti(L, -3, 1);
  lua_pushvalue(L, -1);
  lua_rawseti(L, LUA_REGISTRYINDEX, SLOT_ORDER);
  lua_remove(L, -2);
}

/// Where the key at 2 stands in the list at 3; the list remembers in `n` where the last one stood.
static lua_Integer place_of_key(lua_State *L) {
  lua_getfield(L, 3, "n");
  lua_Integer place = lua_tointeger(L, -1);
  lua_rawgeti(L, 3, place);
  if (place > 0 && lua_rawequal(L, -1, 2)) return place;
  lua_Integer count = (lua_Integer)lua_rawlen(L, 3);
  for (place = 1; place <= count; place++) {
    lua_settop(L, 3);
    lua_rawgeti(L, 3, place);
    if (lua_rawequal(L, -1, 2)) return place;
  }
  charge(L, count);
  return 0;
}

int ordered_next(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 2);
  thaw(L, 1);
  if (lua_isnil(L, 2)) {
    lua_pushnil(L);
    lua_rawseti(L, LUA_REGISTRYINDEX, SLOT_ORDER);
    return first(L);
  }
  push_order(L);
  lua_Integer place = place_of_key(L);
  if (place == 0) {
    // The table was changed since: once more, with its keys of now.
    lua_pushnil(L);
    lua_rawseti(L, LUA_REGISTRYINDEX, SLOT_ORDER);
    lua_settop(L, 2);
    push_order(L);
    place = place_of_key(L);
    if (place == 0) return luaL_error(L, "invalid key to 'next'");
  }
  lua_settop(L, 3);
  place++;
  bool found = push_from(L, 1, 3, &place);
  lua_pushinteger(L, place);
  lua_setfield(L, 3, "n");
  if (found) return 2;
  lua_pushnil(L);
  lua_rawseti(L, LUA_REGISTRYINDEX, SLOT_ORDER);
  lua_pushnil(L);
  return 1;
}
