#include <stdlib.h>

#include "state.h"

// JSON as Lua values. null is nil: it ends up nowhere in an object, and leaves a hole in a list. What the
// host hands over may come from a stranger, whose data is never an error: what lies too deep in it is nil.

enum { BYTES_A_STEP = 16 };

typedef struct {
  lua_State *L;
  const char *begin, *at, *end;
  int depth;
  /// How deep values may be nested; what lies deeper is an error, or nil in what the host hands over.
  int deepest;
  bool is_hosts;
} decoder;

static void read_value(decoder *d);

static void complain(decoder *d, const char *what) {
  luaL_error(d->L, "JSON, byte %d: %s", (int)(d->at - d->begin) + 1, what);
}

static void skip_space(decoder *d) {
  while (d->at < d->end && (*d->at == ' ' || *d->at == '\n' || *d->at == '\r' || *d->at == '\t')) d->at++;
}

static bool take(decoder *d, char c) {
  skip_space(d);
  if (d->at == d->end || *d->at != c) return false;
  d->at++;
  return true;
}

static void take_word(decoder *d, const char *word) {
  size_t count = strlen(word);
  bool found = (size_t)(d->end - d->at) >= count && memcmp(d->at, word, count) == 0;
  if (!found) complain(d, "a value was expected");
  d->at += count;
}

// MARK: Strings

static void put(decoder *d, const void *bytes, size_t count) {
  if (!buffer_put(&state_of(d->L)->scratch, bytes, count)) luaL_error(d->L, "not enough memory");
}

static int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// Reads the four digits after "\u".
static uint32_t read_unit(decoder *d) {
  uint32_t unit = 0;
  for (int i = 0; i < 4; i++, d->at++) {
    int digit = d->at < d->end ? hex_digit(*d->at) : -1;
    if (digit < 0) complain(d, "four hexadecimal digits were expected");
    unit = unit * 16 + (uint32_t)digit;
  }
  return unit;
}

static void put_scalar(decoder *d, uint32_t c) {
  uint8_t s[4];
  size_t count = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
  static const uint8_t lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
  for (size_t i = count; i-- > 1; c >>= 6) s[i] = (uint8_t)(0x80 | (c & 0x3f));
  s[0] = (uint8_t)(lead[count] | c);
  put(d, s, count);
}

/// Reads what follows "\u", with the second half of a pair; a half that stands alone becomes U+FFFD.
static void read_escaped_scalar(decoder *d) {
  uint32_t c = read_unit(d);
  if (c >= 0xd800 && c < 0xdc00 && d->end - d->at >= 6 && d->at[0] == '\\' && d->at[1] == 'u') {
    const char *before = d->at;
    d->at += 2;
    uint32_t low = read_unit(d);
    if (low >= 0xdc00 && low < 0xe000) return put_scalar(d, 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00));
    d->at = before;
  }
  put_scalar(d, c >= 0xd800 && c < 0xe000 ? 0xfffd : c);
}

static void read_escape(decoder *d) {
  static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
  char c = d->at < d->end ? *d->at++ : 0;
  if (c == 'u') return read_escaped_scalar(d);
  const char *found = c == 0 ? NULL : strchr(from, c);
  if (found == NULL) {
    d->at--;
    complain(d, "no such escape");
  }
  put(d, &to[found - from], 1);
}

/// Pushes the string whose opening quote has been taken.
static void read_string(decoder *d) {
  buffer *scratch = &state_of(d->L)->scratch;
  size_t base = scratch->count;
  bool escaped = false;
  const char *opening = d->at, *plain = opening;
  for (;;) {
    if (d->at == d->end) complain(d, "the string does not end");
    uint8_t c = (uint8_t)*d->at;
    if (c == '"') break;
    if (c < 0x20) complain(d, "a control character in a string");
    d->at++;
    if (c != '\\') continue;
    put(d, plain, (size_t)(d->at - 1 - plain));
    read_escape(d);
    escaped = true;
    plain = d->at;
  }
  charge(d->L, 1 + (d->at - opening) / BYTES_A_STEP);
  if (!escaped) {
    lua_pushlstring(d->L, plain, (size_t)(d->at++ - plain));
    return;
  }
  put(d, plain, (size_t)(d->at++ - plain));
  lua_pushlstring(d->L, (const char *)scratch->bytes + base, scratch->count - base);
  scratch->count = base;
}

// MARK: Numbers

static const char *skip_digits(decoder *d, const char *s) {
  if (s == d->end || *s < '0' || *s > '9') {
    d->at = s;
    complain(d, "a digit was expected");
  }
  while (s < d->end && *s >= '0' && *s <= '9') s++;
  return s;
}

static void push_float(decoder *d, size_t count) {
  char brief[64];
  if (count < sizeof brief) {
    memcpy(brief, d->at, count);
    brief[count] = 0;
    lua_pushnumber(d->L, strtod(brief, NULL));
    return;
  }
  buffer *scratch = &state_of(d->L)->scratch;
  size_t base = scratch->count;
  put(d, d->at, count);
  put(d, "", 1);
  lua_pushnumber(d->L, strtod((const char *)scratch->bytes + base, NULL));
  scratch->count = base;
}

/// Pushes an integer when it is written as one and fits, else a float.
static void read_number(decoder *d) {
  const char *s = d->at;
  bool negative = *s == '-', whole = true;
  if (negative) s++;
  const char *digits = s;
  s = skip_digits(d, s);
  if (*digits == '0' && s - digits > 1) complain(d, "a number with a zero in front");
  if (s < d->end && *s == '.') whole = false, s = skip_digits(d, s + 1);
  if (s < d->end && (*s == 'e' || *s == 'E')) {
    whole = false, s++;
    if (s < d->end && (*s == '+' || *s == '-')) s++;
    s = skip_digits(d, s);
  }
  charge(d->L, 1 + (s - d->at) / BYTES_A_STEP);
  uint64_t value = 0, limit = negative ? (uint64_t)1 << 63 : ((uint64_t)1 << 63) - 1;
  for (const char *c = digits; whole && c < s; c++) {
    uint64_t digit = (uint64_t)(*c - '0');
    whole = value <= (limit - digit) / 10;
    value = value * 10 + digit;
  }
  if (whole && negative && value == 0) whole = false;  // minus zero is a float
  if (whole) {
    lua_pushinteger(d->L, negative ? (lua_Integer)(0 - value) : (lua_Integer)value);
  } else {
    push_float(d, (size_t)(s - d->at));
  }
  d->at = s;
}

// MARK: Arrays and objects

/// Passes over the rest of the array or object whose bracket was taken.
static void skip_rest(decoder *d) {
  const char *begin = d->at;
  bool quoted = false;
  for (int open = 1; open > 0; d->at++) {
    if (d->at == d->end) complain(d, "the value does not end");
    char c = *d->at;
    if (quoted && c == '\\' && d->at + 1 < d->end) d->at++;
    if (c == '"') quoted = !quoted;
    if (!quoted && (c == '[' || c == '{')) open++;
    if (!quoted && (c == ']' || c == '}')) open--;
  }
  charge(d->L, (d->at - begin) / BYTES_A_STEP);
}

/// Begins an array or object; pushes nil and returns false for one that lies too deep.
static bool enter(decoder *d) {
  luaL_checkstack(d->L, 6, NULL);
  if (d->depth < d->deepest) {
    d->depth++;
    return true;
  }
  if (!d->is_hosts) complain(d, "nested over 100 deep");
  skip_rest(d);
  lua_pushnil(d->L);
  return false;
}

static void read_array(decoder *d) {
  if (!enter(d)) return;
  lua_newtable(d->L);
  mark_array(d->L, -1);
  if (!take(d, ']')) {
    lua_Integer n = 0;
    do {
      read_value(d);
      lua_rawseti(d->L, -2, ++n);
    } while (take(d, ','));
    if (!take(d, ']')) complain(d, "',' or ']' was expected");
  }
  d->depth--;
}

static void read_member(decoder *d) {
  if (!take(d, '"')) complain(d, "a name in quotes was expected");
  read_string(d);
  if (!take(d, ':')) complain(d, "':' was expected");
  read_value(d);
  lua_rawset(d->L, -3);
}

static void read_object(decoder *d) {
  if (!enter(d)) return;
  lua_newtable(d->L);
  if (!take(d, '}')) {
    do {
      read_member(d);
    } while (take(d, ','));
    if (!take(d, '}')) complain(d, "',' or '}' was expected");
  }
  d->depth--;
}

static void read_value(decoder *d) {
  skip_space(d);
  if (d->at == d->end) complain(d, "a value was expected");
  switch (*d->at) {
    case '{':
      d->at++;
      return read_object(d);
    case '[':
      d->at++;
      return read_array(d);
    case '"':
      d->at++;
      return read_string(d);
    case 't':
      take_word(d, "true");
      return lua_pushboolean(d->L, 1);
    case 'f':
      take_word(d, "false");
      return lua_pushboolean(d->L, 0);
    case 'n':
      take_word(d, "null");
      return lua_pushnil(d->L);
    default:
      if (*d->at != '-' && (*d->at < '0' || *d->at > '9')) complain(d, "a value was expected");
      return read_number(d);
  }
}

// MARK: Doors

static decoder make_decoder(lua_State *L, visitant_lua_text json, bool is_hosts) {
  const char *begin = (const char *)json.bytes;
  luaL_checkstack(L, 6, NULL);
  buffer_reset(&state_of(L)->scratch);
  return (decoder){
    .L = L,
    .begin = begin,
    .at = begin,
    .end = begin + json.count,
    .deepest = is_hosts ? HOST_NESTING_LIMIT : NESTING_LIMIT,
    .is_hosts = is_hosts,
  };
}

static void finish(decoder *d) {
  skip_space(d);
  if (d->at != d->end) complain(d, "nothing more was expected");
}

void decode_value(lua_State *L, visitant_lua_text json) {
  decoder d = make_decoder(L, json, false);
  read_value(&d);
  finish(&d);
}

/// Replaces `{"$function":n}` on top by the function that is kept under n.
static void resolve_function(decoder *d) {
  lua_State *L = d->L;
  if (!lua_istable(L, -1)) return;
  lua_pushstring(L, FUNCTION_KEY);
  lua_rawget(L, -2);
  if (!lua_isinteger(L, -1)) {
    lua_pop(L, 1);
    return;
  }
  push_slot(L, SLOT_REFERENCES);
  lua_rawgeti(L, -1, lua_tointeger(L, -2));
  if (!lua_isfunction(L, -1)) complain(d, "no such function is kept");
  lua_replace(L, -4);
  lua_pop(L, 2);
}

int decode_values(lua_State *L, visitant_lua_text json) {
  decoder d = make_decoder(L, json, true);
  int count = 0;
  if (!take(&d, '[')) complain(&d, "an array was expected");
  enter(&d);
  if (!take(&d, ']')) {
    do {
      luaL_checkstack(L, 4, "too many values");
      read_value(&d);
      if (count == 0) resolve_function(&d);
      count++;
    } while (take(&d, ','));
    if (!take(&d, ']')) complain(&d, "',' or ']' was expected");
  }
  finish(&d);
  return count;
}

void decode_into(lua_State *L, visitant_lua_text json) {
  decoder d = make_decoder(L, json, true);
  if (!take(&d, '{')) complain(&d, "an object was expected");
  enter(&d);
  if (!take(&d, '}')) {
    do {
      read_member(&d);
    } while (take(&d, ','));
    if (!take(&d, '}')) complain(&d, "',' or '}' was expected");
  }
  finish(&d);
}
