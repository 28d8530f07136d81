#include <ctype.h>

#include "state.h"

// The string library: Lua's own functions, those that read all of their first argument paid for by its
// length, and ours where Lua's could run without end or would show an address. New strings are paid for as
// memory is.

enum { BYTES_A_STEP = 16 };

int run_charged(lua_State *L, lua_CFunction function) {
  int64_t bytes = lua_type(L, 1) == LUA_TSTRING ? (int64_t)lua_rawlen(L, 1) : 0;
  charge(L, 1 + bytes / BYTES_A_STEP);
  return function(L);
}

void open_some(lua_State *L, lua_CFunction module, const char *const *names) {
  lua_pushcfunction(L, module);
  lua_call(L, 0, 1);
  lua_newtable(L);
  for (; *names != NULL; names++) {
    lua_getfield(L, -2, *names);
    lua_setfield(L, -2, *names);
  }
  lua_remove(L, -2);
}

/// A function of Lua's library, found once and the same in every state.
#define CHARGED(NAME)                                                \
  static _Atomic(lua_CFunction) original_##NAME;                     \
  static int charged_##NAME(lua_State *L) { return run_charged(L, original_##NAME); }

CHARGED(lower)
CHARGED(upper)
CHARGED(reverse)
CHARGED(pack)
CHARGED(packsize)
CHARGED(unpack)
CHARGED(format)

static int string_rep(lua_State *L) {
  size_t count, separator_count;
  const char *s = luaL_checklstring(L, 1, &count);
  lua_Integer times = luaL_checkinteger(L, 2);
  const char *separator = luaL_optlstring(L, 3, "", &separator_count);
  if (times <= 0 || count + separator_count == 0) {
    lua_pushstring(L, "");
    return 1;
  }
  if (count + separator_count > (size_t)(LUA_MAXINTEGER / times)) {
    return luaL_error(L, "resulting string too large");
  }
  size_t total = count * (size_t)times + separator_count * (size_t)(times - 1);
  luaL_Buffer to;
  char *at = luaL_buffinitsize(L, &to, total);
  charge(L, times + (int64_t)(total / BYTES_A_STEP));
  while (times-- > 0) {
    memcpy(at, s, count);
    at += count;
    if (times == 0) break;
    memcpy(at, separator, separator_count);
    at += separator_count;
  }
  luaL_pushresultsize(&to, total);
  return 1;
}

/// Replaces the arguments of each %s by their text, so that no address shows, and refuses %p.
static int string_format(lua_State *L) {
  const char *f = luaL_checkstring(L, 1), *end = f + lua_rawlen(L, 1);
  int argument = 1;
  while (f < end) {
    if (*f++ != '%') continue;
    if (f < end && *f == '%') {
      f++;
      continue;
    }
    while (f < end && !isalpha((unsigned char)*f)) f++;
    argument++;
    if (f == end) break;
    if (*f == 'p') return luaL_error(L, "'%%p' is not available: addresses differ from run to run");
    if (*f == 's' && lua_type(L, argument) > LUA_TSTRING) {
      push_text(L, argument, NULL);
      lua_replace(L, argument);
    }
  }
  return charged_format(L);
}

static void keep_originals(lua_State *L, int library) {
#define KEEP(NAME)                          \
  lua_getfield(L, library, #NAME);          \
  original_##NAME = lua_tocfunction(L, -1); \
  lua_pop(L, 1);
  KEEP(lower)
  KEEP(upper)
  KEEP(reverse)
  KEEP(pack)
  KEEP(packsize)
  KEEP(unpack)
  KEEP(format)
#undef KEEP
}

void open_strings(lua_State *L) {
  static const char *const plain[] = {"byte", "char", "len", "sub", NULL};
  static const luaL_Reg functions[] = {
    {"find", string_find}, {"format", string_format}, {"gmatch", string_gmatch}, {"gsub", string_gsub},
    {"lower", charged_lower}, {"match", string_match}, {"pack", charged_pack}, {"packsize", charged_packsize},
    {"rep", string_rep}, {"reverse", charged_reverse}, {"unpack", charged_unpack}, {"upper", charged_upper},
    {NULL, NULL},
  };
  // This also gives strings their metatable, with its arithmetic.
  lua_pushcfunction(L, luaopen_string);
  lua_call(L, 0, 1);
  keep_originals(L, lua_gettop(L));
  lua_createtable(L, 0, 16);
  for (const char *const *name = plain; *name != NULL; name++) {
    lua_getfield(L, -2, *name);
    lua_setfield(L, -2, *name);
  }
  luaL_setfuncs(L, functions, 0);
  lua_remove(L, -2);
}
