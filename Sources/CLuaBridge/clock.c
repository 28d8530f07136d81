#include <math.h>
#include <time.h>

#include "state.h"

// The os library, as far as it tells the time: that of the host, in UTC, since a bot that is resumed must see
// what it saw.

static int os_clock(lua_State *L) {
  visitant_lua *lua = state_of(L);
  lua_pushnumber(L, lua->now - lua->opened);
  return 1;
}

static int os_difftime(lua_State *L) {
  lua_pushnumber(L, luaL_checknumber(L, 1) - luaL_checknumber(L, 2));
  return 1;
}

// MARK: Dates

static lua_Integer floor_divide(lua_Integer a, lua_Integer b) { return a / b - (a % b < 0); }

/// Days from 1970-01-01 to a day of the Gregorian calendar; months and days may be out of range.
static lua_Integer days_from_date(lua_Integer year, lua_Integer month, lua_Integer day) {
  year += floor_divide(month - 1, 12);
  month = (month - 1) - floor_divide(month - 1, 12) * 12 + 1;
  // Years that begin in March have the leap day at their end.
  if (month <= 2) year--, month += 12;
  lua_Integer leap_days = floor_divide(year, 4) - floor_divide(year, 100) + floor_divide(year, 400);
  return 365 * year + leap_days + (153 * (month - 3) + 2) / 5 + day - 1 - 719468;
}

static lua_Integer date_field(lua_State *L, const char *name, lua_Integer otherwise) {
  lua_getfield(L, 1, name);
  int whole;
  lua_Integer value = lua_tointegerx(L, -1, &whole);
  if (!whole) {
    if (!lua_isnil(L, -1)) luaL_error(L, "field '%s' is not an integer", name);
    if (otherwise < 0) luaL_error(L, "field '%s' missing in date table", name);
    value = otherwise;
  }
  if (value < -100000000 || value > 100000000) luaL_error(L, "field '%s' is out-of-bound", name);
  lua_pop(L, 1);
  return value;
}

static int os_time(lua_State *L) {
  if (lua_isnoneornil(L, 1)) {
    lua_pushinteger(L, (lua_Integer)floor(state_of(L)->now));
    return 1;
  }
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_Integer days =
      days_from_date(date_field(L, "year", -1), date_field(L, "month", -1), date_field(L, "day", -1));
  lua_Integer minutes = date_field(L, "hour", 12) * 60 + date_field(L, "min", 0);
  lua_pushinteger(L, days * 86400 + minutes * 60 + date_field(L, "sec", 0));
  return 1;
}

static void set_field(lua_State *L, const char *name, int value) {
  lua_pushinteger(L, value);
  lua_setfield(L, -2, name);
}

static int push_date_table(lua_State *L, const struct tm *date) {
  lua_createtable(L, 0, 9);
  set_field(L, "year", date->tm_year + 1900);
  set_field(L, "month", date->tm_mon + 1);
  set_field(L, "day", date->tm_mday);
  set_field(L, "hour", date->tm_hour);
  set_field(L, "min", date->tm_min);
  set_field(L, "sec", date->tm_sec);
  set_field(L, "yday", date->tm_yday + 1);
  set_field(L, "wday", date->tm_wday + 1);
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "isdst");
  return 1;
}

static void add_conversion(lua_State *L, luaL_Buffer *to, char letter, const struct tm *date) {
  if (letter == 0) luaL_error(L, "invalid conversion specifier '%%'");
  if (strchr("aAbBcCdDeFgGhHIjmMnprRStTuUVwWxXyYzZ%", letter) == NULL) {
    luaL_error(L, "invalid conversion specifier '%%%c'", letter);
  }
  char form[] = {'%', letter, 0}, text[128];
  luaL_addlstring(to, text, strftime(text, sizeof text, form, date));
}

static int os_date(lua_State *L) {
  size_t count;
  const char *form = luaL_optlstring(L, 1, "%c", &count), *end = form + count;
  lua_Integer now = (lua_Integer)floor(state_of(L)->now);
  lua_Integer seconds = luaL_optinteger(L, 2, now);
  if (form < end && *form == '!') form++;
  time_t time = (time_t)seconds;
  struct tm date;
  if (gmtime_r(&time, &date) == NULL) return luaL_error(L, "date result cannot be represented");
  if (strcmp(form, "*t") == 0) return push_date_table(L, &date);
  charge(L, (int64_t)count);
  luaL_Buffer to;
  luaL_buffinit(L, &to);
  for (; form < end; form++) {
    if (*form == '%') {
      form++;
      add_conversion(L, &to, form < end ? *form : 0, &date);
    } else {
      luaL_addchar(&to, *form);
    }
  }
  luaL_pushresult(&to);
  return 1;
}

void open_os(lua_State *L) {
  static const luaL_Reg functions[] = {
    {"clock", os_clock}, {"date", os_date}, {"difftime", os_difftime}, {"time", os_time}, {NULL, NULL},
  };
  luaL_newlib(L, functions);
}
