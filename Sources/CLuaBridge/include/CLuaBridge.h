#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The only door to Lua. Nothing here ever jumps: whatever Lua raises is caught inside and comes back as a
// value. Texts that come out belong to the state and are valid until its next call; texts that go in are read
// during the call only. A state is confined to one thread at a time.

/// A Lua state with its budgets, its sandbox and its coroutines.
typedef struct visitant_lua visitant_lua;

/// Says how Swift calls a case of an enumeration.
#define VISITANT_LUA_NAME(name) __attribute__((swift_name(#name)))

/// Bytes and their number; there is no terminating zero.
typedef struct {
  const uint8_t *bytes;
  size_t count;
} visitant_lua_text;

/// What a state may use: bytes in all, virtual machine instructions and pattern steps a turn.
typedef struct {
  int64_t memory;
  int64_t instructions;
  int64_t pattern_steps;
} visitant_lua_limits;

typedef enum __attribute__((enum_extensibility(closed))) : int32_t {
  VISITANT_LUA_CODE_NONE VISITANT_LUA_NAME(none) = 0,
  VISITANT_LUA_CODE_SYNTAX VISITANT_LUA_NAME(syntax),
  VISITANT_LUA_CODE_RUNTIME VISITANT_LUA_NAME(runtime),
  VISITANT_LUA_CODE_BUDGET VISITANT_LUA_NAME(budget),
  VISITANT_LUA_CODE_THROWN VISITANT_LUA_NAME(thrown),
} visitant_lua_code;

typedef enum __attribute__((enum_extensibility(closed))) : int32_t {
  VISITANT_LUA_BUDGET_NONE VISITANT_LUA_NAME(none) = 0,
  VISITANT_LUA_BUDGET_MEMORY VISITANT_LUA_NAME(memory),
  VISITANT_LUA_BUDGET_INSTRUCTIONS VISITANT_LUA_NAME(instructions),
  VISITANT_LUA_BUDGET_PATTERNS VISITANT_LUA_NAME(patterns),
} visitant_lua_budget;

/// What went wrong. `code` is NONE when nothing did; `source` is empty and `line` 0 when no script is to
/// blame; `value` is the raised table as JSON, empty when no table was raised.
typedef struct {
  visitant_lua_code code;
  visitant_lua_budget budget;
  visitant_lua_text message;
  visitant_lua_text source;
  int32_t line;
  visitant_lua_text traceback;
  visitant_lua_text value;
} visitant_lua_failure;

typedef enum __attribute__((enum_extensibility(closed))) : int32_t {
  VISITANT_LUA_TURN_ASKS VISITANT_LUA_NAME(asks) = 0,
  VISITANT_LUA_TURN_FINISHED VISITANT_LUA_NAME(finished),
  VISITANT_LUA_TURN_FAILED VISITANT_LUA_NAME(failed),
} visitant_lua_turn_kind;

/// How a coroutine's turn ended. `json` is the request or the returned values; `source` and `line` are where
/// it asks.
typedef struct {
  visitant_lua_turn_kind kind;
  int32_t coroutine;
  visitant_lua_text json;
  visitant_lua_text source;
  int32_t line;
  visitant_lua_failure failure;
} visitant_lua_turn;

/// Makes a state with its sandbox, or NULL with `failure` filled (its texts are constants).
visitant_lua *visitant_lua_open(visitant_lua_limits limits, uint64_t seed, visitant_lua_failure *failure);
void visitant_lua_close(visitant_lua *lua);

visitant_lua_failure visitant_lua_load_prelude(
    visitant_lua *lua, visitant_lua_text source, visitant_lua_text name, visitant_lua_text arguments);

/// Compiles a script; `reference` is set when the failure's code is NONE.
visitant_lua_failure visitant_lua_load(
    visitant_lua *lua, visitant_lua_text source, visitant_lua_text name, int32_t *reference);

visitant_lua_turn visitant_lua_start(visitant_lua *lua, int32_t reference, visitant_lua_text arguments);
visitant_lua_turn visitant_lua_start_prelude(
    visitant_lua *lua, visitant_lua_text name, visitant_lua_text arguments);
visitant_lua_turn visitant_lua_resume(visitant_lua *lua, int32_t coroutine, visitant_lua_text values);
void visitant_lua_drop(visitant_lua *lua, int32_t coroutine);
/// The frames of scripts of a coroutine that waits, innermost first, one a line.
visitant_lua_text visitant_lua_traceback(visitant_lua *lua, int32_t coroutine);
void visitant_lua_release(visitant_lua *lua, int32_t reference);

/// The notes since the last call, each followed by a zero byte, and forgets them.
visitant_lua_text visitant_lua_take_notes(visitant_lua *lua);

double visitant_lua_now(const visitant_lua *lua);
void visitant_lua_set_now(visitant_lua *lua, double now);

/// A member of the prelude table as JSON in a fixed order of keys; `label` names it in errors.
visitant_lua_failure visitant_lua_serialize(
    visitant_lua *lua, visitant_lua_text name, visitant_lua_text label, visitant_lua_text *json);

/// Replaces a member of the prelude table, or with `merge` sets the object's keys in it (null takes a key
/// away).
visitant_lua_failure visitant_lua_assign(
    visitant_lua *lua, visitant_lua_text name, visitant_lua_text json, bool merge);

/// Collects all garbage now.
void visitant_lua_collect(visitant_lua *lua);
int64_t visitant_lua_memory(const visitant_lua *lua);
/// Lets the state hold more bytes than before; a lower limit is ignored.
void visitant_lua_raise_memory(visitant_lua *lua, int64_t limit);

typedef enum __attribute__((enum_extensibility(closed))) : int32_t {
  VISITANT_LUA_PATTERN_ABSENT VISITANT_LUA_NAME(absent) = 0,
  VISITANT_LUA_PATTERN_FOUND VISITANT_LUA_NAME(found),
  VISITANT_LUA_PATTERN_MALFORMED VISITANT_LUA_NAME(malformed),
  VISITANT_LUA_PATTERN_SPENT VISITANT_LUA_NAME(spent),
} visitant_lua_pattern_outcome;

/// Searches a Lua pattern without a state. `from`, `start` and `end` are byte offsets; `steps` loses what was
/// spent and is below zero when it was not enough; `error` is a constant, zero-terminated.
visitant_lua_pattern_outcome visitant_lua_pattern_find(
    visitant_lua_text pattern, visitant_lua_text subject, size_t from, int64_t *steps, size_t *start,
    size_t *end, const char **error);

/// What makes a pattern malformed whatever it is matched with, or NULL; `at` is the offset of the item to
/// blame. The text is a constant, or lives until the next call of this thread.
const char *visitant_lua_pattern_fault(visitant_lua_text pattern, size_t *at);
