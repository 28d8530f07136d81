#include "state.h"

// A turn: a coroutine of the host's runs until it asks, ends or fails. It is resumed from a protected
// function on the main coroutine, so that even a failure which Lua cannot report to the coroutine has
// somewhere to go.

typedef struct {
  int32_t reference;
  int32_t coroutine;
  visitant_lua_text name;
  visitant_lua_turn *turn;
} job;

// MARK: Inside the coroutine

static int body_returned(lua_State *L, int status, lua_KContext context) {
  (void)status, (void)context;
  visitant_lua *lua = state_of(L);
  lua->out.count = 0;
  encode_values(L, 1, "result", &lua->out);
  return 0;
}

/// What each coroutine of the host's begins with: its argument is the function, whose arguments are in the
/// input.
static int body(lua_State *L) {
  int count = decode_values(L, state_of(L)->input);
  lua_callk(L, count, LUA_MULTRET, 0, body_returned);
  return body_returned(L, LUA_OK, 0);
}

// MARK: Around it

static void forget(lua_State *L, int32_t coroutine) {
  push_slot(L, SLOT_COROUTINES);
  lua_pushnil(L);
  lua_rawseti(L, -2, coroutine);
  lua_pop(L, 1);
}

static void settle(lua_State *L, job *work, lua_State *co, int status, int results) {
  visitant_lua *lua = state_of(L);
  visitant_lua_turn *turn = work->turn;
  bool spent = lua->spent != VISITANT_LUA_BUDGET_NONE;
  if (status == LUA_YIELD && coroutine_asks(co, results) && !spent) {
    lua_pop(co, 1);
    turn->kind = VISITANT_LUA_TURN_ASKS;
    turn->json = buffer_text(&lua->out);
    turn->source = (visitant_lua_text){(const uint8_t *)lua->asked_at.source, strlen(lua->asked_at.source)};
    turn->line = lua->asked_at.line;
    return;
  }
  if (status == LUA_OK && !spent) {
    turn->kind = VISITANT_LUA_TURN_FINISHED;
    turn->json = buffer_text(&lua->out);
  } else {
    turn->failure = fault_describe(lua, co, status, "");
    coroutine_close(L, co);
  }
  forget(L, work->coroutine);
}

static void push_function(lua_State *L, const job *work) {
  if (work->name.bytes == NULL) {
    push_slot(L, SLOT_REFERENCES);
    if (lua_rawgeti(L, -1, work->reference) == LUA_TFUNCTION) return;
    luaL_error(L, "no function is kept under %d", (int)work->reference);
  }
  push_slot(L, SLOT_PRELUDE);
  lua_pushlstring(L, (const char *)work->name.bytes, work->name.count);
  lua_pushvalue(L, -1);
  if (lua_rawget(L, -3) == LUA_TFUNCTION) return;
  luaL_error(L, "the prelude has no function '%s'", lua_tostring(L, -2));
}

static int start(lua_State *L) {
  job *work = lua_touserdata(L, 1);
  push_function(L, work);
  lua_State *co = lua_newthread(L);
  set_mark(co, MARK_HOSTED, true);
  push_slot(L, SLOT_COROUTINES);
  lua_pushvalue(L, -2);
  lua_rawseti(L, -2, work->coroutine);
  lua_settop(L, lua_gettop(L) - 2);
  lua_pushcfunction(co, body);
  lua_xmove(L, co, 1);
  int results;
  int status = coroutine_advance(L, co, 1, &results);
  settle(L, work, co, status, results);
  return 0;
}

/// The coroutine of that number, if it waits.
static lua_State *waiting(lua_State *L, int32_t coroutine) {
  push_slot(L, SLOT_COROUTINES);
  lua_rawgeti(L, -1, coroutine);
  lua_State *co = lua_tothread(L, -1);
  return co != NULL && has_mark(co, MARK_WAITS) ? co : NULL;
}

static int resume(lua_State *L) {
  job *work = lua_touserdata(L, 1);
  lua_State *co = waiting(L, work->coroutine);
  if (co == NULL) return luaL_error(L, "no coroutine %d waits", (int)work->coroutine);
  int results;
  int status = coroutine_advance(L, co, 0, &results);
  settle(L, work, co, status, results);
  return 0;
}

static int drop(lua_State *L) {
  job *work = lua_touserdata(L, 1);
  lua_State *co = waiting(L, work->coroutine);
  if (co == NULL) return 0;
  forget(L, work->coroutine);
  coroutine_close(L, co);
  return 0;
}

static int trace_waiting(lua_State *L) {
  job *work = lua_touserdata(L, 1);
  lua_State *co = waiting(L, work->coroutine);
  state_of(L)->traceback.count = 0;
  if (co != NULL) fault_trace(co, &state_of(L)->traceback);
  return 0;
}

// MARK: Doors

static visitant_lua_turn run(visitant_lua *lua, lua_CFunction function, job *work, visitant_lua_text input) {
  visitant_lua_turn turn = {.kind = VISITANT_LUA_TURN_FAILED, .coroutine = work->coroutine};
  if (lua->spent != VISITANT_LUA_BUDGET_NONE) {
    turn.failure = fault_of_budget(lua);
    return turn;
  }
  lua_State *L = lua->main;
  budget_begin_turn(lua);
  lua->input = input;
  work->turn = &turn;
  lua_settop(L, 0);
  lua_pushcfunction(L, function);
  lua_pushlightuserdata(L, work);
  int status = lua_pcall(L, 1, 0, 0);
  if (status != LUA_OK) {
    turn.kind = VISITANT_LUA_TURN_FAILED;
    lua->running = L;
    turn.failure = fault_describe(lua, L, status, "");
  }
  lua_settop(L, 0);
  lua->input = (visitant_lua_text){NULL, 0};
  return turn;
}

visitant_lua_turn visitant_lua_start(visitant_lua *lua, int32_t reference, visitant_lua_text arguments) {
  job work = {.reference = reference, .coroutine = ++lua->last_coroutine};
  return run(lua, start, &work, arguments);
}

visitant_lua_turn visitant_lua_start_prelude(
    visitant_lua *lua, visitant_lua_text name, visitant_lua_text arguments) {
  static const uint8_t none[1];
  if (name.bytes == NULL) name.bytes = none;
  job work = {.name = name, .coroutine = ++lua->last_coroutine};
  return run(lua, start, &work, arguments);
}

visitant_lua_turn visitant_lua_resume(visitant_lua *lua, int32_t coroutine, visitant_lua_text values) {
  job work = {.coroutine = coroutine};
  return run(lua, resume, &work, values);
}

void visitant_lua_drop(visitant_lua *lua, int32_t coroutine) {
  job work = {.coroutine = coroutine};
  run(lua, drop, &work, (visitant_lua_text){NULL, 0});
}

visitant_lua_text visitant_lua_traceback(visitant_lua *lua, int32_t coroutine) {
  job work = {.coroutine = coroutine};
  run(lua, trace_waiting, &work, (visitant_lua_text){NULL, 0});
  return buffer_text(&lua->traceback);
}
