#include <stdlib.h>

#include "state.h"

// The doors that are no turns. Each runs its job in `protect`, so nothing jumps out.

static int panic(lua_State *L) {
  (void)L;
  fputs("visitant: a Lua error outside of any protection\n", stderr);
  abort();
}

/// What a protected job works on. `name` is the script's while one is compiled.
typedef struct {
  visitant_lua_text source, name, text;
  const char *script;
  bool syntax, merge;
  int32_t reference;
} job;

static visitant_lua_failure protect(visitant_lua *lua, lua_CFunction function, job *work) {
  if (lua->spent != VISITANT_LUA_BUDGET_NONE) return fault_of_budget(lua);
  lua_State *L = lua->main;
  budget_begin_turn(lua);
  lua_settop(L, 0);
  lua_pushcfunction(L, function);
  lua_pushlightuserdata(L, work);
  int status = lua_pcall(L, 1, 0, 0);
  visitant_lua_failure failure = {.code = VISITANT_LUA_CODE_NONE};
  if (status != LUA_OK) {
    if (status == LUA_ERRRUN && work != NULL && work->syntax) status = LUA_ERRSYNTAX;
    failure = fault_describe(lua, L, status, work == NULL || work->script == NULL ? "" : work->script);
  }
  lua_settop(L, 0);
  return failure;
}

visitant_lua *visitant_lua_open(visitant_lua_limits limits, uint64_t seed, visitant_lua_failure *failure) {
  static _Thread_local char why[96];  // the state that could hold it is what does not fit
  snprintf(
    why, sizeof why, "the memory budget of %lld bytes is spent: a Lua state does not fit",
    (long long)limits.memory);
  *failure = (visitant_lua_failure){
    .code = VISITANT_LUA_CODE_BUDGET,
    .budget = VISITANT_LUA_BUDGET_MEMORY,
    .message = {(const uint8_t *)why, strlen(why)},
  };
  visitant_lua *lua = calloc(1, sizeof *lua);
  if (lua == NULL) return NULL;
  lua->limits = limits;
  lua->instructions_left = limits.instructions;
  random_seed(lua, seed);
  lua->main = lua_newstate(budget_allocate, lua);
  if (lua->main == NULL) {
    free(lua);
    return NULL;
  }
  *(uintptr_t *)lua_getextraspace(lua->main) = (uintptr_t)lua;
  lua_atpanic(lua->main, panic);
  visitant_lua_failure built = protect(lua, build_sandbox, NULL);
  if (built.code == VISITANT_LUA_CODE_NONE) return lua;
  visitant_lua_close(lua);
  return NULL;
}

void visitant_lua_close(visitant_lua *lua) {
  lua->running = NULL;
  lua_close(lua->main);
  buffer *buffers[] = {&lua->notes, &lua->notes_taken, &lua->out, &lua->scratch,
                       &lua->message, &lua->traceback, &lua->value};
  for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) buffer_free(buffers[i]);
  free(lua);
}

// MARK: Loading

/// Pushes the compiled chunk under the name on top, which it keeps below.
static void compile(lua_State *L, job *work) {
  visitant_lua_text source = skip_front(work->source);
  const char *name = lua_tostring(L, -1);
  work->script = name + 1;
  charge(L, (int64_t)source.count);
  const char *refusal = refusal_of_bytecode(source);
  if (refusal == NULL) {
    int status = luaL_loadbufferx(L, (const char *)source.bytes, source.count, name, "t");
    budget_check(L, status);
    if (status == LUA_OK) return;
  } else {
    lua_pushstring(L, refusal);
  }
  work->syntax = true;
  lua_error(L);
}

static int load_script(lua_State *L) {
  job *work = lua_touserdata(L, 1);
  push_slot(L, SLOT_REFERENCES);
  lua_pushliteral(L, "@");
  lua_pushlstring(L, (const char *)work->name.bytes, work->name.count);
  lua_concat(L, 2);
  compile(L, work);
  work->reference = luaL_ref(L, 2);
  return 0;
}

visitant_lua_failure visitant_lua_load(
    visitant_lua *lua, visitant_lua_text source, visitant_lua_text name, int32_t *reference) {
  job work = {.source = source, .name = name};
  visitant_lua_failure failure = protect(lua, load_script, &work);
  *reference = work.reference;
  return failure;
}

static int load_prelude(lua_State *L) {
  job *work = lua_touserdata(L, 1);
  state_of(L)->instructions_left = UNLIMITED;
  lua_pushliteral(L, "=[");
  lua_pushlstring(L, (const char *)work->name.bytes, work->name.count);
  lua_pushliteral(L, "]");
  lua_concat(L, 3);
  compile(L, work);
  push_slot(L, SLOT_PRELUDE_GLOBALS);
  lua_setupvalue(L, -2, 1);
  lua_call(L, decode_values(L, work->text), 1);
  if (lua_istable(L, -1)) {
    push_slot(L, SLOT_PRELUDE);
    int table = lua_gettop(L);
    lua_pushnil(L);
    while (lua_next(L, table - 1)) {
      lua_pushvalue(L, -2);
      lua_insert(L, -2);
      lua_rawset(L, table);
    }
  }
  lua_settop(L, 0);
  lua_gc(L, LUA_GCCOLLECT);
  return 0;
}

visitant_lua_failure visitant_lua_load_prelude(
    visitant_lua *lua, visitant_lua_text source, visitant_lua_text name, visitant_lua_text arguments) {
  job work = {.source = source, .name = name, .text = arguments};
  return protect(lua, load_prelude, &work);
}

static int release(lua_State *L) {
  job *work = lua_touserdata(L, 1);
  push_slot(L, SLOT_REFERENCES);
  if (lua_rawgeti(L, -1, work->reference) == LUA_TFUNCTION) luaL_unref(L, -2, work->reference);
  return 0;
}

void visitant_lua_release(visitant_lua *lua, int32_t reference) {
  job work = {.reference = reference};
  protect(lua, release, &work);
}

// MARK: Values

/// Pushes the prelude table and the member's name.
static void push_member_name(lua_State *L, const job *work) {
  push_slot(L, SLOT_PRELUDE);
  lua_pushlstring(L, (const char *)work->name.bytes, work->name.count);
}

static int serialize(lua_State *L) {
  job *work = lua_touserdata(L, 1);
  lua_pushlstring(L, (const char *)work->text.bytes, work->text.count);
  push_member_name(L, work);
  lua_rawget(L, -2);
  state_of(L)->out.count = 0;
  encode_value(L, -1, KEPT, lua_tostring(L, 2), &state_of(L)->out);
  return 0;
}

visitant_lua_failure visitant_lua_serialize(
    visitant_lua *lua, visitant_lua_text name, visitant_lua_text label, visitant_lua_text *json) {
  job work = {.name = name, .text = label};
  visitant_lua_failure failure = protect(lua, serialize, &work);
  *json = buffer_text(&lua->out);
  return failure;
}

static int assign(lua_State *L) {
  job *work = lua_touserdata(L, 1);
  push_member_name(L, work);
  if (work->merge) {
    lua_pushvalue(L, -1);
    if (lua_rawget(L, 2) != LUA_TTABLE) {
      lua_pop(L, 1);
      lua_newtable(L);
      lua_pushvalue(L, 3);
      lua_pushvalue(L, -2);
      lua_rawset(L, 2);
    }
    thaw(L, -1);
    decode_into(L, work->text);
  } else {
    decode_value(L, work->text);
    lua_rawset(L, 2);
  }
  return 0;
}

visitant_lua_failure visitant_lua_assign(
    visitant_lua *lua, visitant_lua_text name, visitant_lua_text json, bool merge) {
  job work = {.name = name, .text = json, .merge = merge};
  return protect(lua, assign, &work);
}

// MARK: The rest

visitant_lua_text visitant_lua_take_notes(visitant_lua *lua) {
  buffer_reset(&lua->notes_taken);
  buffer taken = lua->notes;
  lua->notes = lua->notes_taken;
  lua->notes_taken = taken;
  return buffer_text(&lua->notes_taken);
}

double visitant_lua_now(const visitant_lua *lua) { return lua->now; }

void visitant_lua_set_now(visitant_lua *lua, double now) {
  if (lua->opened == 0) lua->opened = now;
  lua->now = now;
}

static int collect(lua_State *L) {
  lua_gc(L, LUA_GCCOLLECT);
  return 0;
}

void visitant_lua_collect(visitant_lua *lua) {
  protect(lua, collect, NULL);
  buffer_reset(&lua->out);
  buffer_reset(&lua->scratch);
  buffer_reset(&lua->value);
  buffer_reset(&lua->notes_taken);
}

int64_t visitant_lua_memory(const visitant_lua *lua) {
  size_t outside = sizeof *lua + lua->notes.capacity + lua->notes_taken.capacity + lua->out.capacity;
  outside += lua->scratch.capacity + lua->message.capacity + lua->traceback.capacity + lua->value.capacity;
  return lua->memory + (int64_t)outside;
}

void visitant_lua_raise_memory(visitant_lua *lua, int64_t limit) {
  if (limit > lua->limits.memory) lua->limits.memory = limit;
}
