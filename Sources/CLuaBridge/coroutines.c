#include "state.h"

// Coroutines of scripts, and how a request leaves them. `host.ask` yields a mark that no script can make; the
// resume and wrap of the sandbox pass it on outward, each as a yield of its own, until it comes to the host.
// On the way back each resumes the coroutine below it, and the innermost reads the answer.

enum { COST_OF_A_COROUTINE = HOOK_STEP, DEEPEST_CLOSING = 8 };

static const char mark;

int coroutine_wait(lua_State *L, lua_KFunction k) {
  set_mark(L, MARK_WAITS, true);
  lua_pushlightuserdata(L, (void *)&mark);
  return lua_yieldk(L, 1, 0, k);
}

bool coroutine_asks(lua_State *co, int results) { return results == 1 && lua_touserdata(co, -1) == &mark; }

int coroutine_advance(lua_State *L, lua_State *co, int arguments, int *results) {
  visitant_lua *lua = state_of(L);
  lua_State *running = lua->running;
  bool blocked = lua->blocked;
  lua->blocked = blocked || (!has_mark(co, MARK_HOSTED) && !lua_isyieldable(L));
  lua->running = co;
  if (lua_gethookcount(co) != HOOK_STEP || lua->spent != VISITANT_LUA_BUDGET_NONE) budget_hook(co);
  int status = lua_resume(co, L, arguments, results);
  lua->running = running;
  lua->blocked = blocked;
  return status;
}

int coroutine_close(lua_State *L, lua_State *co) {
  visitant_lua *lua = state_of(L);
  // A dead state closes nothing: the error came out of the hook, and Lua would run `__close` without one.
  if (lua->spent != VISITANT_LUA_BUDGET_NONE) return LUA_OK;
  lua_State *running = lua->running;
  lua->running = co;
  lua->closings++;
#if LUA_VERSION_RELEASE_NUM >= 50406
  int status = lua_closethread(co, L);
#else
  int status = lua_resetthread(co);
#endif
  lua->closings--;
  lua->running = running;
  return status;
}

// MARK: Resuming

static lua_State *coroutine_argument(lua_State *L) {
  lua_State *co = lua_tothread(L, 1);
  luaL_argexpected(L, co != NULL, 1, "coroutine");
  return co;
}

typedef enum { SUSPENDED, RUNNING, NORMAL, DEAD } condition;

static condition condition_of(lua_State *L, lua_State *co) {
  if (L == co) return RUNNING;
  if (has_mark(co, MARK_WAITS)) return NORMAL;
  lua_Debug frame;
  switch (lua_status(co)) {
    case LUA_YIELD: return SUSPENDED;
    case LUA_OK:
      if (lua_getstack(co, 0, &frame)) return NORMAL;
      return lua_gettop(co) == 0 ? DEAD : SUSPENDED;
    default: return DEAD;
  }
}

static const char *const condition_names[] = {"suspended", "running", "normal", "dead"};

/// What came of resuming: so many values on top, an error on top, or a request that is to be passed on.
enum { FAILED = -1, ASKS = -2 };

static int go_on(lua_State *L, lua_State *co, int arguments) {
  int results;
  int status = coroutine_advance(L, co, arguments, &results);
  budget_check(L, status);
  if (status == LUA_YIELD && coroutine_asks(co, results)) {
    lua_pop(co, 1);
    return ASKS;
  }
  if (status != LUA_OK && status != LUA_YIELD) {
    lua_xmove(co, L, 1);
    return FAILED;
  }
  if (!lua_checkstack(L, results + 1)) {
    lua_pop(co, results);
    budget_check(L, LUA_OK);
    lua_pushliteral(L, "too many results to resume");
    return FAILED;
  }
  lua_xmove(co, L, results);
  return results;
}

/// Resumes with the values on top.
static int begin(lua_State *L, lua_State *co, int arguments) {
  condition c = condition_of(L, co);
  if (c != SUSPENDED) {
    lua_pop(L, arguments);
    if (has_mark(co, MARK_WAITS)) {
      lua_pushliteral(L, "cannot resume a coroutine that waits for an answer");
    } else {
      lua_pushfstring(L, "cannot resume %s coroutine", c == DEAD ? "dead" : "non-suspended");
    }
    return FAILED;
  }
  if (!lua_checkstack(co, arguments)) {
    lua_pop(L, arguments);
    budget_check(L, LUA_OK);
    lua_pushliteral(L, "too many arguments to resume");
    return FAILED;
  }
  lua_xmove(L, co, arguments);
  return go_on(L, co, arguments);
}

static int resume_again(lua_State *L, int status, lua_KContext context);

static int finish_resume(lua_State *L, int results) {
  if (results == ASKS) {
    lua_settop(L, 1);
    return coroutine_wait(L, resume_again);
  }
  lua_pushboolean(L, results != FAILED);
  int count = results == FAILED ? 1 : results;
  lua_insert(L, -(count + 1));
  return count + 1;
}

static int resume_again(lua_State *L, int status, lua_KContext context) {
  (void)status, (void)context;
  set_mark(L, MARK_WAITS, false);
  return finish_resume(L, go_on(L, lua_tothread(L, 1), 0));
}

static int coroutine_resume(lua_State *L) {
  lua_State *co = coroutine_argument(L);
  return finish_resume(L, begin(L, co, lua_gettop(L) - 1));
}

// MARK: Wrapping

static int wrap_again(lua_State *L, int status, lua_KContext context);

static int finish_wrap(lua_State *L, lua_State *co, int results) {
  if (results == ASKS) {
    lua_settop(L, 0);
    return coroutine_wait(L, wrap_again);
  }
  if (results != FAILED) return results;
  int status = lua_status(co);
  if (status != LUA_OK && status != LUA_YIELD) {
    status = coroutine_close(L, co);
    budget_check(L, status);
    if (status != LUA_OK) {
      lua_pop(L, 1);
      lua_xmove(co, L, 1);  // what closing its variables made of the error
    }
  }
  if (lua_type(L, -1) == LUA_TSTRING) {
    luaL_where(L, 1);
    lua_insert(L, -2);
    lua_concat(L, 2);
  }
  return lua_error(L);
}

static int wrap_again(lua_State *L, int status, lua_KContext context) {
  (void)status, (void)context;
  set_mark(L, MARK_WAITS, false);
  lua_State *co = lua_tothread(L, lua_upvalueindex(1));
  return finish_wrap(L, co, go_on(L, co, 0));
}

static int wrapped(lua_State *L) {
  lua_State *co = lua_tothread(L, lua_upvalueindex(1));
  return finish_wrap(L, co, begin(L, co, lua_gettop(L)));
}

static int coroutine_create(lua_State *L) {
  luaL_checktype(L, 1, LUA_TFUNCTION);
  charge(L, COST_OF_A_COROUTINE);
  lua_State *co = lua_newthread(L);
  lua_pushvalue(L, 1);
  lua_xmove(L, co, 1);
  return 1;
}

static int coroutine_wrap(lua_State *L) {
  coroutine_create(L);
  lua_pushcclosure(L, wrapped, 1);
  return 1;
}

// MARK: The rest

static int coroutine_yield(lua_State *L) {
  if (has_mark(L, MARK_HOSTED) || L == state_of(L)->main) {
    return luaL_error(L, "attempt to yield from outside a coroutine");
  }
  return lua_yield(L, lua_gettop(L));
}

static int coroutine_status(lua_State *L) {
  lua_pushstring(L, condition_names[condition_of(L, coroutine_argument(L))]);
  return 1;
}

static int coroutine_isyieldable(lua_State *L) {
  lua_State *co = lua_isthread(L, 1) ? lua_tothread(L, 1) : L;
  lua_pushboolean(L, !has_mark(co, MARK_HOSTED) && lua_isyieldable(co));
  return 1;
}

static int coroutine_running(lua_State *L) {
  bool outermost = lua_pushthread(L) || has_mark(L, MARK_HOSTED);
  lua_pushboolean(L, outermost);
  return 2;
}

static int coroutine_close_argument(lua_State *L) {
  lua_State *co = coroutine_argument(L);
  condition c = condition_of(L, co);
  if (c != SUSPENDED && c != DEAD) return luaL_error(L, "cannot close a %s coroutine", condition_names[c]);
  if (state_of(L)->closings >= DEEPEST_CLOSING) {
    return luaL_error(L, "coroutines are closed too deep inside each other");
  }
  int status = coroutine_close(L, co);
  budget_check(L, status);
  lua_pushboolean(L, status == LUA_OK);
  if (status == LUA_OK) return 1;
  lua_xmove(co, L, 1);
  return 2;
}

void open_coroutines(lua_State *L) {
  static const luaL_Reg functions[] = {
    {"close", coroutine_close_argument}, {"create", coroutine_create},
    {"isyieldable", coroutine_isyieldable}, {"resume", coroutine_resume},
    {"running", coroutine_running}, {"status", coroutine_status},
    {"wrap", coroutine_wrap}, {"yield", coroutine_yield}, {NULL, NULL},
  };
  luaL_newlib(L, functions);
}
