#include "state.h"

// The generator behind math.random, host.random and host.uuid: xoshiro256**, seeded by splitmix64, so that a
// run can be repeated. And the math and utf8 libraries.

static uint64_t rotate(uint64_t x, int by) { return (x << by) | (x >> (64 - by)); }

void random_seed(visitant_lua *lua, uint64_t seed) {
  for (int i = 0; i < 4; i++) {
    uint64_t z = seed += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    lua->random[i] = z ^ (z >> 31);
  }
}

uint64_t random_next(visitant_lua *lua) {
  uint64_t *s = lua->random;
  uint64_t result = rotate(s[1] * 5, 7) * 9;
  uint64_t shifted = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= shifted;
  s[3] = rotate(s[3], 45);
  return result;
}

/// A number from 0 to `most`, each as likely as any other.
static uint64_t random_up_to(visitant_lua *lua, uint64_t most) {
  uint64_t mask = most;
  for (int shift = 1; shift < 64; shift *= 2) mask |= mask >> shift;
  for (;;) {
    uint64_t drawn = random_next(lua) & mask;
    if (drawn <= most) return drawn;
  }
}

int math_random(lua_State *L) {
  visitant_lua *lua = state_of(L);
  lua_Integer low = 1, high;
  switch (lua_gettop(L)) {
    case 0:
      lua_pushnumber(L, (lua_Number)(random_next(lua) >> 11) * 0x1p-53);
      return 1;
    case 1:
      high = luaL_checkinteger(L, 1);
      if (high == 0) {
        lua_pushinteger(L, (lua_Integer)random_next(lua));
        return 1;
      }
      break;
    case 2:
      low = luaL_checkinteger(L, 1);
      high = luaL_checkinteger(L, 2);
      break;
    default:
      return luaL_error(L, "wrong number of arguments");
  }
  luaL_argcheck(L, low <= high, lua_gettop(L), "interval is empty");
  uint64_t drawn = random_up_to(lua, (uint64_t)high - (uint64_t)low);
  lua_pushinteger(L, (lua_Integer)(drawn + (uint64_t)low));
  return 1;
}

static int math_randomseed(lua_State *L) {
  return luaL_error(L, "math.randomseed is not available: the run's seed is given by --seed");
}

void open_math(lua_State *L) {
  static const char *const plain[] = {
    "abs", "acos", "asin", "atan", "ceil", "cos", "deg", "exp", "floor", "fmod", "huge", "log", "max",
    "maxinteger", "min", "mininteger", "modf", "pi", "rad", "sin", "sqrt", "tan", "tointeger", "type", "ult",
    NULL,
  };
  open_some(L, luaopen_math, plain);
  lua_pushcfunction(L, math_random);
  lua_setfield(L, -2, "random");
  lua_pushcfunction(L, math_randomseed);
  lua_setfield(L, -2, "randomseed");
}

static _Atomic(lua_CFunction) original_len;

static int utf8_len(lua_State *L) { return run_charged(L, original_len); }

void open_utf8(lua_State *L) {
  static const char *const plain[] = {"char", "charpattern", "codepoint", "codes", "len", "offset", NULL};
  open_some(L, luaopen_utf8, plain);
  lua_getfield(L, -1, "len");
  original_len = lua_tocfunction(L, -1);
  lua_pop(L, 1);
  lua_pushcfunction(L, utf8_len);
  lua_setfield(L, -2, "len");
}
