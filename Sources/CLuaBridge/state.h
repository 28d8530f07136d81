#pragma once

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <stdio.h>
#include <string.h>

#include "CLuaBridge.h"

// What the files of the bridge share. Functions that take a `lua_State *` may jump and run under protection;
// those that take a `visitant_lua *` never do.

/// Bytes that grow; they live outside Lua, so that a jump cannot lose them.
typedef struct {
  uint8_t *bytes;
  size_t count;
  size_t capacity;
} buffer;

enum {
  /// Instructions between two looks at the budget.
  HOOK_STEP = 200,
  /// Bytes kept of a script's name.
  NAME_LIMIT = 256,
  /// Levels of nested tables that cross.
  NESTING_LIMIT = 100,
  /// And of those that the host hands over: fewer, so that a script can put them into tables of its own.
  HOST_NESTING_LIMIT = 64,
  /// Tables around a function that crosses.
  FUNCTION_NESTING_LIMIT = 1,
  NOTES_A_TURN = 10000,
  NOTE_BYTES_A_TURN = 1 << 20,
};

/// Instructions for what is the host's own work.
static const int64_t UNLIMITED = INT64_MAX / 2;

/// A place in a script; `line` is 0 when there is none.
typedef struct {
  char source[NAME_LIMIT];
  int line;
} place;

struct visitant_lua {
  lua_State *main;
  visitant_lua_limits limits;

  // Budgets. `spent` stays set: the state is dead.
  int64_t memory;
  int64_t instructions_left;
  int64_t patterns_left;
  visitant_lua_budget spent;
  bool spent_by_time, spent_by_depth;
  place spent_at;

  // The last request for memory that was denied: Lua collects and asks once more.
  bool denied;
  place denied_at;
  void *denied_block;
  size_t denied_old, denied_new;

  // The processor time of a turn, read now and then.
  int64_t clock_looked, clock_began;

  // The coroutine that runs, and whether a C function below it keeps the host from being asked.
  lua_State *running;
  bool blocked;
  int closings;

  int32_t last_coroutine;
  uint32_t last_serial;
  double now, opened;
  uint64_t random[4];

  // What the turn was given, and where it asks.
  visitant_lua_text input;
  place asked_at;

  int notes_this_turn;
  size_t note_bytes_this_turn;
  buffer notes, notes_taken, out, scratch, message, traceback, value;
};

/// Places in the registry's array.
enum {
  SLOT_PRELUDE = LUA_RIDX_LAST + 1,
  SLOT_REFERENCES,
  SLOT_COROUTINES,
  SLOT_SANDBOX,
  SLOT_PRELUDE_GLOBALS,
  SLOT_ARRAY,
  SLOT_SERIALS,
  SLOT_ORDER_OF,
  SLOT_ORDER,
  SLOT_LITERAL,
};

/// Marks in the extra space of a coroutine, beside the pointer to its state.
enum { MARK_WAITS = 1, MARK_HOSTED = 2, MARKS = 3 };

static inline visitant_lua *state_of(lua_State *L) {
  return (visitant_lua *)(*(uintptr_t *)lua_getextraspace(L) & ~(uintptr_t)MARKS);
}

static inline bool has_mark(lua_State *L, uintptr_t mark) {
  return (*(uintptr_t *)lua_getextraspace(L) & mark) != 0;
}

static inline void set_mark(lua_State *L, uintptr_t mark, bool on) {
  uintptr_t *space = lua_getextraspace(L);
  *space = on ? (*space | mark) : (*space & ~mark);
}

static inline void push_slot(lua_State *L, int slot) { lua_rawgeti(L, LUA_REGISTRYINDEX, slot); }

// buffer.c
bool buffer_reserve(buffer *b, size_t more);
bool buffer_put(buffer *b, const void *bytes, size_t count);
void buffer_print(buffer *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
/// Empties the buffer, and frees what it holds beyond a few KiB.
void buffer_reset(buffer *b);
void buffer_free(buffer *b);
static inline visitant_lua_text buffer_text(const buffer *b) {
  return (visitant_lua_text){b->bytes, b->count};
}

// budget.c
void *budget_allocate(void *state, void *block, size_t old, size_t new);
void budget_begin_turn(visitant_lua *lua);
void budget_hook(lua_State *L);
void budget_spend(visitant_lua *lua, visitant_lua_budget kind);
/// Raises what nothing of ours catches.
int budget_raise(lua_State *L);
/// Takes `steps` off the turn's instructions, and raises when they are spent.
void charge(lua_State *L, int64_t steps);
void charge_patterns(lua_State *L);
/// Raises again what a script must not catch: called with the status of whatever catches.
void budget_check(lua_State *L, int status);

// base.c
/// Leaves out a byte order mark and a first line for the shell; the line's end stays, for the count of lines.
visitant_lua_text skip_front(visitant_lua_text source);
/// What is said of a chunk that has been compiled already, or NULL for a text.
const char *refusal_of_bytecode(visitant_lua_text source);

// fault.c
bool find_place(lua_State *L, place *where);
/// Appends the frames of scripts, innermost first, one a line.
void fault_trace(lua_State *L, buffer *to);
visitant_lua_failure fault_of_budget(visitant_lua *lua);
/// Describes the error on top of `from`, a dead coroutine or the main one, and pops it.
visitant_lua_failure fault_describe(visitant_lua *lua, lua_State *from, int status, const char *name);

// coroutines.c
int coroutine_advance(lua_State *L, lua_State *co, int arguments, int *results);
/// Closes a coroutine that is dead or suspended; returns its status.
int coroutine_close(lua_State *L, lua_State *co);
/// Ends the turn up to the host; `k` goes on once the host has answered.
int coroutine_wait(lua_State *L, lua_KFunction k);
bool coroutine_asks(lua_State *co, int results);
void open_coroutines(lua_State *L);

// array.c
/// Marks the table at `index` as a list of JSON, in place of whatever metatable it has.
void mark_array(lua_State *L, int index);
bool is_array(lua_State *L, int index);

// encode.c, decode.c
/// CROSSES keeps functions and writes references to them, REPORTED writes null for them, the others refuse
/// them.
typedef enum { CROSSES, REPORTED, KEPT, TEXT } encoding;
/// Appends the value at `index` to `to`; raises an error that begins with `label` and the path.
void encode_value(lua_State *L, int index, encoding how, const char *label, buffer *to);
/// Appends the values from `first` to the top as an array.
void encode_values(lua_State *L, int first, const char *label, buffer *to);
/// How a function that crosses is written: an object with this key and its number. Only the first of the
/// values that the host hands over is read as one, and no table of a script's with this key crosses: neither
/// a stranger's data nor a script's can pass for a function.
#define FUNCTION_KEY "$function"
/// Pushes the members of an array that the host hands over; returns their number.
int decode_values(lua_State *L, visitant_lua_text json);
/// Pushes the value of a text.
void decode_value(lua_State *L, visitant_lua_text json);
/// Sets the members of an object that the host hands over in the table on top.
void decode_into(lua_State *L, visitant_lua_text json);

// order.c
int ordered_pairs(lua_State *L);
int ordered_next(lua_State *L);

// freeze.c
/// Makes the table at `index` read-only in place; `name` stands in the complaint, or NULL.
void freeze(lua_State *L, int index, const char *name);
/// Replaces a read-only table at `index` by what is behind it.
bool thaw(lua_State *L, int index);
bool is_frozen(lua_State *L, int index);

// text.c
/// Pushes what tostring gives; tables and functions are numbered, since addresses differ from run to run.
const char *push_text(lua_State *L, int index, size_t *count);

// Libraries. Each pushes its table.
void open_base(lua_State *L);
void open_strings(lua_State *L);
void open_tables(lua_State *L);
void open_math(lua_State *L);
void open_utf8(lua_State *L);
void open_os(lua_State *L);
void open_host(lua_State *L);
int string_find(lua_State *L);
int string_match(lua_State *L);
int string_gmatch(lua_State *L);
int string_gsub(lua_State *L);

/// Runs a library function of Lua's own, once it has been paid for by the length of its first argument.
int run_charged(lua_State *L, lua_CFunction function);
/// Pushes a table with the functions of `module` that are named in `names`, which ends with NULL.
void open_some(lua_State *L, lua_CFunction module, const char *const *names);

// sandbox.c
int build_sandbox(lua_State *L);

// numbers.c
void random_seed(visitant_lua *lua, uint64_t seed);
uint64_t random_next(visitant_lua *lua);
int math_random(lua_State *L);

// digest.c
void sha256(const uint8_t *bytes, size_t count, uint8_t digest[32]);
void hmac_sha256(
    const uint8_t *key, size_t key_count, const uint8_t *bytes, size_t count, uint8_t digest[32]);
size_t base64_encode(const uint8_t *bytes, size_t count, char *text);
bool base64_decode(const char *text, size_t count, uint8_t *bytes, size_t *written);
