#include <stdlib.h>
#include <time.h>

#include "state.h"

// Three budgets. Memory is kept by the allocator, instructions by a count hook and by `charge`, pattern steps
// by the matcher. Once one is spent, the hook comes at every instruction and whatever of ours catches errors
// raises again, so that no pcall of a script outlives it.

enum {
  /// Bytes whose copying costs as much as an instruction.
  BYTES_AN_INSTRUCTION = 32,
  /// Nanoseconds of processor time that an instruction may take; C loops that nobody counts end by this.
  NANOSECONDS_AN_INSTRUCTION = 100,
  /// Calls nested so deep that they, not tables, are what filled the memory.
  ENDLESS_DEPTH = 5000,
  CLOCK_INTERVAL = 10 * 1000 * 1000,
};

static const int64_t shortest_turn_limit = 500 * 1000 * 1000;

static void hook(lua_State *L, lua_Debug *activation);

static void watch_each_instruction(visitant_lua *lua) {
  if (lua->running != NULL) lua_sethook(lua->running, hook, LUA_MASKCOUNT, 1);
}

void budget_hook(lua_State *L) {
  visitant_lua *lua = state_of(L);
  lua_sethook(L, hook, LUA_MASKCOUNT, lua->spent == VISITANT_LUA_BUDGET_NONE ? HOOK_STEP : 1);
}

void budget_spend(visitant_lua *lua, visitant_lua_budget kind) {
  if (lua->spent != VISITANT_LUA_BUDGET_NONE) return;
  lua->spent = kind;
  if (lua->running == NULL) return;
  lua_Debug frame;
  // An error of memory may be seen only after it has unwound the calls; the denial saw them.
  if (!find_place(lua->running, &lua->spent_at) && kind == VISITANT_LUA_BUDGET_MEMORY) {
    lua->spent_at = lua->denied_at;
  }
  // Now, since whoever catches what ends the script unwinds its frames.
  lua->traceback.count = 0;
  fault_trace(lua->running, &lua->traceback);
  if (kind == VISITANT_LUA_BUDGET_MEMORY) {
    lua->spent_by_depth = lua_getstack(lua->running, ENDLESS_DEPTH, &frame);
  }
  watch_each_instruction(lua);
}

// MARK: Memory

/// A denial is followed by a full collection and the same request again; the second denial is an error.
static void *deny(visitant_lua *lua, void *block, size_t old, size_t new) {
  bool again = lua->denied && lua->denied_block == block && lua->denied_old == old && lua->denied_new == new;
  if (again) {
    budget_spend(lua, VISITANT_LUA_BUDGET_MEMORY);
  } else {
    // The collection looks at everything there is, so it is paid for by that.
    lua->instructions_left -= lua->memory / BYTES_AN_INSTRUCTION;
  }
  if (!again && lua->running != NULL) find_place(lua->running, &lua->denied_at);
  lua->denied = !again;
  lua->denied_block = block;
  lua->denied_old = old;
  lua->denied_new = new;
  return NULL;
}

void *budget_allocate(void *state, void *block, size_t old, size_t new) {
  visitant_lua *lua = state;
  if (block == NULL) old = 0;  // it then tells a kind of object
  if (new == 0) {
    free(block);
    lua->memory -= (int64_t)old;
    return NULL;
  }
  if (new > old) {
    if (new > (size_t)lua->limits.memory || lua->memory > lua->limits.memory - (int64_t)(new - old)) {
      return deny(lua, block, old, new);
    }
    lua->denied = false;
    lua->instructions_left -= (int64_t)(new - old) / BYTES_AN_INSTRUCTION;
    if (lua->instructions_left < 0) watch_each_instruction(lua);
  }
  void *moved = realloc(block, new);
  if (moved == NULL) {
    if (new > old) return deny(lua, block, old, new);
    moved = block;  // Lua relies on shrinking
  }
  lua->memory += (int64_t)new - (int64_t)old;
  return moved;
}

// MARK: Instructions

static int64_t nanoseconds(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/// Whether the turn has taken too much of the processor, which only loops that nobody counts can do.
static bool is_too_long(visitant_lua *lua) {
  int64_t now = nanoseconds(CLOCK_MONOTONIC_COARSE);
  if (lua->clock_looked == 0) {
    lua->clock_looked = now;
    lua->clock_began = nanoseconds(CLOCK_THREAD_CPUTIME_ID);
    return false;
  }
  if (now - lua->clock_looked < CLOCK_INTERVAL) return false;
  lua->clock_looked = now;
  int64_t limit;
  bool is_endless = __builtin_mul_overflow(lua->limits.instructions, NANOSECONDS_AN_INSTRUCTION, &limit);
  if (is_endless) limit = INT64_MAX;
  if (limit < shortest_turn_limit) limit = shortest_turn_limit;
  return nanoseconds(CLOCK_THREAD_CPUTIME_ID) - lua->clock_began > limit;
}

static void hook(lua_State *L, lua_Debug *activation) {
  (void)activation;
  visitant_lua *lua = state_of(L);
  lua->instructions_left -= HOOK_STEP;
  if (lua->spent == VISITANT_LUA_BUDGET_NONE) {
    if (lua->instructions_left >= 0) {
      if (!is_too_long(lua)) return;
      lua->spent_by_time = true;
    }
    budget_spend(lua, VISITANT_LUA_BUDGET_INSTRUCTIONS);
  }
  budget_raise(L);
}

void budget_begin_turn(visitant_lua *lua) {
  lua->instructions_left = lua->limits.instructions;
  lua->patterns_left = lua->limits.pattern_steps;
  lua->clock_looked = 0;
  lua->denied = false;
  lua->denied_at.line = 0;
  lua->denied_at.source[0] = 0;
  lua->notes_this_turn = 0;
  lua->note_bytes_this_turn = 0;
  lua->blocked = false;
  lua->closings = 0;
  lua->running = lua->main;
  if (lua_gethookcount(lua->main) != HOOK_STEP) budget_hook(lua->main);
}

void charge(lua_State *L, int64_t steps) {
  visitant_lua *lua = state_of(L);
  if (steps > lua->instructions_left) {
    budget_spend(lua, VISITANT_LUA_BUDGET_INSTRUCTIONS);
    budget_raise(L);
  }
  lua->instructions_left -= steps;
}

void charge_patterns(lua_State *L) {
  visitant_lua *lua = state_of(L);
  if (lua->patterns_left >= 0) return;
  budget_spend(lua, VISITANT_LUA_BUDGET_PATTERNS);
  budget_raise(L);
}

// MARK: The end

int budget_raise(lua_State *L) {
  static const char sentinel;
  lua_pushlightuserdata(L, (void *)&sentinel);
  return lua_error(L);
}

void budget_check(lua_State *L, int status) {
  visitant_lua *lua = state_of(L);
  if (status == LUA_ERRMEM) budget_spend(lua, VISITANT_LUA_BUDGET_MEMORY);
  if (lua->spent != VISITANT_LUA_BUDGET_NONE) budget_raise(L);
}
